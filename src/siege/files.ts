/**
 * Reading text files for the command line, as a function that tests can replace.
 *
 * A file that is not there is ordinary here and therefore a value, not an error.
 */
import { readFileSync } from 'node:fs'

export type FileText =
  | { readonly text: string }
  /** `reason` is a clause: "there is no such file". */
  | { readonly isMissing: boolean; readonly reason: string }

export type ReadText = (path: string) => FileText

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'reading it is not permitted'],
  ['EPERM', 'reading it is not permitted'],
  ['EISDIR', 'it is a folder'],
])

export const readTextFile: ReadText = (path) => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = codeOf(error)
    return { isMissing: code === 'ENOENT' || code === 'ENOTDIR', reason: systemReason(error) }
  }
}

/** What the system says about a path a person gave, as a clause for that person to read. */
export function systemReason(error: unknown): string {
  const code = codeOf(error)
  return REASONS.get(code) ?? `the system says ${code}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
