/** Reads the value of `--watch`: `[LABEL=]URL[#NAME | #/json/pointer]` or `[LABEL=]COMMAND`. */

import type { ReadResult } from '../plan/option-table.ts'
import type { WatchSource } from './watch.ts'
import { readPick } from './watch-reading.ts'

/** Without blanks, so that `dd if=x` is a command, and without `:`, so that URLs are URLs. */
const LABEL = /^([A-Za-z][\w.-]*)=/
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i
const LABEL_LENGTH_MAX = 40

export function watchSource(raw: string): ReadResult<readonly WatchSource[]> {
  const label = LABEL.exec(raw.trimStart())?.[1]
  const written = raw.trimStart().slice(label === undefined ? 0 : label.length + 1)
  const text = written.trim()
  if (text === '') return { mustBe: 'a URL or a command, perhaps with LABEL= in front' }
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    if (text.includes('\0')) return { mustBe: 'a command without NUL characters' }
    const target = { kind: 'command', command: text } as const
    return { value: [{ label: label ?? cut(text), source: text, target }] }
  }
  if (scheme !== 'http' && scheme !== 'https') {
    return { mustBe: 'a URL that begins with http:// or https://, or a command' }
  }
  return urlSource(text, label)
}

function urlSource(text: string, label: string | undefined): ReadResult<readonly WatchSource[]> {
  const hash = text.indexOf('#')
  const page = hash === -1 ? text : text.slice(0, hash)
  const fragment = hash === -1 ? '' : text.slice(hash + 1)
  if (!URL.canParse(page) || /\s/.test(page)) return { mustBe: 'a URL that is whole, or a command' }
  const pick = readPick(fragment)
  if ('mustBe' in pick) return { mustBe: `a URL with, behind its #, ${pick.mustBe}` }
  const url = new URL(page)
  const shown = new URL(page)
  shown.username = ''
  shown.password = ''
  const name = fragment === '' ? shown.host + shown.pathname : fragment
  const source = shown.href + (fragment === '' ? '' : `#${fragment}`)
  const target = { kind: 'url', url: url.href, pick } as const
  return { value: [{ label: label ?? cut(name), source, target }] }
}

function cut(text: string): string {
  return text.length > LABEL_LENGTH_MAX ? `${text.slice(0, LABEL_LENGTH_MAX - 3)}...` : text
}
