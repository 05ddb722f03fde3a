/**
 * The head of ab's request, in ab's order and spelling.
 *
 * A field that a person gives takes the place of ab's own of that name; ab itself sends some of
 * them twice, which servers refuse or misread.
 */
import { latin1FromText } from '../plan/latin1.ts'
import type { HeadField } from '../plan/plan.ts'
import type { AbJob, AuthorizationField } from './command-line.ts'

export function abHead(job: AbJob, isTunnelled: boolean): HeadField[] {
  const { settings, body } = job
  const lines = settings.headers.flatMap((line) => latin1FromText(line).split(/\r\n|[\r\n]/))
  const given = lines.filter((line) => line !== '').map(givenField)
  // What `-T` says beats `-H`; only then is the line of the person left out.
  const isTypeOurs = body !== null && job.isTypeGiven
  const sent = given.filter(({ name }) => !isReplaced(name, job, isTypeOurs))
  const has = (name: string) => sent.some((field) => field.name.toLowerCase() === name)
  const cookies = [...settings.cookies, ...valuesOf(given, 'cookie')].map(latin1FromText)
  const bodyBytes = body?.length ?? 0
  return [
    ...(has('connection') ? [] : connectionField(job)),
    ...(cookies.length === 0 ? [] : [fixed('Cookie', cookies.join('; '))]),
    ...job.authorizations
      .filter((field) => !isLeftOut(field, has, isTunnelled))
      .map(({ name, value }) => fixed(name, value)),
    ...(body === null ? [] : [fixed('Content-length', String(bodyBytes))]),
    ...(body === null || has('content-type')
      ? []
      : [fixed('Content-type', latin1FromText(settings.contentType))]),
    ...sent,
    ...(has('host') ? [] : [{ kind: 'host', name: 'Host' } as const]),
    ...(has('user-agent') ? [] : [fixed('User-Agent', 'ApacheBench/2.3')]),
    ...(has('accept') ? [] : [fixed('Accept', '*/*')]),
  ]
}

type FixedField = Extract<HeadField, { readonly kind: 'fixed' }>

/** As ab spells it, also where there is no value: with a blank behind the colon. */
function fixed(name: string, value: string): FixedField {
  return { kind: 'fixed', name, value, line: `${name}: ${value}` }
}

/** The line as given; its name and value are for those who look for it. */
function givenField(line: string): FixedField {
  const colon = line.indexOf(':')
  // With a blank at either end it is no field of that name: ab's own is sent as well.
  const name = colon === -1 ? '' : line.slice(0, colon)
  return { kind: 'fixed', name, value: line.slice(colon + 1).trim(), line }
}

function valuesOf(fields: readonly FixedField[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value)
}

/** Fields that stand elsewhere, or would contradict what is sent. */
function isReplaced(name: string, { body }: AbJob, isTypeOurs: boolean): boolean {
  switch (name.toLowerCase()) {
    case 'cookie':
      return true
    case 'content-type':
      return isTypeOurs
    case 'content-length':
      return body !== null
    default:
      return false
  }
}

function connectionField({ settings }: AbJob): FixedField[] {
  if (settings.keepAlive) return [fixed('Connection', 'Keep-Alive')]
  return settings.http11 ? [fixed('Connection', 'close')] : []
}

function isLeftOut(
  { name }: AuthorizationField,
  has: (name: string) => boolean,
  isTunnelled: boolean,
): boolean {
  // The proxy gets its login with CONNECT; the server behind it has no business with it.
  return has(name.toLowerCase()) || (isTunnelled && name === 'Proxy-Authorization')
}
