/**
 * Requests that differ in their target, in some lines of their head and in their body: what they
 * have in common is encoded once, and each is written straight to where it is sent from.
 *
 * It owns no rules of its own: the common bytes are those of one request that `RequestEncoder` has
 * made, and a length of the body that has not been met before makes another one.
 */
import { invariant } from '../base/errors.ts'
import { latin1Bytes, writeLatin1 } from './bytes.ts'
import type { EncodableRequest, RequestEncoder } from './h1-request.ts'

/** Lengths of bodies for which heads are kept. */
const HEAD_COUNT_MAX = 64

/** What one request has of its own. */
export interface FormEntries {
  /** As it is sent. */
  readonly requestTarget: string
  /** Whole lines, in front of those of dynamic fields. */
  readonly lines: string
  readonly body: Uint8Array | null
}

/** A head behind its target: up to the place of fields that change, and from there on. */
interface FormHead {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export class RequestForm {
  readonly isHead: boolean
  readonly isIdempotent: boolean
  readonly #encoder: RequestEncoder
  readonly #common: Pick<EncodableRequest, 'method' | 'authority' | 'contentType'>
  readonly #start: Uint8Array
  readonly #heads = new Map<number, FormHead>()

  /** @throws {BugError} when what is common cannot be sent. */
  constructor(
    encoder: RequestEncoder,
    common: Pick<EncodableRequest, 'method' | 'authority' | 'contentType'>,
  ) {
    this.#encoder = encoder
    this.#common = common
    this.#start = latin1Bytes(`${common.method} `)
    const { isHead, isIdempotent } = encoder.encode({ ...common, requestTarget: '/', body: null })
    this.isHead = isHead
    this.isIdempotent = isIdempotent
  }

  byteCount({ requestTarget, lines, body }: FormEntries, dynamicFields: Uint8Array): number {
    const bodyBytes = body === null ? 0 : body.length
    const { before, after } = this.#headFor(bodyBytes)
    const own = requestTarget.length + lines.length + dynamicFields.length + bodyBytes
    return this.#start.length + before.length + after.length + own
  }

  /**
   * HOT (bench/micro/wire-request.bench.ts). Writes a request to the begin of `into`, which the
   * caller has made large enough, and returns the number of bytes written. The target and the lines
   * must be fit to be sent. @throws {BugError} if they still are not.
   */
  write(entries: FormEntries, dynamicFields: Uint8Array, into: Uint8Array): number {
    const { requestTarget, lines, body } = entries
    const { before, after } = this.#headFor(body === null ? 0 : body.length)
    into.set(this.#start)
    let at = writeTarget(into, this.#start.length, requestTarget)
    into.set(before, at)
    at = writeLatin1(into, at + before.length, lines)
    if (dynamicFields.length > 0) into.set(dynamicFields, at)
    at += dynamicFields.length
    into.set(after, at)
    at += after.length
    if (body === null) return at
    into.set(body, at)
    return at + body.length
  }

  #headFor(bodyBytes: number): FormHead {
    const known = this.#heads.get(bodyBytes)
    if (known !== undefined) return known
    const body = bodyBytes === 0 ? null : new Uint8Array(bodyBytes)
    const target = '/'
    const whole = this.#encoder.encode({ ...this.#common, requestTarget: target, body })
    const headBytes = whole.bytes.length - bodyBytes
    const head = {
      before: whole.bytes.slice(this.#start.length + target.length, whole.dynamicOffset),
      after: whole.bytes.slice(whole.dynamicOffset, headBytes),
    }
    if (this.#heads.size === HEAD_COUNT_MAX) this.#heads.clear()
    this.#heads.set(bodyBytes, head)
    return head
  }
}

/** As `writeLatin1`, of text that neither white space nor control characters may be in. */
function writeTarget(into: Uint8Array, at: number, text: string): number {
  let allBits = 0
  let isFit = text !== ''
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    allBits |= code
    if (code <= 0x20 || code === 0x7f) isFit = false
    into[at + index] = code
  }
  invariant(
    isFit && allBits <= 0xff,
    'a request target has neither white space nor control characters',
  )
  return at + text.length
}
