/** What the system says about a file or folder that a person named, as a clause for a sentence. */

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it is there already'],
  ['ENOSPC', 'there is no space left on the device'],
  ['ENAMETOOLONG', 'the name is too long'],
])

/** Whatever was thrown gives a clause; a code that is not known is named. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined) return error instanceof Error ? error.message : String(error)
  return REASONS.get(code) ?? `the system says ${code}`
}
