/** What ab prints of the system's errors, and the exit status it makes of them. */
import os from 'node:os'

const texts: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  ENAMETOOLONG: 'File name too long',
  ELOOP: 'Too many levels of symbolic links',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  ETIMEDOUT: 'Connection timed out',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EADDRNOTAVAIL: 'Cannot assign requested address',
  EMFILE: 'Too many open files',
  ENFILE: 'Too many open files in system',
  EINVAL: 'Invalid argument',
}

/** As C's `strerror` has it. */
export function systemText(code: string): string {
  return texts[code] ?? code
}

/** The text of whatever a call to the file system threw. */
export function errorText(error: unknown): string {
  if (error instanceof Error && 'code' in error) return systemText(String(error.code))
  return String(error)
}

export function errnoOf(code: string): number {
  const numbers: Readonly<Record<string, number>> = os.constants.errno
  return numbers[code] ?? 1
}
