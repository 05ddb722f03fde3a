/**
 * Reading text files for the command line, as a function that tests can replace.
 *
 * A file that is not there is ordinary here and therefore a value, not an error.
 */
import { readFileSync } from 'node:fs'
import { systemReason } from '../base/system-reason.ts'

export type FileText =
  | { readonly text: string }
  /** `reason` is a clause: "there is no such file". */
  | { readonly isMissing: boolean; readonly reason: string }

export type ReadText = (path: string) => FileText

export const readTextFile: ReadText = (path) => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = codeOf(error)
    return { isMissing: code === 'ENOENT' || code === 'ENOTDIR', reason: systemReason(error) }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
