/** What a report calls a run by its targets. */
import { TargetList, type TargetListData } from './target-list.ts'

/** The first URL, without a login, and how many more there are; empty for an empty list. */
export function targetTitle(data: TargetListData): string {
  if (data.count === 0) return ''
  const targets = new TargetList(data)
  const { scheme, authority } = targets.origins[targets.originIndexOf(0)]!
  const method = targets.methodOf(0)
  const url = `${scheme}://${authority}${targets.requestTargetOf(0)}`
  const first = method === 'GET' || method === '' ? url : `${method} ${url}`
  return data.count === 1 ? first : `${first} and ${data.count - 1} more`
}
