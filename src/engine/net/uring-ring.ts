/**
 * One io_uring: submissions in, completions out, over memory shared with the kernel.
 *
 * It knows no sockets. Only the thread that made it may use it (SINGLE_ISSUER), and the kernel works
 * for it only inside `enter` (DEFER_TASKRUN): so nothing of it changes while JavaScript runs.
 */

import { EnvironmentError, invariant } from '../../base/errors.ts'
import { EAGAIN, EINTR, type Libc, type MappedMemory } from './libc.ts'
import { errnoName } from './system-errors.ts'
import { EBUSY, ETIME, type UringCalls } from './uring-calls.ts'
import type { UringTuning } from './uring-tuning.ts'

const SQE_WORDS = 16
const SQE_BYTES = 64
const CQE_WORDS = 4
const CQE_BYTES = 16

const SETUP_CQSIZE = 1 << 3
const SETUP_CLAMP = 1 << 4
const SETUP_SUBMIT_ALL = 1 << 7
const SETUP_SINGLE_ISSUER = 1 << 12
const SETUP_DEFER_TASKRUN = 1 << 13
const SETUP_FLAGS: number =
  SETUP_CQSIZE | SETUP_CLAMP | SETUP_SUBMIT_ALL | SETUP_SINGLE_ISSUER | SETUP_DEFER_TASKRUN
const FEATURE_SINGLE_MMAP = 1 << 0
const FEATURE_NO_DROP = 1 << 1
const FEATURE_EXT_ARG = 1 << 8
const FEATURES: number = FEATURE_SINGLE_MMAP | FEATURE_NO_DROP | FEATURE_EXT_ARG
const ENTER_GETEVENTS = 1
const ENTER_EXT_ARG = 8
const OFFSET_SQES = 0x10000000

/** struct io_uring_params: fields, and then the places of the rings' own fields, in bytes. */
const PARAMS_BYTES = 120
const PARAMS_CQ_ENTRIES_AT = 4
const PARAMS_FLAGS_AT = 8
const PARAMS_FEATURES_AT = 20
const PARAMS_SQ_AT = 40
const PARAMS_CQ_AT = 80

/** A page for arguments: struct io_uring_getevents_arg, then its timespec. */
const ARGUMENT_BYTES = 24
const ARGUMENT_TIMESPEC_WORD = 4
const TIMESPEC_BYTE = 64
const PAGE_BYTES = 4096
/** An `enter` that the kernel has no memory for is tried this often before we give up. */
const ENTER_COUNT_MAX = 1000

/** Nothing came in time, or nothing more is taken for now. */
const harmlessErrnos: ReadonlySet<number> = new Set([ETIME, EINTR, EAGAIN, EBUSY])

export class UringRing {
  readonly fd: number
  /** Memory for arguments of calls; nothing in it outlives a call. */
  readonly arguments: MappedMemory
  readonly #calls: UringCalls
  readonly #libc: Libc
  readonly #rings: MappedMemory
  readonly #submissions: MappedMemory
  readonly #ringWords: Int32Array
  readonly #sqeWords: Int32Array
  readonly #argumentWords: Int32Array
  readonly #sqHeadAt: number
  readonly #sqTailAt: number
  readonly #sqEntryCount: number
  readonly #cqHeadAt: number
  readonly #cqTailAt: number
  readonly #cqMask: number
  readonly #cqesAt: number
  #sqTail = 0
  /** Noted and not handed over yet. */
  #queuedCount = 0
  /** The completion that is looked at, and where those that have come end. */
  #cqHead = 0
  #cqEnd = 0

  /** @throws {EnvironmentError} when the system does not give such a ring. */
  constructor(calls: UringCalls, libc: Libc, tuning: UringTuning) {
    this.#calls = calls
    this.#libc = libc
    this.arguments = calls.map(PAGE_BYTES, -1, 0)
    const { address, bytes } = this.arguments
    const params = new DataView(bytes.buffer, 0, PARAMS_BYTES)
    params.setUint32(PARAMS_CQ_ENTRIES_AT, tuning.completionCount, true)
    params.setUint32(PARAMS_FLAGS_AT, SETUP_FLAGS, true)
    this.fd = calls.setup(tuning.submissionCount, address)
    if (this.fd < 0) {
      const errno = calls.errno()
      calls.unmap(this.arguments)
      throw uringRefusal(errno)
    }
    const word = (at: number) => params.getUint32(at, true)
    if ((word(PARAMS_FEATURES_AT) & FEATURES) !== FEATURES) {
      libc.close(this.fd)
      calls.unmap(this.arguments)
      throw new EnvironmentError("this kernel's io_uring is too old: 6.1 is needed")
    }
    const sqEntryCount = word(0)
    const cqEntryCount = word(PARAMS_CQ_ENTRIES_AT)
    const sqArrayAt = word(PARAMS_SQ_AT + 24)
    const cqesAt = word(PARAMS_CQ_AT + 20)
    const ringBytes = Math.max(sqArrayAt + sqEntryCount * 4, cqesAt + cqEntryCount * CQE_BYTES)
    this.#rings = calls.map(Math.ceil(ringBytes / 4) * 4, this.fd, 0)
    this.#submissions = calls.map(sqEntryCount * SQE_BYTES, this.fd, OFFSET_SQES)
    this.#ringWords = new Int32Array(this.#rings.bytes.buffer)
    this.#sqeWords = new Int32Array(this.#submissions.bytes.buffer)
    this.#argumentWords = new Int32Array(bytes.buffer)
    this.#sqEntryCount = sqEntryCount
    this.#sqHeadAt = word(PARAMS_SQ_AT) / 4
    this.#sqTailAt = word(PARAMS_SQ_AT + 4) / 4
    this.#cqHeadAt = word(PARAMS_CQ_AT) / 4
    this.#cqTailAt = word(PARAMS_CQ_AT + 4) / 4
    this.#cqMask = cqEntryCount - 1
    this.#cqesAt = cqesAt / 4
    for (let index = 0; index < sqEntryCount; index++) {
      this.#ringWords[sqArrayAt / 4 + index] = index
    }
  }

  /**
   * HOT (bench/macro/main.ts). Notes a submission; `flags` are IOSQE ones with the priority above
   * them. `low` and `high` come back with its completions. Where the queue is full it is handed
   * over first.
   */
  submit(
    opcode: number,
    flags: number,
    fd: number,
    low: number,
    high: number,
    address: number,
    byteCount: number,
    operationFlags: number,
    offset: number,
  ): void {
    if (this.#queuedCount === this.#sqEntryCount) this.flush()
    const words = this.#sqeWords
    const at = (this.#sqTail & (this.#sqEntryCount - 1)) * SQE_WORDS
    words[at] = opcode | (flags << 8)
    words[at + 1] = fd
    words[at + 2] = offset
    words[at + 3] = 0
    words[at + 4] = address
    words[at + 5] = address / 2 ** 32
    words[at + 6] = byteCount
    words[at + 7] = operationFlags
    words[at + 8] = low
    words[at + 9] = high
    words[at + 10] = 0
    words[at + 11] = 0
    words[at + 12] = 0
    words[at + 13] = 0
    words[at + 14] = 0
    words[at + 15] = 0
    this.#sqTail = (this.#sqTail + 1) | 0
    this.#queuedCount++
  }

  /** Hands over what is noted, without waiting for anything. */
  flush(): void {
    for (let count = 0; this.#queuedCount > 0; count++) {
      invariant(count < ENTER_COUNT_MAX, 'the kernel takes submissions')
      this.#call(0, 0, 0, 0)
    }
  }

  /** HOT (bench/macro/main.ts). What the kernel does not take stays noted, for the next time. */
  #call(waitCount: number, flags: number, argument: number, argumentBytes: number): number {
    const words = this.#ringWords
    Atomics.store(words, this.#sqTailAt, this.#sqTail)
    const { fd } = this
    const result = this.#calls.enter(
      fd,
      this.#queuedCount,
      waitCount,
      flags,
      argument,
      argumentBytes,
    )
    this.#queuedCount = (this.#sqTail - Atomics.load(words, this.#sqHeadAt)) | 0
    return result
  }

  /**
   * HOT (bench/macro/main.ts). Hands over what is noted and lets the kernel work; waits for the
   * first completion, `waitNs` at most. Being interrupted is like having waited.
   */
  enter(waitNs: number): void {
    const words = this.#argumentWords
    // Word by word, since `fill` leaves compiled code.
    for (let word = 0; word < ARGUMENT_BYTES / 4; word++) words[word] = 0
    if (waitNs > 0 && waitNs !== Number.POSITIVE_INFINITY) {
      const timespecAt = this.arguments.address + TIMESPEC_BYTE
      words[ARGUMENT_TIMESPEC_WORD] = timespecAt
      words[ARGUMENT_TIMESPEC_WORD + 1] = timespecAt / 2 ** 32
      const seconds = Math.floor(waitNs / 1e9)
      words[TIMESPEC_BYTE / 4] = Math.min(seconds, 2 ** 31 - 1)
      words[TIMESPEC_BYTE / 4 + 1] = 0
      words[TIMESPEC_BYTE / 4 + 2] = Math.ceil(waitNs - seconds * 1e9)
      words[TIMESPEC_BYTE / 4 + 3] = 0
    }
    const result = this.#call(
      waitNs > 0 ? 1 : 0,
      ENTER_GETEVENTS | ENTER_EXT_ARG,
      this.arguments.address,
      ARGUMENT_BYTES,
    )
    if (result < 0) {
      const errno = this.#calls.errno()
      const name = errnoName(errno)
      invariant(harmlessErrnos.has(errno), `io_uring_enter works: ${name}`)
    }
    this.#cqEnd = Atomics.load(this.#ringWords, this.#cqTailAt)
  }

  /** HOT (bench/macro/main.ts). The place of the next completion, or -1 when no more have come. */
  next(): number {
    if (this.#cqHead === this.#cqEnd) return -1
    const at = this.#cqesAt + (this.#cqHead & this.#cqMask) * CQE_WORDS
    this.#cqHead = (this.#cqHead + 1) | 0
    return at
  }

  /** Completions read by `next` are the kernel's to write over again. */
  release(): void {
    Atomics.store(this.#ringWords, this.#cqHeadAt, this.#cqHead)
  }

  lowOf(at: number): number {
    return this.#ringWords[at]!
  }

  highOf(at: number): number {
    return this.#ringWords[at + 1]!
  }

  resultOf(at: number): number {
    return this.#ringWords[at + 2]!
  }

  flagsOf(at: number): number {
    return this.#ringWords[at + 3]!
  }

  /**
   * Looks for a completion behind the one that `next` gave last, and takes it out of its turn: its
   * result, or undefined when it has not come. What is left in its place has `high` 0.
   */
  takeAhead(low: number, high: number): number | undefined {
    for (let index = this.#cqHead; index !== this.#cqEnd; index = (index + 1) | 0) {
      const at = this.#cqesAt + (index & this.#cqMask) * CQE_WORDS
      if (this.#ringWords[at] !== low || this.#ringWords[at + 1] !== high) continue
      this.#ringWords[at + 1] = 0
      return this.#ringWords[at + 2]!
    }
    return undefined
  }

  /** Gives everything back. The ring must not be used any more. */
  close(): void {
    this.#libc.close(this.fd)
    this.#calls.unmap(this.#rings)
    this.#calls.unmap(this.#submissions)
    this.#calls.unmap(this.arguments)
  }
}

/** Why the system does not give what a ring is made of. */
export function uringRefusal(errno: number): EnvironmentError {
  const name = errnoName(errno)
  const texts: Readonly<Record<string, string>> = {
    ENOSYS: 'this kernel has no io_uring',
    EPERM: 'io_uring is forbidden here, as in many containers',
    EACCES: 'io_uring is forbidden here, as in many containers',
    EINVAL: "this kernel's io_uring is too old: 6.1 is needed",
  }
  return new EnvironmentError(`${texts[name] ?? 'io_uring cannot be had'} (${name})`)
}
