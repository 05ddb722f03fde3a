/**
 * Writes a request as a line of a URL list, so that `plan/url-list.ts` reads the same request.
 *
 * The reader decides what is right: a line is only given out after the reader has read it and found
 * the very same request in it. Text is bytes, one character each (`plan/latin1.ts`).
 */
import { bytesFromLatin1, latin1FromBytes, latin1FromText, textFromLatin1 } from '../plan/latin1.ts'
import { TargetList } from '../plan/target-list.ts'
import { readUrlList } from '../plan/url-list.ts'
import { type RecordedRequest, urlOf } from './recorded-request.ts'

/** Longer bodies make a list that nobody can read; siege itself reads no line above 40,000. */
export const INLINE_BYTES_MAX = 4096

/** What siege and ours send with a body when nothing is said. */
const DEFAULT_TYPE = 'application/x-www-form-urlencoded'

/** Whether a body may stand in the line itself: text that the reader takes as it is. */
export function isInline(bytes: Uint8Array): boolean {
  if (bytes.length > INLINE_BYTES_MAX) return false
  const text = latin1FromBytes(bytes)
  // Blanks at the ends, `<`, `#` and options have meanings of their own in a line.
  if (/[\0-\x08\x0a-\x1f\x7f]|^[ \t<#-]|[ \t]$/.test(text)) return false
  return latin1FromText(textFromLatin1(text)) === text
}

/**
 * The line without its end, or null if a list cannot say this request. `bodyFile` is the name that
 * the line refers to instead of holding the body.
 */
export function urlLine(request: RecordedRequest, bodyFile: string | null): string | null {
  for (const { type, option } of typesToTry(request, bodyFile !== null)) {
    const line = lineWith(request, bodyFile, option)
    if (isReadAs(line, request, bodyFile, type)) return line
  }
  return null
}

/** The type and how a line may write it: as it is, in quotes, without its parameters, not at all. */
function typesToTry({ contentType, body }: RecordedRequest, isFile: boolean): WrittenType[] {
  const none = { type: null, option: '' }
  if (contentType === null || body === null) return [none]
  const type = contentType.trim()
  if (type.toLowerCase() === DEFAULT_TYPE && !isFile) return [none]
  const bare = type.replace(/;.*$/s, '').trim()
  return [
    { type, option: `-T ${type};` },
    { type, option: `-T '${type}';` },
    { type: bare, option: `-T ${bare};` },
    none,
  ]
}

interface WrittenType {
  readonly type: string | null
  readonly option: string
}

function lineWith(request: RecordedRequest, bodyFile: string | null, typeOption: string): string {
  const words = [escapedUrl(request)]
  if (request.method !== 'GET' || request.body !== null) words.push(request.method)
  if (typeOption !== '') words.push(typeOption)
  if (bodyFile !== null) words.push(`< ${latin1FromText(bodyFile)}`)
  else if (request.body?.kind === 'bytes') words.push(latin1FromBytes(request.body.bytes))
  return words.join(' ').replaceAll('$', '\\$')
}

/** A request has no fragment: a `#` that a client sent all the same is a byte like others. */
function escapedUrl(request: RecordedRequest): string {
  return urlOf(request).replaceAll('#', '%23')
}

/** Reads the line as siege will, and compares what comes of it. */
function isReadAs(
  line: string,
  request: RecordedRequest,
  bodyFile: string | null,
  type: string | null,
): boolean {
  if (/[\r\n]/.test(line)) return false
  const targets = targetsOf(line, bodyFile)
  if (targets?.count !== 1) return false
  if (targets.methodOf(0) !== request.method || targets.urlOf(0) !== escapedUrl(request)) {
    return false
  }
  if (type !== null && targets.contentTypeOf(0) !== type) return false
  const body = targets.bodyOf(0)
  if (request.body === null || body === null) return body === request.body
  if (bodyFile !== null) return isSame(body, FILE_MARK)
  return request.body.kind === 'bytes' && isSame(body, request.body.bytes)
}

/** Stands for the bytes of the body file, which need not be read to see that the line names it. */
const FILE_MARK: Uint8Array = new Uint8Array([0])

function targetsOf(line: string, bodyFile: string | null): TargetList | null {
  const read = readUrlList(
    { name: '', bytes: bytesFromLatin1(line) },
    {
      isEscaping: false,
      environment: () => undefined,
      readFile: (path) => (path === bodyFile ? FILE_MARK : 'not the file that was meant'),
    },
  )
  return 'targets' in read ? new TargetList(read.targets) : null
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
