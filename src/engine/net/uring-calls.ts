/**
 * The system calls of io_uring, through koffi, and the numbers of its interface.
 *
 * Calls go through `syscall`, as libc has no names for them; their numbers are the same on x86-64
 * and arm64. Pointers are plain numbers, see `libc.ts`.
 */
import { EnvironmentError } from '../../base/errors.ts'
import { loadKoffi, type MappedMemory } from './libc.ts'

/** Kinds of submissions. */
export const Op = {
  pollAdd: 6,
  asyncCancel: 14,
  connect: 16,
  close: 19,
  send: 26,
  recv: 27,
} as const

export const SQE_BUFFER_SELECT = 0x20
export const SQE_CQE_SKIP_SUCCESS = 0x40
/** In the field ioprio. */
export const RECV_MULTISHOT = 2
/** Nothing is expected to be there yet. */
export const RECV_POLL_FIRST = 1
export const CQE_BUFFER = 1
export const CQE_MORE = 2
export const CQE_BUFFER_SHIFT = 16
export const REGISTER_BUFFER_RING = 22
export const MSG_WAITALL = 0x100
export const POLLIN = 1
export const EMFILE = 24
export const ENFILE = 23
export const EPIPE = 32
export const EBUSY = 16
export const ETIME = 62
export const ENOBUFS = 105
export const ECANCELED = 125

const SYS_SETUP = 425
const SYS_ENTER = 426
const SYS_REGISTER = 427
const CLOCK_THREAD_CPUTIME = 3
const PROT_READ_WRITE = 3
const MAP_SHARED_POPULATE = 0x8001
const MAP_PRIVATE_ANONYMOUS = 0x22

export interface UringCalls {
  /** A descriptor, or -1. `params`: address of a struct io_uring_params. */
  setup(entryCount: number, params: number): number
  /** HOT (bench/macro/main.ts). `argument`: address of a struct io_uring_getevents_arg. */
  enter(
    ringFd: number,
    submitCount: number,
    waitCount: number,
    flags: number,
    argument: number,
    argumentBytes: number,
  ): number
  register(ringFd: number, operation: number, argument: number, count: number): number
  /** The number of the last failed call's error. */
  errno(): number
  /**
   * Memory of a ring, or memory of nothing where `fd` is -1.
   * @throws {EnvironmentError} when there is none.
   */
  map(byteCount: number, fd: number, offset: number): MappedMemory
  /** The memory must not be touched afterwards, also not through views of it. */
  unmap(memory: MappedMemory): void
  /** Time this thread has worked, in the kernel and outside, ns. */
  threadWorkedNs(into: MappedMemory): number
}

let loaded: UringCalls | undefined

/** @throws {EnvironmentError} where foreign calls cannot be made. */
export function loadUringCalls(): UringCalls {
  loaded ??= load()
  return loaded
}

function load(): UringCalls {
  const koffi = loadKoffi()
  const library = koffi.load(null)
  const call = (name: string, result: string, types: string[]) => library.func(name, result, types)
  const setup = call('syscall', 'int', ['long', 'uint', 'uintptr_t'])
  const enter = call('syscall', 'int', [
    'long',
    'uint',
    'uint',
    'uint',
    'uint',
    'uintptr_t',
    'size_t',
  ])
  const register = call('syscall', 'int', ['long', 'uint', 'uint', 'uintptr_t', 'uint'])
  const mmap = library.func('void* mmap(void*, size_t, int, int, int, long)')
  const munmap = library.func('int munmap(uintptr_t, size_t)')
  const clockGettime = library.func('int clock_gettime(int, uintptr_t)')
  return {
    setup: (entryCount, params) => setup(SYS_SETUP, entryCount, params),
    enter: (ringFd, submitCount, waitCount, flags, argument, argumentBytes) =>
      enter(SYS_ENTER, ringFd, submitCount, waitCount, flags, argument, argumentBytes),
    register: (ringFd, operation, argument, count) =>
      register(SYS_REGISTER, ringFd, operation, argument, count),
    errno: () => koffi.errno(),
    map(byteCount, fd, offset) {
      const flags = fd < 0 ? MAP_PRIVATE_ANONYMOUS : MAP_SHARED_POPULATE
      const pointer = mmap(null, byteCount, PROT_READ_WRITE, flags, fd, offset)
      const address = Number(koffi.address(pointer))
      if (address <= 0 || address > 2 ** 47) {
        throw new EnvironmentError(`no memory: ${byteCount} bytes could not be mapped`)
      }
      return { address, bytes: new Uint8Array(koffi.view(pointer, byteCount)) }
    },
    unmap: ({ address, bytes }) => munmap(address, bytes.length),
    threadWorkedNs({ address, bytes }) {
      clockGettime(CLOCK_THREAD_CPUTIME, address)
      const view = new DataView(bytes.buffer)
      return Number(view.getBigInt64(0, true)) * 1e9 + Number(view.getBigInt64(8, true))
    },
  }
}
