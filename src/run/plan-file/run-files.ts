/**
 * The files that a plan names, read for it: bounded, and as text only if they are UTF-8.
 *
 * A file that is not there is ordinary here, hence a clause instead of an error.
 */
import fs from 'node:fs'
import { systemReason } from '../../base/system-reason.ts'
import { BYTES_PER_MIB } from '../../base/units.ts'

export type ReadBytes = (path: string, bytesMax: number) => Uint8Array | string

/** The bytes, or why there are none, as a clause. */
export const readBytes: ReadBytes = (path, bytesMax) => {
  try {
    const file = fs.openSync(path, 'r')
    try {
      const facts = fs.fstatSync(file)
      if (facts.isDirectory()) return 'it is a folder'
      if (facts.size > bytesMax) return tooLargeText(facts.size, bytesMax)
      // A pipe says nothing of its size.
      const bytes = fs.readFileSync(file)
      return bytes.length > bytesMax ? tooLargeText(bytes.length, bytesMax) : bytes
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    return systemReason(error)
  }
}

/** The text, or why there is none. */
export function textFromUtf8Bytes(
  bytes: Uint8Array,
): { readonly text: string } | { readonly reason: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { reason: 'it is not text in UTF-8' }
  }
}

function tooLargeText(bytes: number, bytesMax: number): string {
  const mib = (count: number) => `${Math.ceil(count / BYTES_PER_MIB)} MiB`
  return `it has ${mib(bytes)}, and at most ${mib(bytesMax)} are read`
}
