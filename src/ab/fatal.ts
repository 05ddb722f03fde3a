/** What ab says of a failure that ends its run, and the exit status that goes with it. */
import { FailureKind, type FailureKindNumber, isTimeout } from '../metrics/outcome.ts'
import { errnoOf, systemText } from './errno.ts'

export interface FatalEnd {
  /** A line for stderr. */
  readonly text: string
  readonly status: number
}

/** APR's codes begin where the system's end. */
const APR_TIMEUP = 70_007
const APR_NAME_UNKNOWN = 670_002
const APR_FAMILY_UNKNOWN = 670_009

/** Parts of what the engine says of a dead socket, and the system's code behind it. */
const codesByText: readonly (readonly [string, string])[] = [
  ['connection refused', 'ECONNREFUSED'],
  ['connection reset', 'ECONNRESET'],
  ['no route to host', 'EHOSTUNREACH'],
  ['network is unreachable', 'ENETUNREACH'],
  ['connection timed out', 'ETIMEDOUT'],
]

/** `host`: whom names were looked up for; `isBound`: `-B` was given. */
export function fatalEnd(
  kind: FailureKindNumber,
  text: string,
  { host, isBound }: { readonly host: string; readonly isBound: boolean },
): FatalEnd {
  if (kind === FailureKind.dns) {
    const call = `apr_sockaddr_info_get() for ${host}`
    return aprEnd(call, 'Name or service not known', APR_NAME_UNKNOWN)
  }
  if (kind === FailureKind.ownLimit) {
    const code = /\((E[A-Z]+)\)$/.exec(text)?.[1] ?? 'EINVAL'
    const call = isBound && code === 'EADDRNOTAVAIL' ? 'bind' : 'socket'
    return aprEnd(call, systemText(code), errnoOf(code))
  }
  const code = codesByText.find(([part]) => text.includes(part))?.[1]
  if (code !== undefined) return aprEnd('apr_socket_recv', systemText(code), errnoOf(code))
  if (isTimeout(kind)) {
    return aprEnd('apr_pollset_poll', 'The timeout specified has expired', APR_TIMEUP)
  }
  return { text: `apr_socket_connect(): ${text}\n`, status: 1 }
}

/** `host` is a numeric address of another family than that of `-B`. */
export function otherFamilyEnd(host: string): FatalEnd {
  const reason = 'Address family for hostname not supported'
  return aprEnd(`apr_sockaddr_info_get() for ${host}`, reason, APR_FAMILY_UNKNOWN)
}

function aprEnd(call: string, reason: string, code: number): FatalEnd {
  return { text: `${call}: ${reason} (${code})\n`, status: code & 255 }
}
