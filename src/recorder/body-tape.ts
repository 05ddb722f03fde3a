/**
 * Keeps the body of a request while it passes by: in memory as long as it is short, then in a file.
 *
 * Memory is bounded however much is uploaded. Writing is synchronous: it is to a local file, and
 * a body must not overtake itself.
 */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import type { RecordedBody } from './recorded-request.ts'

export const TAPE_BYTES_MAX = 1_048_576

export class BodyTape {
  #chunks: Uint8Array[] = []
  #byteCount = 0
  #file: { readonly fd: number; readonly path: string } | null = null
  #isLost = false
  readonly #newFile: (() => string) | null

  /** `newFile` makes an empty file and names it; null: what is too long for memory is not kept. */
  constructor(newFile: (() => string) | null) {
    this.#newFile = newFile
  }

  /** May throw what the file system says. */
  append(chunk: Uint8Array): void {
    this.#byteCount += chunk.length
    if (this.#isLost) return
    if (this.#file !== null) {
      writeAll(this.#file.fd, chunk)
      return
    }
    this.#chunks.push(chunk)
    if (this.#byteCount > TAPE_BYTES_MAX) this.#spill()
  }

  /** All bytes so far, or null when there were too many to keep at hand. */
  bytes(): Uint8Array | null {
    return this.#file !== null || this.#isLost ? null : Buffer.concat(this.#chunks)
  }

  /** The whole body, which is the caller's from now on; null for an empty one. */
  finish(): RecordedBody | null {
    if (this.#file !== null) {
      const { fd, path } = this.#file
      closeSync(fd)
      this.#file = null
      return { kind: 'file', path }
    }
    return this.#byteCount === 0 ? null : { kind: 'bytes', bytes: Buffer.concat(this.#chunks) }
  }

  /** Forgets the body and its file. */
  discard(): void {
    this.#chunks = []
    this.#isLost = true
    if (this.#file === null) return
    closeSync(this.#file.fd)
    unlinkSync(this.#file.path)
    this.#file = null
  }

  #spill(): void {
    if (this.#newFile === null) {
      this.discard()
      return
    }
    const path = this.#newFile()
    this.#file = { fd: openSync(path, 'w'), path }
    for (const chunk of this.#chunks) writeAll(this.#file.fd, chunk)
    this.#chunks = []
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}
