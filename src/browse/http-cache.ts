/**
 * A private cache of one virtual user, without the bodies: it knows what a browser would not ask
 * for again, or would ask for conditionally (RFC 9111).
 *
 * It keeps freshness and validators of GET responses by URL. Left out on purpose: heuristic
 * freshness (a load test must not depend on guesses), redirects, partial responses, and responses
 * that vary with what changes during a run (Vary with `*`, Cookie or Authorization: never fresh).
 * Other request fields are the same all through a run, so Vary with those changes nothing.
 * Bounded: the least recently used URLs give way.
 */
import { readCacheControl, secondsOf } from './cache-control.ts'
import { httpDateText, readHttpDate } from './http-date.ts'

export const ENTRY_COUNT_MAX = 1000
const URL_BYTES_MAX = 8192
const VALIDATOR_BYTES_MAX = 1024

const FIELD_NAMES = [
  'cache-control',
  'expires',
  'date',
  'age',
  'etag',
  'last-modified',
  'vary',
] as const
type FieldName = (typeof FIELD_NAMES)[number]

/** The response fields that `CacheFields` wants to see, in lower case. */
export const cacheFieldNames: readonly string[] = FIELD_NAMES

/** Fields of one response as they arrive; may be reused for the next. */
export class CacheFields {
  readonly #values: Map<string, string> = new Map()

  /** `name` in lower case; names that do not matter here are passed over. */
  add(name: string, value: string): void {
    if (!cacheFieldNames.includes(name)) return
    const known = this.#values.get(name)
    if (known === undefined) this.#values.set(name, value)
    else if (name === 'cache-control' || name === 'vary') {
      this.#values.set(name, `${known}, ${value}`)
    }
    // Of other fields given twice the first counts (RFC 9111 section 4.2.1).
  }

  get(name: FieldName): string | undefined {
    return this.#values.get(name)
  }

  clear(): void {
    this.#values.clear()
  }
}

export interface ConditionalField {
  readonly name: string
  readonly value: string
}

export type CacheAnswer =
  /** Need not be asked for: siege's `(C)` line. */
  | { readonly kind: 'fresh' }
  /** To be asked for with these fields. */
  | { readonly kind: 'conditional'; readonly fields: readonly ConditionalField[] }
  | { readonly kind: 'none' }

interface Entry {
  readonly freshUntilMs: number
  /** The part of freshness that a 304 without Cache-Control or Expires leaves as it is. */
  readonly maxAgeS: number | null
  readonly expiresAtMs: number | null
  readonly isReusable: boolean
  readonly isVarying: boolean
  readonly etag: string | null
  readonly lastModifiedMs: number | null
  readonly whenStale: CacheAnswer
}

const FRESH: CacheAnswer = { kind: 'fresh' }
const NONE: CacheAnswer = { kind: 'none' }

/** Whole answers to a GET that stay useful; 404 and 410 only while fresh. */
const STORED_STATUSES: ReadonlySet<number> = new Set([200, 203, 204, 404, 410])
const CHANGING_REQUEST_FIELDS = /(?:^|,)\s*(?:\*|cookie|authorization)\s*(?:,|$)/i

export class HttpCache {
  /** Least recently used first. */
  readonly #entries: Map<string, Entry> = new Map()

  get entryCount(): number {
    return this.#entries.size
  }

  /** For a resource of a page. `url` is absolute and without a fragment. */
  lookUp(url: string, nowMs: number): CacheAnswer {
    const entry = this.#used(url)
    if (entry === undefined) return NONE
    return nowMs < entry.freshUntilMs ? FRESH : entry.whenStale
  }

  /** For a page itself, which is always asked for, as when a person presses reload. */
  lookUpPage(url: string): CacheAnswer {
    return this.#used(url)?.whenStale ?? NONE
  }

  /** Takes note of a response to a GET of `url` that arrived at `nowMs`. */
  note(url: string, status: number, fields: CacheFields, nowMs: number): void {
    // A 5xx says nothing about the resource (RFC 9111 section 4.3.3), nor does a challenge.
    if (status < 200 || status >= 500 || status === 401 || status === 407) return
    if (url.length > URL_BYTES_MAX) return
    const known = this.#entries.get(url)
    if (status === 304 && known === undefined) return
    const isKept = status === 304 || STORED_STATUSES.has(status)
    const entry = isKept ? entryOf(status, fields, status === 304 ? known : undefined, nowMs) : null
    this.#entries.delete(url)
    if (entry === null) return
    this.#entries.set(url, entry)
    if (this.#entries.size <= ENTRY_COUNT_MAX) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }

  /** After a request that changes `url` (POST, PUT, DELETE ...) and was not refused. */
  invalidate(url: string): void {
    this.#entries.delete(url)
  }

  clear(): void {
    this.#entries.clear()
  }

  #used(url: string): Entry | undefined {
    const entry = this.#entries.get(url)
    if (entry === undefined) return undefined
    this.#entries.delete(url)
    this.#entries.set(url, entry)
    return entry
  }
}

/** null when there is nothing to keep: neither fresh nor to be asked for conditionally. */
function entryOf(
  status: number,
  fields: CacheFields,
  known: Entry | undefined,
  nowMs: number,
): Entry | null {
  const control = fields.get('cache-control')
  const directives = control === undefined ? null : readCacheControl(control)
  if (directives !== null && !directives.isStorable) return null
  const vary = fields.get('vary')
  const isVarying =
    vary === undefined ? (known?.isVarying ?? false) : CHANGING_REQUEST_FIELDS.test(vary)
  const isReusable = directives?.isReusable ?? known?.isReusable ?? true
  const maxAgeS = directives === null ? (known?.maxAgeS ?? null) : directives.maxAgeS
  const expires = fields.get('expires')
  const expiresAtMs =
    expires === undefined
      ? (known?.expiresAtMs ?? null)
      : (readHttpDate(expires, nowMs) ?? Number.NEGATIVE_INFINITY)
  const dateMs = readHttpDate(fields.get('date') ?? '', nowMs) ?? nowMs
  // RFC 9111 sections 4.2.1 and 4.2.3, the response's own delay left out.
  const lifetimeMs = maxAgeS === null ? (expiresAtMs ?? dateMs) - dateMs : maxAgeS * 1000
  const ageMs = Math.max(nowMs - dateMs, secondsOf(fields.get('age') ?? '') * 1000, 0)
  const freshUntilMs =
    isReusable && !isVarying ? nowMs + lifetimeMs - ageMs : Number.NEGATIVE_INFINITY

  const isWhole = status < 400
  const etag = isWhole ? (etagOf(fields.get('etag')) ?? known?.etag ?? null) : null
  const lastModified = fields.get('last-modified')
  const lastModifiedMs = !isWhole
    ? null
    : lastModified === undefined
      ? (known?.lastModifiedMs ?? null)
      : readHttpDate(lastModified, nowMs)
  const whenStale = conditionalAnswer(etag, lastModifiedMs)
  if (whenStale === NONE && freshUntilMs <= nowMs) return null
  const freshness = { freshUntilMs, maxAgeS, expiresAtMs, isReusable, isVarying }
  return { ...freshness, etag, lastModifiedMs, whenStale }
}

/** As it was sent, also without the quotes of RFC 9110 section 8.8.3, which servers forget. */
function etagOf(text: string | undefined): string | null {
  if (text === undefined || text.length > VALIDATOR_BYTES_MAX) return null
  return /^[\x20-\x7e\x80-\xff]+$/.test(text) ? text : null
}

/** In siege's order. */
function conditionalAnswer(etag: string | null, lastModifiedMs: number | null): CacheAnswer {
  const fields: ConditionalField[] = []
  if (lastModifiedMs !== null) {
    fields.push({ name: 'If-Modified-Since', value: httpDateText(lastModifiedMs) })
  }
  if (etag !== null) fields.push({ name: 'If-None-Match', value: etag })
  return fields.length === 0 ? NONE : { kind: 'conditional', fields }
}
