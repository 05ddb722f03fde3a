/**
 * How an exchange ended.
 *
 * *Completed*: a whole response arrived, whatever its status. *Failed*: it did not, for one of the
 * kinds below. *In flight*: neither, when the run ended. started = completed + failed + in flight.
 *
 * A failing target is data, not an exception: a socket's error is turned into a `FailureKind` once,
 * counted, and one example of each kind is kept for the report.
 */

/** In the order of an exchange's life. The numbers are indexes into `Snapshot.failureCounts`. */
export const FailureKind = {
  /** The name could not be resolved. */
  dns: 0,
  /** No connection: refused, unreachable. */
  connect: 1,
  /** No connection within the timeout. */
  connectTimeout: 2,
  /** The TLS handshake failed. */
  tls: 3,
  /** The TLS handshake did not end within the timeout. */
  tlsTimeout: 4,
  /** No first byte of a response within the timeout. */
  firstByteTimeout: 5,
  /** A body stood still for longer than the timeout. */
  idleTimeout: 6,
  /** The peer reset the connection. */
  reset: 7,
  /** The peer closed the connection before the first byte of a response. */
  closed: 8,
  /** The message ended before its framing said so. */
  truncated: 9,
  /** What came is not HTTP, or its framing is broken. */
  protocol: 10,
  /** A limit of this machine: descriptors, ephemeral ports, memory. Ours, not the target's. */
  ownLimit: 11,
  /** A request could not be made of its template: nothing was sent. */
  unsendable: 12,
} as const

export type FailureKindNumber = (typeof FailureKind)[keyof typeof FailureKind]
export const FAILURE_KIND_COUNT = 13

/** Whether an exchange of this kind failed because something took longer than the timeout. */
export function isTimeout(kind: number): boolean {
  return (
    kind === FailureKind.connectTimeout ||
    kind === FailureKind.tlsTimeout ||
    kind === FailureKind.firstByteTimeout ||
    kind === FailureKind.idleTimeout
  )
}

/** What a report calls each kind, by its number. */
export const failureKindNames: readonly string[] = [
  'name not resolved',
  'connection refused or unreachable',
  'timeout while connecting',
  'TLS handshake failed',
  'timeout in TLS handshake',
  'timeout waiting for first byte',
  'timeout inside a response',
  'connection reset',
  'closed before a response',
  'response cut short',
  'not HTTP, or broken framing',
  'limit of this machine',
  'request could not be made',
]

/**
 * Why a completed exchange still fails its transaction in siege's sense. The exchange stays
 * *completed*, under its status; the disqualification is counted beside it, per status and kind.
 */
export const Disqualification = {
  none: 0,
  /** No body, where `zero-data-ok = false` wants one. */
  emptyBody: 1,
  /** 401 or 407 without usable credentials, or with rejected ones. */
  rejected: 2,
  /** The redirects did not end. */
  redirectLimit: 3,
  /** An FTP server refused what was asked of it. */
  refused: 4,
  /** A check of the plan says no. */
  checkFailed: 5,
  /** What the plan wants to take out of it is not there. */
  nothingExtracted: 6,
} as const

export type DisqualificationNumber = (typeof Disqualification)[keyof typeof Disqualification]
export const DISQUALIFICATION_COUNT = 7

/** What a report calls each disqualification, by its number. */
export const disqualificationNames: readonly string[] = [
  '',
  'empty body',
  'credentials missing or rejected',
  'too many redirects',
  'refused by the FTP server',
  'a check failed',
  'nothing to extract',
]
