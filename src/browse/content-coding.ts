/**
 * Reads what the head of a response says about its body: media type, charset, content codings.
 *
 * It names the codings and leaves undoing them to whoever has the means; a coding that is not known
 * here makes a body unreadable, never an error.
 */

/** The codings that can be undone, by the name that the means to do so go by. */
export type ContentCoding = 'gzip' | 'deflate' | 'br'

const codingNames: ReadonlyMap<string, ContentCoding | 'identity'> = new Map([
  ['gzip', 'gzip'],
  // An alias (RFC 9110 section 8.4.1.3).
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['identity', 'identity'],
])

/** A list longer than this is nobody's need and multiplies what a bomb costs. */
const CODING_COUNT_MAX = 4

/**
 * The codings to undo for a Content-Encoding value, in the order of undoing, which is the reverse
 * of the field's. Null: the body cannot be read.
 */
export function codingsToUndo(contentEncoding: string): readonly ContentCoding[] | null {
  const codings: ContentCoding[] = []
  for (const part of contentEncoding.split(',')) {
    const name = part.trim().toLowerCase()
    if (name === '') continue
    const coding = codingNames.get(name)
    if (coding === undefined) return null
    if (coding !== 'identity') codings.unshift(coding)
  }
  return codings.length > CODING_COUNT_MAX ? null : codings
}

/** Whether a Content-Type value is `text/html`, in any case and with any parameters. */
export function isHtml(contentType: string): boolean {
  return mediaTypeOf(contentType) === 'text/html'
}

export function isCss(contentType: string): boolean {
  return mediaTypeOf(contentType) === 'text/css'
}

function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

/** The charset parameter in small letters, without quotes; empty when there is none. */
export function charsetOf(contentType: string): string {
  const match = /;[\t ]*charset[\t ]*=[\t ]*(?:"([^"]*)"|'([^']*)'|([^\t ;"']+))/i.exec(contentType)
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim().toLowerCase()
}
