/**
 * The head of a plan's requests: which fields, in which order.
 *
 * Fields a person gives stand behind ours and in the order given; one that has the name of a field
 * of ours takes its place. The body is counted by us, so nobody may say otherwise.
 */
import { latin1FromText } from '../../plan/latin1.ts'
import { headerField } from '../../plan/option-readers.ts'
import type { HeadField } from '../../plan/plan.ts'
import type { HeadersDraft } from './plan-draft.ts'
import { FORM_TYPE } from './request-from-draft.ts'

export interface GivenField {
  readonly name: string
  readonly value: string
}

export interface HeadSettings {
  readonly fields: readonly GivenField[]
  readonly keepsAlive: boolean
  readonly userAgent: string
}

export function headFields({ fields, keepsAlive, userAgent }: HeadSettings): HeadField[] {
  const left = new Set(fields)
  const instead = (builtIn: HeadField & { readonly name: string }): HeadField[] => {
    const same = [...left].filter(({ name }) => isSameName(name, builtIn.name))
    for (const field of same) left.delete(field)
    return same.length === 0 ? [builtIn] : same.map(fixed)
  }
  const before: HeadField[] = [
    ...instead({ kind: 'host', name: 'Host' }),
    { kind: 'dynamic' },
    ...instead(fixed({ name: 'User-Agent', value: userAgent })),
    ...instead(fixed({ name: 'Accept', value: '*/*' })),
  ]
  const type = fields.find(({ name }) => isSameName(name, 'content-type'))
  const after: HeadField[] = [
    ...(keepsAlive ? [] : instead(fixed({ name: 'Connection', value: 'close' }))),
    {
      kind: 'content-type',
      name: type?.name ?? 'Content-Type',
      fallback: latin1FromText(type?.value ?? FORM_TYPE),
      ...(type === undefined ? {} : { beatsGuess: true }),
    },
    { kind: 'content-length', name: 'Content-Length' },
  ]
  const rest = [...left].filter(({ name }) => !isSameName(name, 'content-type'))
  return [...before, ...rest.map(fixed), ...after]
}

/** Whether connections are kept: a Connection field that was given says more than the setting. */
export function keepsAlive(fields: readonly GivenField[], setting: boolean): boolean {
  const closes = fields.some(
    ({ name, value }) => isSameName(name, 'connection') && /(?:^|,)\s*close\s*(?:,|$)/i.test(value),
  )
  return setting && !closes
}

/** Each field of each name, in order. */
export function givenFields(headers: HeadersDraft | undefined): GivenField[] {
  return Object.entries(headers ?? {}).flatMap(([name, written]) =>
    [written].flat().map((value) => ({ name, value: String(value) })),
  )
}

/** What is wrong with a field, as one sentence; null: nothing. */
export function fieldProblem(name: string, value: string): string | null {
  if (/^(?:content-length|transfer-encoding)$/i.test(name)) {
    return `${name} follows from the body; leave it out`
  }
  const read = headerField(`${name}: ${value}`)
  const isNameWhole = !name.includes(':') && name.trim() === name
  if ('value' in read && isNameWhole) return null
  if ('mustBe' in read && /line/.test(read.mustBe)) return `${name} must be ${read.mustBe}`
  return `${JSON.stringify(name)} is no name of a header field`
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function fixed({ name, value }: GivenField): HeadField & { readonly name: string } {
  return { kind: 'fixed', name, value: latin1FromText(value) }
}
