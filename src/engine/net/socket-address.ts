/** Endpoints as the kernel takes them: sockaddr_in and sockaddr_in6. */
import { ipv6Groups } from '../ip-address.ts'
import type { Endpoint } from '../reactor.ts'
import { AF_INET, AF_INET6, type Libc } from './libc.ts'

export const SOCKADDR_BYTES_MAX = 28
const SOCKADDR_IN_BYTES = 16

/** Writes the address to the begin of `into` and returns its size. */
export function writeSocketAddress(endpoint: Endpoint, into: Uint8Array, libc: Libc): number {
  const view = new DataView(into.buffer, into.byteOffset, SOCKADDR_BYTES_MAX)
  into.fill(0, 0, SOCKADDR_BYTES_MAX)
  const isIpv4 = endpoint.family === 4
  view.setUint16(0, isIpv4 ? AF_INET : AF_INET6, true)
  view.setUint16(2, endpoint.port, false)
  if (isIpv4) {
    const parts = endpoint.address.split('.').map(Number)
    for (const [index, part] of parts.entries()) into[4 + index] = part
    return SOCKADDR_IN_BYTES
  }
  const [address = '', zone] = endpoint.address.split('%')
  for (const [index, group] of ipv6Groups(address).entries()) {
    view.setUint16(8 + 2 * index, group, false)
  }
  view.setUint32(24, scopeOf(zone, libc), true)
  return SOCKADDR_BYTES_MAX
}

function scopeOf(zone: string | undefined, libc: Libc): number {
  if (zone === undefined) return 0
  return /^\d+$/.test(zone) ? Number(zone) : libc.if_nametoindex(zone)
}
