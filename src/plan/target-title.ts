/** What a report calls a run by its targets. */
import { textFromLatin1 } from './latin1.ts'
import { TargetList, type TargetListData } from './target-list.ts'

/** The first URL, without a login, and how many more there are; empty for an empty list. */
export function targetTitle(data: TargetListData): string {
  if (data.count === 0) return ''
  const targets = new TargetList(data)
  const first = targetText(targets, 0)
  return data.count === 1 ? first : `${first} and ${data.count - 1} more`
}

/** Its URL without a login, behind its method unless that is GET. */
export function targetText(targets: TargetList, index: number): string {
  const { scheme, authority } = targets.origins[targets.originIndexOf(index)]!
  const method = targets.methodOf(index)
  const url = textFromLatin1(`${scheme}://${authority}${targets.requestTargetOf(index)}`)
  return method === 'GET' || method === '' ? url : `${method} ${url}`
}
