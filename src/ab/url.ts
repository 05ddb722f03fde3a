/**
 * ab's URL: `[http[s]://]host[:port]/path`.
 *
 * The path goes out as written, save for what would break the request line. Beyond ab it takes a
 * missing path, upper-case schemes and logins.
 */
import { latin1FromText } from '../plan/latin1.ts'
import type { Credentials, Origin } from '../plan/target-list.ts'
import { TargetUrlReader } from '../plan/target-url.ts'

export interface AbUrl {
  readonly origin: Origin
  readonly credentials: Credentials | null
  /** Path and query as they are sent. */
  readonly requestTarget: string
}

/** Null when it is none. */
export function readAbUrl(text: string): AbUrl | null {
  const schemeEnd = text.indexOf('://')
  const slash = text.indexOf('/', schemeEnd === -1 ? 0 : schemeEnd + 3)
  const pathStart = slash === -1 ? text.length : slash
  const path = latin1FromText(text.slice(pathStart)).replace(
    /[\0- \x7f]/g,
    (bad) => `%${bad.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  const read = new TargetUrlReader(false).read(latin1FromText(text.slice(0, pathStart)) + path)
  if ('problem' in read) return null
  const { origin, credentials } = read.prefix
  // ab takes a name of digits alone for a port that lost its host.
  if (origin.scheme === 'ftp' || /^\d+$/.test(origin.host)) return null
  return { origin, credentials, requestTarget: read.requestTarget }
}
