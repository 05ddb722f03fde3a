/**
 * Turns a request as described by a plan into the bytes that are sent, once, before the run.
 *
 * It decides which fields a request has (RFC 9110 section 8.6 for Content-Length) and in which
 * order, and leaves one place for fields that change from request to request. It does not decide
 * what replaces what: the list of fields it gets is final. All text is latin1 text, one character
 * per byte (see `bytes.ts`).
 */
import { invariant } from '../base/errors.ts'
import { writeLatin1 } from './bytes.ts'

/** One place in a request's head; the plan's `HeadField` is one. */
export type RequestField =
  | { readonly kind: 'fixed'; readonly name: string; readonly value: string }
  | { readonly kind: 'host'; readonly name: string }
  /** Where fields that change go; without one they go last. At most one. */
  | { readonly kind: 'dynamic' }
  | { readonly kind: 'content-type'; readonly name: string; readonly fallback: string }
  | { readonly kind: 'content-length'; readonly name: string }

export interface RequestSpec {
  readonly method: string
  /** As it is sent: path and query, `*`, `host:port` or a whole URL. */
  readonly requestTarget: string
  /** For the Host field. */
  readonly authority: string
  readonly httpVersion: '1.0' | '1.1'
  readonly head: readonly RequestField[]
  readonly body: Uint8Array | null
  /** Null: the field's own fallback. */
  readonly contentType: string | null
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

/**
 * The bytes of `spec`. The request line, field names and values must be fit to be sent; whoever
 * made the plan has told the person if they were not. @throws {BugError} if they still are not.
 */
export function encodeRequest(spec: RequestSpec): RequestTemplate {
  const { method, requestTarget, body } = spec
  invariant(TOKEN.test(method), 'a method is a token')
  invariant(
    requestTarget !== '' && !WHITE_SPACE_OR_CONTROL.test(requestTarget),
    'a request target has neither white space nor control characters',
  )
  const bodyBytes = body?.length ?? 0
  const saysBody = bodyBytes > 0 || BODY_METHODS.has(method)

  let before = `${method} ${requestTarget} HTTP/${spec.httpVersion}\r\n`
  let after = ''
  let hasDynamic = false
  for (const field of spec.head) {
    if (field.kind === 'dynamic') {
      invariant(!hasDynamic, 'a head has one place for dynamic fields')
      hasDynamic = true
      continue
    }
    const line = fieldLine(field, spec, saysBody, bodyBytes)
    if (hasDynamic) after += line
    else before += line
  }
  after += '\r\n'

  const dynamicOffset = before.length
  const headBytes = dynamicOffset + after.length
  const bytes = new Uint8Array(headBytes + bodyBytes)
  writeLatin1(bytes, writeLatin1(bytes, 0, before), after)
  if (body !== null) bytes.set(body, headBytes)
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

/**
 * The lines of dynamic fields, to be kept until one of them changes. @throws {BugError} on a name
 * or value that cannot be sent.
 */
export function encodeDynamicFields(fields: readonly DynamicField[]): Uint8Array {
  let text = ''
  for (const { name, value } of fields) text += lineOf(name, value)
  const bytes = new Uint8Array(text.length)
  writeLatin1(bytes, 0, text)
  return bytes
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

function fieldLine(
  field: Exclude<RequestField, { readonly kind: 'dynamic' }>,
  spec: RequestSpec,
  saysBody: boolean,
  bodyBytes: number,
): string {
  switch (field.kind) {
    case 'fixed':
      return lineOf(field.name, field.value)
    case 'host':
      return lineOf(field.name, spec.authority)
    case 'content-type':
      return saysBody ? lineOf(field.name, spec.contentType ?? field.fallback) : ''
    case 'content-length':
      return saysBody ? lineOf(field.name, String(bodyBytes)) : ''
  }
}

function lineOf(name: string, value: string): string {
  invariant(TOKEN.test(name), 'a field name is a token')
  invariant(!LINE_BREAKER.test(value), 'a field value has no CR, LF or NUL')
  return value === '' ? `${name}:\r\n` : `${name}: ${value}\r\n`
}
