/**
 * Writes lines to a file, pipe or terminal, in order, without ever blocking the thread or the
 * process's end. Whoever ends it while `isWriting` calls `process.exit`: Node waits otherwise.
 *
 * What waits is bounded. Whoever fills it is asked to pause (`isFull`, `onDrain`) or, where a slow
 * reader must not slow the run, whole chunks are dropped and their lines counted. When the output
 * breaks (reader gone, disk full) the rest is discarded, counted, and the run goes on.
 *
 * Trick: a pipe is written through its stream, never by `fs.write`. A blocked `fs.write` holds a
 * thread of the pool and `process.exit()` waits for it, for ever if the reader does not read;
 * a stream's pipe is non-blocking and its queue is simply left behind. A terminal is opened once
 * more for the same reason.
 */
import fs from 'node:fs'
import type { Writable } from 'node:stream'
import { systemReason } from '../base/system-reason.ts'

/** Takes bytes one write at a time. */
export interface ByteSink {
  /** Calls `done` once, later, when all of `bytes` are written or an error ended it. */
  write(bytes: Uint8Array, done: (error: Error | null) => void): void
}

export interface OutputOptions {
  /** `wait`: nothing is lost, the writer says when it is full. `drop`: chunks are lost instead. */
  readonly whenFull: 'wait' | 'drop'
  /** Called when a full writer has room again, or will never need any. */
  readonly onDrain: () => void
  /** Called once, with a sentence for the person, when the output broke; a reader may leave. */
  readonly onFailure: (text: string) => void
  readonly waitingBytesMax: number
}

/** Several times the size of a pipe; at full speed some 10 ms of lines. */
const WAITING_BYTES_MAX = 1_048_576
/** A person reads the last screen: more than this only makes the end late. */
const TERMINAL_WAITING_BYTES_MAX = 65_536
const TERMINAL_WRITE_BYTES_MAX = 4096
const WRITE_BYTES_MAX = 65_536
const RETRY_MS = 2

interface Chunk {
  readonly bytes: Uint8Array
  readonly lineCount: number
}

export class OutputWriter {
  readonly #sink: ByteSink
  readonly #options: OutputOptions
  readonly #waitingBytesMax: number
  #queue: Chunk[] = []
  #waitingBytes = 0
  #isWriting = false
  #isBroken = false
  #wasFull = false
  #whenIdle: (() => void)[] = []
  /** Lines that the system took. */
  writtenLineCount = 0
  /** Lines given up: dropped on a slow terminal, or after the output broke. */
  droppedLineCount = 0
  /** The reader has left, or the output broke otherwise, of which `onFailure` has told. */
  hasEnded = false

  constructor(sink: ByteSink, options: OutputOptions) {
    this.#sink = sink
    this.#options = options
    this.#waitingBytesMax = options.waitingBytesMax
  }

  /** Whether the run should pause until `onDrain`. Never so where chunks are dropped instead. */
  get isFull(): boolean {
    return this.#wasFull
  }

  /** Whether the system has still to take something; abandoned lines that it has begun with count. */
  get isWriting(): boolean {
    return this.#isWriting
  }

  /** Queues whole lines; the bytes are the writer's from now on. */
  write(bytes: Uint8Array, lineCount: number): void {
    const hasRoom = this.#waitingBytes < this.#waitingBytesMax
    if (this.#isBroken || (this.#options.whenFull === 'drop' && !hasRoom)) {
      this.droppedLineCount += lineCount
      return
    }
    this.#queue.push({ bytes, lineCount })
    this.#waitingBytes += bytes.length
    if (this.#options.whenFull === 'wait' && this.#waitingBytes >= this.#waitingBytesMax) {
      this.#wasFull = true
    }
    this.#next()
  }

  /** Settles once nothing waits any more. With a reader that does not read, that is never. */
  drained(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve()
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve)
    })
  }

  /** Gives up what waits, for an end that cannot wait. Returns the number of lines given up. */
  abandon(): number {
    let lineCount = 0
    for (const chunk of this.#queue) lineCount += chunk.lineCount
    this.#queue = []
    this.droppedLineCount += lineCount
    this.#isBroken = true
    return lineCount
  }

  #next(): void {
    if (this.#isWriting) return
    const chunk = this.#takeChunk()
    if (chunk === undefined) {
      for (const resolve of this.#whenIdle.splice(0)) resolve()
      return
    }
    this.#isWriting = true
    this.#sink.write(chunk.bytes, (error) => {
      this.#isWriting = false
      this.#waitingBytes -= chunk.bytes.length
      if (error === null) this.writtenLineCount += chunk.lineCount
      else this.#break(error, chunk.lineCount)
      if (this.#wasFull && (this.#isBroken || this.#waitingBytes < this.#waitingBytesMax / 2)) {
        this.#wasFull = false
        this.#options.onDrain()
      }
      this.#next()
    })
  }

  /** The next chunk, or small ones joined: at most `WRITE_BYTES_MAX` unless one is larger. */
  #takeChunk(): Chunk | undefined {
    let count = 0
    let byteCount = 0
    let lineCount = 0
    for (const chunk of this.#queue) {
      if (count > 0 && byteCount + chunk.bytes.length > WRITE_BYTES_MAX) break
      count++
      byteCount += chunk.bytes.length
      lineCount += chunk.lineCount
    }
    const taken = this.#queue.splice(0, count)
    if (taken.length <= 1) return taken[0]
    return {
      bytes: Buffer.concat(
        taken.map((chunk) => chunk.bytes),
        byteCount,
      ),
      lineCount,
    }
  }

  #break(error: Error, lineCount: number): void {
    this.hasEnded = true
    this.droppedLineCount += lineCount
    this.abandon()
    this.#waitingBytes = 0
    const code = errorCode(error)
    // `siege -v ... | head` is no mistake: siege goes on in silence, and so do we.
    if (code === 'EPIPE') return
    const reason = code === 'ENOSPC' ? 'no space left on the device' : error.message
    this.#options.onFailure(`cannot write verbose lines: ${reason}; the run goes on without them`)
  }
}

/** The way to write to standard output, and how the run should treat it. */
export interface OpenOutput {
  readonly sink: ByteSink
  readonly whenFull: 'wait' | 'drop'
  readonly waitingBytesMax: number
}

/** `stream` must be the process's own stream for `fd`: a second one would fight with it. */
export function openOutput(
  fd: number,
  stream: Writable & { readonly isTTY?: boolean },
): OpenOutput {
  if (stream.isTTY === true) {
    return {
      sink: fileSink(openTerminal(fd), TERMINAL_WRITE_BYTES_MAX),
      whenFull: 'drop',
      waitingBytesMax: TERMINAL_WAITING_BYTES_MAX,
    }
  }
  const stat = fs.fstatSync(fd)
  const isPipe = stat.isFIFO() || stat.isSocket()
  return {
    sink: isPipe ? streamSink(stream) : fileSink(fd, Number.POSITIVE_INFINITY),
    whenFull: 'wait',
    waitingBytesMax: WAITING_BYTES_MAX,
  }
}

/**
 * Opens the terminal once more, without blocking: the flag then is ours alone and not that of the
 * shell, which shares `fd`. Where the system has no such path the terminal may block.
 */
function openTerminal(fd: number): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
  try {
    return fs.openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    // No Linux, or a terminal that belongs to somebody else: `fd` itself can be written to anyway.
    return fd
  }
}

/** For what cannot block for ever: files, devices, and terminals in small pieces. */
export function fileSink(fd: number, writeBytesMax: number): ByteSink {
  return {
    write(bytes, done) {
      let offset = 0
      function writeRest(): void {
        const count = Math.min(bytes.length - offset, writeBytesMax)
        fs.write(fd, bytes, offset, count, null, (error, writtenBytes) => {
          // A terminal that is full, or stopped by Ctrl-S.
          if (error?.code === 'EAGAIN') return void setTimeout(writeRest, RETRY_MS)
          if (error !== null) return done(error)
          offset += writtenBytes
          if (offset < bytes.length) writeRest()
          else done(null)
        })
      }
      writeRest()
    },
  }
}

/** For pipes and sockets. */
export function streamSink(stream: Writable): ByteSink {
  // Each write gets its error by its callback; without a listener the same error would be thrown.
  stream.on('error', () => {})
  return {
    write(bytes, done) {
      stream.write(bytes, (error) => done(error ?? null))
    },
  }
}

/**
 * Writes all of `text` before it returns, for the last words of a process. Where a full pipe makes
 * it wait it does so for `waitMsMax` in all. Returns what kept it from writing everything, or null.
 *
 * A pipe shared with our own stdout (`2>&1`) does not block, and answers EAGAIN when it is full.
 */
export function writeAllSync(
  fd: number,
  output: string | Uint8Array,
  waitMsMax: number,
): Error | null {
  const bytes = typeof output === 'string' ? Buffer.from(output) : output
  const never = new Int32Array(new SharedArrayBuffer(4))
  let waitedMs = 0
  let offset = 0
  while (offset < bytes.length) {
    try {
      offset += fs.writeSync(fd, bytes, offset)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (errorCode(error) !== 'EAGAIN' || waitedMs >= waitMsMax) return error
      Atomics.wait(never, 0, 0, RETRY_MS)
      waitedMs += RETRY_MS
    }
  }
  return null
}

/**
 * Prints a report on stdout as `writeAllSync()` does. Null, or why it is not all there; a reader who
 * has left wants no more of it.
 */
export function printReport(report: string | Uint8Array, waitMsMax: number): string | null {
  const problem = writeAllSync(1, report, waitMsMax)
  if (problem === null || errorCode(problem) === 'EPIPE') return null
  return `the report could not be printed: ${systemReason(problem)}`
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
