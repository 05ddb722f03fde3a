/**
 * What a target of ftp:// asks for: which action, which file, as whom.
 *
 * Pure; texts are bytes, one character each (`plan/latin1.ts`).
 */
import { latin1FromText } from '../plan/latin1.ts'
import type { LoginPlan } from '../plan/plan.ts'
import type { Credentials } from '../plan/target-list.ts'
import { unescapeUrl } from '../plan/url-escape.ts'
import type { FtpAction } from './ftp-port.ts'

/** RFC 1635: anonymous users give an address of mail as their password. */
const ANONYMOUS: FtpUser = { user: 'anonymous', password: 'onager@example.com' }
const EVERY_HOST = /^(.*):(?:any|all)$/is
const UPLOAD_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH']

export interface FtpUser {
  readonly user: string
  readonly password: string
}

/** HEAD asks for the size and DELETE deletes; otherwise a body goes up, and no body comes down. */
export function ftpAction(method: string, hasBody: boolean): FtpAction {
  if (method === 'HEAD') return 'size'
  if (method === 'DELETE') return 'delete'
  return hasBody || UPLOAD_METHODS.includes(method) ? 'upload' : 'download'
}

/**
 * The file's name as sent: relative to where the login leads, as siege has it since 4.1.1, so that
 * `ftp://h//etc/x` and `ftp://h/%2Fetc/x` are for /etc/x (RFC 1738 section 3.2.2). Escapes of
 * control characters stay, since a line break would begin another command.
 */
export function ftpPath(requestTarget: string): string {
  const path = requestTarget.replace(/^\//, '').replace(/;type=[aid]$/i, '')
  const kept = path.replace(/%(?=[01][0-9a-f]|7f)/gi, '%25')
  const decoded = unescapeUrl(kept)
  return decoded === '' ? '/' : decoded
}

/** `a/up.txt` as `a/up-3-1.txt`: no other upload of the run has that name. */
export function uniquePath(path: string, userId: number, uploadIndex: number): string {
  const nameStart = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  // A dot in front makes a hidden file, no extension.
  const end = dot > nameStart ? dot : path.length
  return `${path.slice(0, end)}-${userId}-${uploadIndex + 1}${path.slice(end)}`
}

/** The URL's own credentials, else the login for the host, else one for any host, else anonymous. */
export function ftpUser(
  host: string,
  credentials: Credentials | null,
  logins: readonly LoginPlan[],
): FtpUser {
  const { user, password } = credentials ?? loginFor(host, logins) ?? ANONYMOUS
  return { user: latin1FromText(user), password: latin1FromText(password) }
}

/**
 * In `user:password:host` what stands behind the last colon is a host; a password with a colon in
 * it needs one, or `any`. So a password meant for one server goes to no other.
 */
function loginFor(host: string, logins: readonly LoginPlan[]): FtpUser | undefined {
  let forEvery: FtpUser | undefined
  for (const { user, passwordAndRealm: text } of logins) {
    for (const ending of [`:${host}`, `:[${host}]`]) {
      if (!text.toLowerCase().endsWith(ending.toLowerCase())) continue
      return { user, password: text.slice(0, -ending.length) }
    }
    const password = text.includes(':') ? EVERY_HOST.exec(text)?.[1] : text
    if (password !== undefined) forEvery ??= { user, password }
  }
  return forEvery
}
