/**
 * The facts of one exchange, filled in by the engine while it runs.
 *
 * One object per virtual user is made before the run and used again for each of its exchanges, so
 * whoever is handed one must take what it needs before returning. Times are nanoseconds since the
 * run's start; -1 stands for a phase that did not take place (a pooled connection has no connect).
 */
import { DOUBLE } from '../base/units.ts'
import { Disqualification, type DisqualificationNumber } from './outcome.ts'

/** Enough to show what an exchange was about. */
export interface UnlistedTarget {
  readonly method: string
  readonly requestTarget: string
  readonly origin: { readonly scheme: string; readonly authority: string }
}

export class Exchange {
  /** Global id of the virtual user, from 0. */
  userId = 0
  /** Position of the target in the plan's list; -1: `unlisted` says what it was. */
  targetIndex = 0
  /** When it was due: equal to `startNs` in the closed model. */
  dueNs: number = DOUBLE
  /** When its user began it: before name resolution and connect, or when it was submitted. */
  startNs: number = DOUBLE
  /** When the connection's address was known; -1 on a pooled connection or a numeric address. */
  resolvedNs: number = DOUBLE
  connectedNs: number = DOUBLE
  securedNs: number = DOUBLE
  /** When the request's first byte was handed to the socket. */
  sentNs: number = DOUBLE
  firstByteNs: number = DOUBLE
  endNs: number = DOUBLE
  /** Status of the final response, 0 while there is none. */
  status = 0
  /** Minor version of HTTP/1 in the status line, 1 or 0. */
  minorVersion = 1
  /** Bytes of all heads received, interim responses included. */
  headBytes = 0
  /** Body bytes as received, without chunk framing and before content decoding. */
  bodyBytes = 0
  /** Request bytes handed to the socket. */
  requestBytes = 0
  disqualification: DisqualificationNumber = Disqualification.none
  /** A check of the plan says which statuses are right, so that one above 400 may be. */
  isStatusChecked = false
  /** Position in the plan's `requestNames`; -1: it is counted under no name. */
  nameIndex = -1
  /** Completed, and its connection stays open for another. */
  isConnectionKept = false
  /** What was asked for when it is not in the plan's list: a redirect, a page resource, a login. */
  unlisted: UnlistedTarget | null = null

  constructor() {
    this.reset(0, 0)
  }

  /** Forgets the last exchange; the user keeps its id. */
  reset(targetIndex: number, startNs: number): void {
    this.targetIndex = targetIndex
    this.dueNs = startNs
    this.startNs = startNs
    this.resolvedNs = -1
    this.connectedNs = -1
    this.securedNs = -1
    this.sentNs = -1
    this.firstByteNs = -1
    this.endNs = -1
    this.status = 0
    this.minorVersion = 1
    this.headBytes = 0
    this.bodyBytes = 0
    this.requestBytes = 0
    this.disqualification = Disqualification.none
    this.isStatusChecked = false
    this.nameIndex = -1
    this.isConnectionKept = false
    this.unlisted = null
  }

  /**
   * HOT (bench/micro/recorder.bench.ts). Whether a completed exchange went wrong: it was
   * disqualified, or its status is 400 or above and neither expected nor an answered challenge.
   */
  get isError(): boolean {
    if (this.disqualification !== Disqualification.none) return true
    if (this.status < 400 || this.isStatusChecked) return false
    return this.status !== 401 && this.status !== 407
  }
}
