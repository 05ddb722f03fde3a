/**
 * The head of siege's requests: which fields, in which order, from which setting.
 *
 * Fields a person gives stand between User-Agent and Connection, in the order given; one that has
 * the name of a built-in field takes that field's place instead, so that no field is sent twice
 * unless it was given twice.
 */
import { latin1FromText } from '../plan/latin1.ts'
import type { HeaderField } from '../plan/option-readers.ts'
import type { HeadField } from '../plan/plan.ts'
import type { SiegeSettings } from './settings.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

type HeadSettings = Pick<
  SiegeSettings,
  'headers' | 'contentType' | 'acceptEncoding' | 'userAgent' | 'keepAlive' | 'cookies'
>

export function headFields(settings: HeadSettings, defaultUserAgent: string): HeadField[] {
  const given = new GivenFields(settings)
  const { contentType, userAgent } = settings
  const connection = settings.keepAlive ? 'keep-alive' : 'close'
  const beforeGiven: HeadField[] = [
    ...given.instead({ kind: 'host', name: 'Host' }),
    { kind: 'dynamic' },
    ...given.instead(fixed('Accept', '*/*')),
    ...given.instead(fixed('Accept-Encoding', settings.acceptEncoding)),
    ...given.instead(fixed('User-Agent', userAgent ?? defaultUserAgent)),
  ]
  const afterGiven: HeadField[] = [
    ...given.instead(fixed('Connection', connection)),
    ...given.instead({
      kind: 'content-type',
      name: 'Content-Type',
      fallback: latin1FromText(contentType ?? FORM_TYPE),
      ...(contentType === null ? {} : { beatsGuess: true }),
    }),
    ...given.instead({ kind: 'content-length', name: 'Content-Length' }),
  ]
  return [...beforeGiven, ...given.rest(), ...afterGiven]
}

/**
 * Cookies a person gave, where users keep cookies: both share one field (RFC 6265 section 5.4), so
 * they leave the head and join the jar's.
 */
export function givenCookies(settings: Pick<SiegeSettings, 'headers' | 'cookies'>): string[] {
  if (!settings.cookies) return []
  return settings.headers.filter(isCookie).map((field) => latin1FromText(field.value))
}

function isCookie(field: HeaderField): boolean {
  return field.name.toLowerCase() === 'cookie'
}

/**
 * Whether connections are kept, seen from what goes over the wire: a Connection field that was
 * given says more than the setting.
 */
export function isKeepAlive(settings: Pick<SiegeSettings, 'headers' | 'keepAlive'>): boolean {
  const options = settings.headers
    .filter((field) => field.name.toLowerCase() === 'connection')
    .flatMap((field) => field.value.toLowerCase().split(','))
    .map((option) => option.trim())
  if (options.includes('close')) return false
  return options.includes('keep-alive') || settings.keepAlive
}

class GivenFields {
  #fields: readonly HeaderField[]

  constructor(settings: Pick<SiegeSettings, 'headers' | 'contentType' | 'cookies'>) {
    // `-T` beats a Content-Type given as a field.
    const hasType = settings.contentType !== null
    this.#fields = settings.headers.filter(
      (field) =>
        !(hasType && field.name.toLowerCase() === 'content-type') &&
        !(settings.cookies && isCookie(field)),
    )
  }

  /** The fields given under the built-in one's name, or that one. */
  instead(builtIn: HeadField & { readonly name: string }): HeadField[] {
    const name = builtIn.name.toLowerCase()
    const same = this.#fields.filter((field) => field.name.toLowerCase() === name)
    this.#fields = this.#fields.filter((field) => !same.includes(field))
    return same.length === 0 ? [builtIn] : same.map((field) => fixed(field.name, field.value))
  }

  /** Those that replace nothing; to be asked for before the built-in fields behind them. */
  rest(): HeadField[] {
    return this.#fields.map((field) => fixed(field.name, field.value))
  }
}

function fixed(name: string, value: string): HeadField & { readonly name: string } {
  return { kind: 'fixed', name, value: latin1FromText(value) }
}
