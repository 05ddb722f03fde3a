/**
 * cookies.txt in `~/.siege`: the cookies of each user that outlive a run.
 *
 * One line for each: `siege-N | name=value; domain=D; path=P; expires=SECONDS; secure; ...`, where
 * N is the user, counted from 1. siege's own files are read too: their groups are named by thread
 * and go, in order, to the users that no `siege-N` names. Groups of users that did not run are
 * written back. Nothing is read or written unless `~/.siege` is there, and a file that could not
 * be read is not written over. Text is latin1 text: values are bytes.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../base/errors.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import { canonicalDomain } from '../browse/cookie-match.ts'

/** By 0-based index of the user. */
export type CookiesByUser = ReadonlyMap<number, readonly PersistentCookie[]>

export interface CookiesText {
  readonly users: CookiesByUser
  /** One for each line that was passed over, with its place. */
  readonly warnings: readonly Problem[]
}

export type CookiesFile =
  | ({ readonly kind: 'read' } & CookiesText)
  /** `problem` says what is wrong with it and that nothing will be written. */
  | { readonly kind: 'unreadable'; readonly problem: string }

const HEADING = `# Cookies of siege's users that outlive a run; rewritten when one ends.
# USER | NAME=VALUE; domain=DOMAIN; path=PATH; expires=SECONDS SINCE 1970
# and, as they apply: secure; httponly; hostonly (not for hosts below the domain).
# Users are siege-1, siege-2 ...; delete a line, or this file, to forget.
#
`
const MODE = 0o600
const FILE_BYTES_MAX = 67_108_864
/** More users than any run has, so that a number in the file is a number of a user. */
const USER_COUNT_MAX = 10_000_000
const LINE_BYTES_MAX = 16_384
const SECONDS_MAX = 8.64e12

/** Reads the text of a cookies.txt; `file` is its name for warnings. Never throws. */
export function parseCookies(text: string, file: string): CookiesText {
  const groups = new Map<string, PersistentCookie[]>()
  const warnings: Problem[] = []
  const lines = text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (/^[ \t]*(?:#|$)/.test(line)) continue
    const read = readLine(line)
    if (typeof read === 'string') {
      warnings.push({ text: `${read}; the line is passed over`, file, line: index + 1 })
      continue
    }
    const group = groups.get(read.group)
    if (group === undefined) groups.set(read.group, [read.cookie])
    else group.push(read.cookie)
  }
  return { users: usersOf(groups), warnings }
}

/** The whole file, users in order. */
export function cookiesText(users: CookiesByUser): string {
  const parts = [HEADING]
  for (const index of [...users.keys()].sort((a, b) => a - b)) {
    for (const cookie of users.get(index) ?? []) {
      if (!isWritable(cookie)) continue
      const { name, value, domain, path, expiresAtMs } = cookie
      const expiresAtS = Math.min(Math.ceil(expiresAtMs / 1000), SECONDS_MAX)
      parts.push(`siege-${index + 1} | ${name}=${value}; domain=${domain}; path=${path}; `)
      parts.push(`expires=${expiresAtS}`)
      if (cookie.isSecureOnly) parts.push('; secure')
      if (cookie.isHttpOnly) parts.push('; httponly')
      if (cookie.isHostOnly) parts.push('; hostonly')
      parts.push('\n')
    }
  }
  return parts.join('')
}

/** What to write after a run: what its users hold, and what was stored for users it had not. */
export function mergeCookies(
  stored: CookiesByUser,
  held: CookiesByUser,
  nowMs: number,
): CookiesByUser {
  const users = new Map(held)
  for (const [index, cookies] of stored) {
    if (held.has(index)) continue
    users.set(
      index,
      cookies.filter(({ expiresAtMs }) => expiresAtMs > nowMs),
    )
  }
  return users
}

/** Where cookies.txt is or would be, or null when there is no `.siege` in the home directory. */
export function cookiesPath(homeDirectory: string | undefined): string | null {
  if (homeDirectory === undefined || homeDirectory === '') return null
  const folder = join(homeDirectory, '.siege')
  return isFolder(folder) ? join(folder, 'cookies.txt') : null
}

function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory()
  } catch {
    // Not there, in a home that is no folder, or out of reach: there are no cookies to keep.
    return false
  }
}

/** A file that is not there has no users. */
export function readCookiesFile(path: string): CookiesFile {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { kind: 'read', users: new Map(), warnings: [] }
    if (!stat.isFile()) return unreadable(path, 'it is not a file')
    if (stat.size > FILE_BYTES_MAX) return unreadable(path, 'it is larger than 64 MiB')
    return { kind: 'read', ...parseCookies(fs.readFileSync(path, 'latin1'), path) }
  } catch (error) {
    return unreadable(path, reasonOf(error))
  }
}

/**
 * Replaces the file in one step: a reader sees the old one or the new one, whole. Only its owner
 * may read it. A file without cookies is not created. Returns what went wrong, or null.
 */
export function writeCookiesFile(path: string, users: CookiesByUser): string | null {
  let newPath: string | undefined
  try {
    const target = fs.existsSync(path) ? fs.realpathSync(path) : path
    const isEmpty = [...users.values()].every((cookies) => cookies.length === 0)
    if (isEmpty && target === path && !fs.existsSync(path)) return null
    newPath = `${target}.${process.pid}.new`
    // What a killed process of the same id left behind.
    fs.rmSync(newPath, { force: true })
    fs.writeFileSync(newPath, cookiesText(users), { encoding: 'latin1', mode: MODE, flag: 'wx' })
    fs.renameSync(newPath, target)
    return null
  } catch (error) {
    if (newPath !== undefined) fs.rmSync(newPath, { force: true })
    return `unable to write the cookies to ${path}: ${reasonOf(error)}`
  }
}

function unreadable(path: string, reason: string): CookiesFile {
  const problem = `unable to read the cookies in ${path}: ${reason}; none are used and none written`
  return { kind: 'unreadable', problem }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'EROFS') return 'read-only file system'
  if (code === 'ENOSPC') return 'no space left on the device'
  return error.message
}

/** Groups by the user they go to. */
function usersOf(groups: ReadonlyMap<string, readonly PersistentCookie[]>): CookiesByUser {
  const users = new Map<number, readonly PersistentCookie[]>()
  const unnamed: (readonly PersistentCookie[])[] = []
  for (const [name, cookies] of groups) {
    const number = Number(/^siege-([1-9]\d{0,8})$/.exec(name)?.[1] ?? 0)
    if (number >= 1 && number <= USER_COUNT_MAX) users.set(number - 1, cookies)
    else unnamed.push(cookies)
  }
  let index = 0
  for (const cookies of unnamed) {
    while (users.has(index)) index++
    users.set(index, cookies)
  }
  return users
}

/** What is wrong with the line, or its group and cookie. */
function readLine(line: string): { group: string; cookie: PersistentCookie } | string {
  if (line.length > LINE_BYTES_MAX) return `the line is longer than ${LINE_BYTES_MAX} bytes`
  const bar = line.indexOf('|')
  if (bar < 0) return "a line is USER | NAME=VALUE; domain=...; this one has no '|'"
  const group = line.slice(0, bar).trim()
  if (!/^[\x21-\x7e]{1,64}$/.test(group)) return "there is no user before the '|'"
  const [pair = '', ...attributes] = line.slice(bar + 1).split(';')
  const equals = pair.indexOf('=')
  const name = trimmed(pair.slice(0, Math.max(equals, 0)))
  if (name === '') return 'the cookie has no name and value (NAME=VALUE)'
  const value = trimmed(pair.slice(equals + 1))
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line)) return 'a cookie cannot have control characters in it'

  const given = new Map<string, string>()
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=')
    given.set(trimmed(key).toLowerCase(), trimmed(rest.join('=')))
  }
  const domain = canonicalDomain((given.get('domain') ?? '').replace(/^\./, ''))
  if (domain === null || /[/?#@]/.test(domain)) return 'the cookie has no usable domain'
  // siege stores all behind the first dot of a host: of an address that is no address.
  if (/^\d+(?:\.\d+){0,2}$/.test(domain)) return `"${domain}" is only a part of an address`
  const expires = given.get('expires')
  if (expires !== undefined && !/^\d+$/.test(expires)) {
    return 'expires is not a number of seconds since 1970'
  }
  const path = given.get('path') ?? '/'
  const expiresAtS = expires === undefined ? SECONDS_MAX : Math.min(Number(expires), SECONDS_MAX)
  const cookie = {
    name,
    value,
    domain,
    path: path.startsWith('/') ? path : '/',
    expiresAtMs: expiresAtS * 1000,
    isHostOnly: given.has('hostonly'),
    isSecureOnly: given.has('secure'),
    isHttpOnly: given.has('httponly'),
  }
  return { group, cookie }
}

/** Whether the line would be read again as this cookie. */
function isWritable({ name, value, domain, path }: PersistentCookie): boolean {
  return !/[;\r\n\0]/.test(name + value + domain + path)
}

/** Blanks and tabs only: other bytes may be parts of letters. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')
}
