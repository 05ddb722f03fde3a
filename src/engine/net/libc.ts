/**
 * The system calls that the blocking reactors make, through koffi.
 *
 * Pointers are plain numbers: memory comes from `mmap`, so it neither moves nor is collected, and
 * user space ends at 2^47. All calls are synchronous. Linux on x86-64 and arm64 with glibc or musl.
 */
import { createRequire } from 'node:module'
import { EnvironmentError } from '../../base/errors.ts'

type Koffi = typeof import('koffi').default

export const AF_INET = 2
export const AF_INET6 = 10
export const SOCK_STREAM = 1
const SOCK_NONBLOCK = 0x800
export const SOCK_CLOEXEC = 0x80000
export const SOCKET_FLAGS: number = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
export const IPPROTO_TCP = 6
export const TCP_NODELAY = 1
export const SOL_SOCKET = 1
export const SO_ERROR = 4
export const SO_SNDBUF = 7
export const SO_RCVBUF = 8
export const MSG_DONTWAIT = 0x40
export const MSG_NOSIGNAL = 0x4000
export const EPOLLIN = 0x1
export const EPOLLOUT = 0x4
export const EPOLLERR = 0x8
export const EPOLLHUP = 0x10
export const EPOLLRDHUP = 0x2000
export const EPOLLET = 0x80000000
export const EPOLL_CTL_ADD = 1
const EFD_NONBLOCK = 0x800
const EFD_CLOEXEC = 0x80000
export const EVENTFD_FLAGS: number = EFD_NONBLOCK | EFD_CLOEXEC
export const EAGAIN = 11
export const EINTR = 4
export const EINPROGRESS = 115
/** The same on every architecture. */
const EPOLL_PWAIT2 = 441
const SIGNAL_SET_BYTES = 8
const PROT_READ_WRITE = 3
const MAP_PRIVATE_ANONYMOUS = 0x22

/** Memory outside of JavaScript's heap. */
export interface MappedMemory {
  readonly address: number
  readonly bytes: Uint8Array
}

export interface Libc {
  socket(family: number, type: number, protocol: number): number
  bind(fd: number, sockaddr: number, byteCount: number): number
  connect(fd: number, sockaddr: number, byteCount: number): number
  close(fd: number): number
  recv(fd: number, address: number, byteCount: number, flags: number): number
  send(fd: number, address: number, byteCount: number, flags: number): number
  setsockopt(fd: number, level: number, name: number, value: number, byteCount: number): number
  getsockopt(fd: number, level: number, name: number, value: number, byteCount: number): number
  epoll_create1(flags: number): number
  epoll_ctl(epollFd: number, operation: number, fd: number, event: number): number
  epoll_wait(epollFd: number, events: number, eventCount: number, timeoutMs: number): number
  /** -1 with ENOSYS before Linux 5.11; `timeout`: the address of a timespec. */
  epoll_pwait2(epollFd: number, events: number, eventCount: number, timeout: number): number
  prctl(option: number, argument: number, third: number, fourth: number, fifth: number): number
  eventfd(value: number, flags: number): number
  read(fd: number, address: number, byteCount: number): number
  sched_setaffinity(threadId: number, byteCount: number, set: number): number
  if_nametoindex(name: string): number
  /** The number of the last failed call's error. */
  errno(): number
  map(byteCount: number): MappedMemory
}

const signatures = {
  socket: 'int socket(int, int, int)',
  bind: 'int bind(int, uintptr_t, uint)',
  connect: 'int connect(int, uintptr_t, uint)',
  close: 'int close(int)',
  recv: 'long recv(int, uintptr_t, size_t, int)',
  send: 'long send(int, uintptr_t, size_t, int)',
  setsockopt: 'int setsockopt(int, int, int, uintptr_t, uint)',
  getsockopt: 'int getsockopt(int, int, int, uintptr_t, uintptr_t)',
  epoll_create1: 'int epoll_create1(int)',
  epoll_ctl: 'int epoll_ctl(int, int, int, uintptr_t)',
  epoll_wait: 'int epoll_wait(int, uintptr_t, int, int)',
  prctl: 'int prctl(int, ulong, ulong, ulong, ulong)',
  eventfd: 'int eventfd(uint, int)',
  read: 'long read(int, uintptr_t, size_t)',
  sched_setaffinity: 'int sched_setaffinity(int, size_t, uintptr_t)',
  if_nametoindex: 'uint if_nametoindex(const char*)',
} as const

const require = createRequire(import.meta.url)

/** @throws {EnvironmentError} when the library for foreign calls is not there or does not load. */
export function loadKoffi(): Koffi {
  try {
    return require('koffi') as Koffi
  } catch (error) {
    throw new EnvironmentError('the optional package koffi is not installed', { cause: error })
  }
}

let loaded: Libc | undefined

/** @throws {EnvironmentError} where these calls cannot be made. */
export function loadLibc(): Libc {
  loaded ??= load()
  return loaded
}

function load(): Libc {
  if (process.platform !== 'linux') {
    throw new EnvironmentError(`neither epoll nor io_uring is there on ${process.platform}`)
  }
  const koffi = loadKoffi()
  const library = koffi.load(null)
  const calls = Object.fromEntries(
    Object.entries(signatures).map(([name, signature]) => [name, library.func(signature)]),
  )
  // glibc has a name for it since 2.35 only.
  const pwait2 = library.func(
    'long syscall(long, int, uintptr_t, int, uintptr_t, uintptr_t, size_t)',
  )
  const mmap = library.func('void* mmap(void*, size_t, int, int, int, long)')
  return {
    // The signatures above say what each takes and gives.
    ...(calls as unknown as Omit<Libc, 'epoll_pwait2' | 'errno' | 'map'>),
    epoll_pwait2: (epollFd, events, eventCount, timeout) =>
      pwait2(EPOLL_PWAIT2, epollFd, events, eventCount, timeout, 0, SIGNAL_SET_BYTES),
    errno: () => koffi.errno(),
    map(byteCount) {
      const pointer = mmap(null, byteCount, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0)
      const address = Number(koffi.address(pointer))
      if (address <= 0 || address > 2 ** 47) {
        throw new EnvironmentError(`no memory: ${byteCount} bytes could not be mapped`)
      }
      return { address, bytes: new Uint8Array(koffi.view(pointer, byteCount)) }
    },
  }
}
