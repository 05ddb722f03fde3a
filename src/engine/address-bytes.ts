/** Numeric addresses as bytes, in network order. */
import { ipv6Groups } from './ip-address.ts'
import { literalFamily } from './resolver.ts'

/** 4 or 16 bytes; empty for a name. A zone is left out. */
export function addressBytes(host: string): readonly number[] {
  switch (literalFamily(host)) {
    case 4:
      return host.split('.').map(Number)
    case 6:
      return ipv6Groups(host.replace(/%.*$/, '')).flatMap((group) => [group >> 8, group & 0xff])
    default:
      return []
  }
}
