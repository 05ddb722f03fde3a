/**
 * From ab's command line to what is to be done: a benchmark, a text to print, or a refusal.
 *
 * Options act from left to right, as in ab: `-t` sets the number of requests, a later `-n` sets it
 * anew; `-m` before `-p` is a contradiction, after it a choice. The checks follow in ab's order and
 * with ab's words and statuses. Nothing is sent or printed here.
 */
import type { GivenFlag } from '../plan/getopt-gnu.ts'
import { getoptPosix } from '../plan/getopt-posix.ts'
import { SettingsDraft } from '../plan/option-table.ts'
import { errorText } from './errno.ts'
import { abOptions } from './options.ts'
import { readProxyAddress } from './proxy-address.ts'
import type { AbSettings } from './settings.ts'
import { type AbUrl, readAbUrl } from './url.ts'
import { usageText } from './usage.ts'

export const EXIT_ERROR = 1
export const EXIT_INVALID = 22
const CONCURRENCY_MAX = 200_000
/** What would end a line of the head early. */
const LINE_BREAKER = /[\r\n\0]/
/** What `-t` means for the number of requests. */
const TIMED_REQUEST_COUNT = 50_000
/** ab's room for a login in base64, with the zero behind it. */
const LOGIN_BASE64_BYTES_MAX = 1024

export interface AbJob {
  readonly settings: AbSettings
  /** After what all options made of it. */
  readonly requestCount: number
  readonly method: string
  readonly body: Uint8Array | null
  /** `-T` was given. */
  readonly isTypeGiven: boolean
  readonly url: AbUrl
  /** In the order given. */
  readonly authorizations: readonly AuthorizationField[]
}

export interface AuthorizationField {
  readonly name: 'Authorization' | 'Proxy-Authorization'
  readonly value: string
}

export type AbCommandLine =
  | { readonly kind: 'run'; readonly job: AbJob }
  | { readonly kind: 'version'; readonly isHtml: boolean }
  | { readonly kind: 'help' }
  /** `text` is for stderr. */
  | { readonly kind: 'refused'; readonly text: string; readonly status: number }

type Refused = Extract<AbCommandLine, { readonly kind: 'refused' }>

/** Gives the bytes of a file, or throws what the system says. */
export type ReadBytes = (path: string) => Uint8Array

/** `argv` is without node and script. */
export function readAbCommandLine(argv: readonly string[], readBytes: ReadBytes): AbCommandLine {
  const line = getoptPosix(argv, abOptions)
  const reading = new Reading(readBytes)
  for (const flag of line.flags) {
    const end = reading.take(flag)
    if (end !== null) return end
  }
  if (line.mistake !== null) {
    const isCountWrong = line.operands.length !== 1
    const count = isCountWrong ? 'ab: wrong number of arguments\n' : ''
    return refused(EXIT_INVALID, `ab: ${line.mistake}\n${count}${usageText}`)
  }
  return reading.job(line.operands)
}

function refused(status: number, text: string): Refused {
  return { kind: 'refused', text, status }
}

function usageRefusal(text: string): Refused {
  return refused(EXIT_INVALID, `ab: ${text}\n${usageText}`)
}

/** What would make another request than the one that is asked for; null when nothing does. */
function requestMistake({ cookies, contentType, headers, proxy }: AbSettings): string | null {
  if (headers.some((line) => line.includes('\0'))) return 'invalid header'
  if (cookies.some((cookie) => LINE_BREAKER.test(cookie))) return 'invalid cookie'
  if (LINE_BREAKER.test(contentType)) return 'invalid content type'
  return proxy !== null && readProxyAddress(proxy) === null ? 'invalid proxy' : null
}

/** Options as they have been read so far. */
class Reading {
  readonly #readBytes: ReadBytes
  readonly #draft: SettingsDraft<AbSettings> = new SettingsDraft(abOptions)
  readonly #authorizations: AuthorizationField[] = []
  #requestCount = 1
  #method = 'GET'
  #isMethodChosen = false
  #body: Uint8Array | null = null
  #isHtml = false
  #isTypeGiven = false

  constructor(readBytes: ReadBytes) {
    this.#readBytes = readBytes
  }

  /** Lets an option act. What it returns is the end. */
  take({ key, raw, spelling }: GivenFlag<keyof AbSettings>): AbCommandLine | null {
    this.#draft.read(key, spelling, raw, { kind: 'flag', spelling })
    const [problem] = this.#draft.problems
    if (problem !== undefined) return usageRefusal(problem.text)
    const settings = this.#draft.settings()
    switch (key) {
      case 'showVersion':
        return { kind: 'version', isHtml: this.#isHtml }
      case 'showUsage':
        return refused(EXIT_INVALID, usageText)
      case 'showHelp':
        return { kind: 'help' }
      case 'requestCount':
        this.#requestCount = settings.requestCount
        return this.#requestCount > 0 ? null : refused(EXIT_ERROR, 'Invalid number of requests\n\n')
      case 'timeLimit':
        this.#requestCount = TIMED_REQUEST_COUNT
        return null
      case 'head':
        return this.#choose('HEAD', null)
      case 'postFile':
        return this.#choose('POST', settings.postFile)
      case 'putFile':
        return this.#choose('PUT', settings.putFile)
      case 'method':
        this.#method = settings.method ?? this.#method
        this.#isMethodChosen = true
        return null
      case 'logins':
        return this.#authorize('Authorization', raw ?? '', 'Authentication')
      case 'proxyLogins':
        return this.#authorize('Proxy-Authorization', raw ?? '', 'Proxy')
      case 'html':
      case 'tableAttributes':
      case 'rowAttributes':
      case 'cellAttributes':
        this.#isHtml = true
        return null
      case 'contentType':
        this.#isTypeGiven = true
        return null
      default:
        return null
    }
  }

  #choose(method: string, bodyFile: string | null): AbCommandLine | null {
    if (this.#isMethodChosen) {
      return refused(EXIT_ERROR, `Cannot mix ${method} with other methods\n\n`)
    }
    this.#isMethodChosen = true
    this.#method = method
    if (bodyFile === null) return null
    try {
      this.#body = this.#readBytes(bodyFile)
      return null
    } catch (error) {
      const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR'
      const text = isFolder
        ? `Could not read POST data file: ${errorText(error)}`
        : `Could not open POST data file (${bodyFile}): ${errorText(error)}`
      return refused(EXIT_ERROR, `ab: ${text}\n`)
    }
  }

  #authorize(name: AuthorizationField['name'], raw: string, whose: string): AbCommandLine | null {
    const base64 = Buffer.from(raw.replace(/^[ \t\n\v\f\r]+/, '')).toString('base64')
    if (base64.length + 1 > LOGIN_BASE64_BYTES_MAX) {
      return refused(EXIT_ERROR, `${whose} credentials too long\n\n`)
    }
    this.#authorizations.push({ name, value: `Basic ${base64}` })
    return null
  }

  job(operands: readonly string[]): AbCommandLine {
    const settings = { ...this.#draft.settings(), html: this.#isHtml }
    const [urlText] = operands
    if (urlText === undefined || operands.length !== 1) {
      return usageRefusal('wrong number of arguments')
    }
    const url = readAbUrl(urlText)
    if (url === null) return usageRefusal('invalid URL')
    const { concurrency, timeout } = settings
    if (concurrency < 0 || concurrency > CONCURRENCY_MAX) {
      return usageRefusal(`Invalid Concurrency [Range 0..${CONCURRENCY_MAX}]`)
    }
    if (concurrency > this.#requestCount) {
      return usageRefusal('Cannot use concurrency level greater than total number of requests')
    }
    if (concurrency === 0) return usageRefusal('a concurrency of 0 makes no requests')
    if (timeout === 0) return usageRefusal('a timeout of 0 leaves no time for a request')
    const badMethod = !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(this.#method)
    if (badMethod) return usageRefusal('invalid method')
    const mistake = requestMistake(settings)
    if (mistake !== null) return usageRefusal(mistake)
    return {
      kind: 'run',
      job: {
        settings,
        requestCount: this.#requestCount,
        method: this.#method,
        body: this.#body,
        isTypeGiven: this.#isTypeGiven,
        url,
        authorizations: [...this.#userInfo(url), ...this.#authorizations],
      },
    }
  }

  /** A login in the URL counts unless there is another. */
  #userInfo({ credentials }: AbUrl): AuthorizationField[] {
    const isOther = this.#authorizations.some(({ name }) => name === 'Authorization')
    if (credentials === null || isOther) return []
    const { user, password } = credentials
    const base64 = Buffer.from(`${user}:${password}`).toString('base64')
    return [{ name: 'Authorization', value: `Basic ${base64}` }]
  }
}
