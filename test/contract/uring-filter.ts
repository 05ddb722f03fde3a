/**
 * Forbids io_uring to the thread that calls, and to what it starts, as containers forbid it: a
 * seccomp filter that refuses io_uring_setup.
 */
import { loadKoffi, loadLibc } from '../../src/engine/net/libc.ts'

const PR_SET_SECCOMP = 22
const PR_SET_NO_NEW_PRIVS = 38
const SECCOMP_MODE_FILTER = 2
const SYS_IO_URING_SETUP = 425
const EPERM = 1
/** Instructions of struct sock_filter: code, jump if true, jump if false, constant. */
const FILTER = [
  [0x20, 0, 0, 0],
  [0x15, 0, 1, SYS_IO_URING_SETUP],
  [0x06, 0, 0, 0x00050000 | EPERM],
  [0x06, 0, 0, 0x7fff0000],
] as const
const PROGRAM_AT = 64

export function forbidUring(): void {
  const { address, bytes } = loadLibc().map(4096)
  const view = new DataView(bytes.buffer)
  for (const [index, [code, ifTrue, ifFalse, constant]] of FILTER.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, ifTrue)
    view.setUint8(index * 8 + 3, ifFalse)
    view.setUint32(index * 8 + 4, constant, true)
  }
  view.setUint16(PROGRAM_AT, FILTER.length, true)
  view.setBigUint64(PROGRAM_AT + 8, BigInt(address), true)
  const prctl = loadKoffi().load(null).func('int prctl(int, ulong, uintptr_t, ulong, ulong)')
  if (
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0 ||
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, address + PROGRAM_AT, 0, 0) !== 0
  ) {
    throw new Error('the filter cannot be set')
  }
}
