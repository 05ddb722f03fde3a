/**
 * Turns a request as described by a plan into the bytes that are sent, once, before the run.
 *
 * It decides which fields a request has (RFC 9110 section 8.6 for Content-Length) and in which
 * order, and leaves one place for fields that change from request to request. It does not decide
 * what replaces what: the list of fields it gets is final. All text is latin1 text, one character
 * per byte (see `bytes.ts`).
 */
import { invariant } from '../base/errors.ts'
import { latin1Bytes, writeLatin1 } from './bytes.ts'

/** One place in a request's head; the plan's `HeadField` is one. */
export type RequestField =
  | {
      readonly kind: 'fixed'
      readonly name: string
      readonly value: string
      /** The line as it is to be sent, without its end; absent: `name: value`. */
      readonly line?: string
    }
  | { readonly kind: 'host'; readonly name: string }
  /** Where fields that change go; without one they go last. At most one. */
  | { readonly kind: 'dynamic' }
  | { readonly kind: 'content-type'; readonly name: string; readonly fallback: string }
  | { readonly kind: 'content-length'; readonly name: string }

/** What differs between the requests of one list. */
export interface EncodableRequest {
  readonly method: string
  /** As it is sent: path and query, `*`, `host:port` or a whole URL. */
  readonly requestTarget: string
  /** For the Host field. */
  readonly authority: string
  readonly body: Uint8Array | null
  /** Null: the field's own fallback. */
  readonly contentType: string | null
}

export interface RequestSpec extends EncodableRequest {
  readonly httpVersion: '1.0' | '1.1'
  readonly head: readonly RequestField[]
}

/** A request made of bytes. Never changed after it is made, so it may be sent from as it is. */
export interface RequestTemplate {
  readonly bytes: Uint8Array
  /** Where in `bytes` dynamic fields go: the begin of a line. */
  readonly dynamicOffset: number
  /** `bytes` before and after that place. */
  readonly beforeDynamic: Uint8Array
  readonly afterDynamic: Uint8Array
  readonly bodyBytes: number
  readonly isHead: boolean
  /** May be sent again when its connection died without an answer (RFC 9110 section 9.2.2). */
  readonly isIdempotent: boolean
}

export interface DynamicField {
  readonly name: string
  readonly value: string
}

const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
/** Methods that mean to send a body, so that its absence is said as `Content-Length: 0`. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH'])

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What would end a line early or be refused: CR, LF, NUL (RFC 9110 section 5.5). */
const LINE_BREAKER = /[\r\n\0]/
const WHITE_SPACE_OR_CONTROL = /[\x00-\x20\x7f]/

/** A stretch of a head: bytes that are always the same, or a field that depends on the request. */
type HeadPart = Uint8Array | Exclude<RequestField, { readonly kind: 'fixed' }>

/** Makes requests that share one list of fields; what they have in common is encoded once. */
export class RequestEncoder {
  readonly #versionText: string
  readonly #parts: readonly HeadPart[]

  /** @throws {BugError} when a name or value cannot be sent. */
  constructor(httpVersion: '1.0' | '1.1', head: readonly RequestField[]) {
    this.#versionText = ` HTTP/${httpVersion}\r\n`
    this.#parts = partsOf(head)
  }

  /**
   * The bytes of one request. Target, authority and type must be fit to be sent; whoever made the
   * plan has told the person if they were not. @throws {BugError} if they still are not.
   */
  encode(request: EncodableRequest): RequestTemplate {
    const { method, requestTarget, authority, body, contentType } = request
    invariant(TOKEN.test(method), 'a method is a token')
    invariant(
      requestTarget !== '' && !WHITE_SPACE_OR_CONTROL.test(requestTarget),
      'a request target has neither white space nor control characters',
    )
    const bodyBytes = body?.length ?? 0
    const saysBody = bodyBytes > 0 || BODY_METHODS.has(method)
    const hostText = checkedValue(authority)
    const typeText = contentType === null ? null : checkedValue(contentType)
    const lengthText = String(bodyBytes)

    let headBytes = method.length + 1 + requestTarget.length + this.#versionText.length + 2
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) headBytes += part.length
      else if (part.kind === 'host') headBytes += lineBytes(part.name, hostText)
      else if (part.kind === 'dynamic' || !saysBody) continue
      else if (part.kind === 'content-length') headBytes += lineBytes(part.name, lengthText)
      else headBytes += lineBytes(part.name, typeText ?? part.fallback)
    }

    const bytes = new Uint8Array(headBytes + bodyBytes)
    let at = writeLatin1(bytes, 0, method)
    at = writeLatin1(bytes, at, ' ')
    at = writeLatin1(bytes, at, requestTarget)
    at = writeLatin1(bytes, at, this.#versionText)
    let dynamicOffset = headBytes - 2
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) {
        bytes.set(part, at)
        at += part.length
      } else if (part.kind === 'host') at = writeLine(bytes, at, part.name, hostText)
      else if (part.kind === 'dynamic') dynamicOffset = at
      else if (!saysBody) continue
      else if (part.kind === 'content-length') at = writeLine(bytes, at, part.name, lengthText)
      else at = writeLine(bytes, at, part.name, typeText ?? part.fallback)
    }
    at = writeLatin1(bytes, at, '\r\n')
    if (body !== null) bytes.set(body, at)
    return {
      bytes,
      dynamicOffset,
      beforeDynamic: bytes.subarray(0, dynamicOffset),
      afterDynamic: bytes.subarray(dynamicOffset),
      bodyBytes,
      isHead: method === 'HEAD',
      isIdempotent: IDEMPOTENT_METHODS.has(method),
    }
  }
}

/** The bytes of `spec`, for a single request. @throws {BugError} when it cannot be sent. */
export function encodeRequest(spec: RequestSpec): RequestTemplate {
  return new RequestEncoder(spec.httpVersion, spec.head).encode(spec)
}

/**
 * The lines of dynamic fields, to be kept until one of them changes. @throws {BugError} on a name
 * or value that cannot be sent.
 */
export function encodeDynamicFields(fields: readonly DynamicField[]): Uint8Array {
  return latin1Bytes(fields.map(({ name, value }) => lineOf(name, value)).join(''))
}

/**
 * HOT (bench/micro/wire-request.bench.ts). Writes `template` with the lines of `dynamicFields` in
 * their place to the begin of `into`, which the caller has made large enough, and returns the
 * number of bytes written.
 */
export function spliceDynamic(
  template: RequestTemplate,
  dynamicFields: Uint8Array,
  into: Uint8Array,
): number {
  const afterAt = template.dynamicOffset + dynamicFields.length
  into.set(template.beforeDynamic, 0)
  into.set(dynamicFields, template.dynamicOffset)
  into.set(template.afterDynamic, afterAt)
  return afterAt + template.afterDynamic.length
}

/** `head` with neighbouring fixed fields put together as bytes. */
function partsOf(head: readonly RequestField[]): HeadPart[] {
  const parts: HeadPart[] = []
  let fixedText = ''
  let dynamicCount = 0
  for (const field of head) {
    if (field.kind === 'fixed') {
      const { name, value, line } = field
      fixedText += line === undefined ? lineOf(name, value) : `${checkedValue(line)}\r\n`
      continue
    }
    if (fixedText !== '') parts.push(latin1Bytes(fixedText))
    fixedText = ''
    if (field.kind === 'dynamic') dynamicCount++
    else invariant(TOKEN.test(field.name), 'a field name is a token')
    if (field.kind === 'content-type') checkedValue(field.fallback)
    parts.push(field)
  }
  if (fixedText !== '') parts.push(latin1Bytes(fixedText))
  invariant(dynamicCount <= 1, 'a head has at most one place for dynamic fields')
  return parts
}

function lineOf(name: string, value: string): string {
  invariant(TOKEN.test(name), 'a field name is a token')
  checkedValue(value)
  return value === '' ? `${name}:\r\n` : `${name}: ${value}\r\n`
}

function checkedValue(value: string): string {
  invariant(!LINE_BREAKER.test(value), 'a field value has no CR, LF or NUL')
  return value
}

function lineBytes(name: string, value: string): number {
  return name.length + value.length + (value === '' ? 3 : 4)
}

function writeLine(bytes: Uint8Array, start: number, name: string, value: string): number {
  let at = writeLatin1(bytes, start, name)
  at = writeLatin1(bytes, at, value === '' ? ':' : ': ')
  at = writeLatin1(bytes, at, value)
  return writeLatin1(bytes, at, '\r\n')
}
