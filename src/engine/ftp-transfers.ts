/**
 * FTP transfers of one thread as exchanges: addresses, deadlines, and what an end counts as.
 *
 * Each has a control connection of its own, as in siege. A reply of 400 and above is a complete
 * answer with that status, like one of HTTP, and fails its transaction; once a download has begun
 * it is a failure, since part of the file is missing. The bytes are the port's (`ftp-port.ts`).
 */
import type { Exchange } from '../metrics/exchange.ts'
import { Disqualification, FailureKind, type FailureKindNumber } from '../metrics/outcome.ts'
import { bytesFromLatin1 } from '../plan/latin1.ts'
import type { LoginPlan, Plan } from '../plan/plan.ts'
import type { Connector } from './connector.ts'
import {
  type FtpEnding,
  type FtpJob,
  type FtpListener,
  type FtpPort,
  type FtpTransfer,
  ftpVerbs,
} from './ftp-port.ts'
import { ftpAction, ftpPath, ftpUser, uniquePath } from './ftp-request.ts'
import type { WireObserver } from './observer.ts'
import type { PreparedRequest } from './request-book.ts'
import type { OriginAddresses } from './resolver.ts'

/** Whose exchange it is. */
export interface FtpUserOfExchange {
  readonly exchange: Exchange
  transferCompleted(): void
  exchangeFailed(kind: FailureKindNumber, text: string): void
}

export class FtpTransfers {
  readonly connector: Connector
  readonly port: FtpPort
  readonly failsEmptyBodies: boolean
  readonly #logins: readonly LoginPlan[]
  readonly #makesUnique: boolean
  /** How many files each user has sent, by its id. */
  readonly #uploadCounts = new Map<number, number>()
  readonly #open = new Set<FtpExchange>()

  constructor(plan: Plan, connector: Connector, port: FtpPort) {
    this.connector = connector
    this.port = port
    this.failsEmptyBodies = plan.failEmptyBodies
    this.#logins = plan.ftp?.logins ?? []
    this.#makesUnique = plan.ftp?.uniqueUploads ?? false
  }

  get openCount(): number {
    return this.#open.size
  }

  /** The user is told the end, never in this call. */
  start(user: FtpUserOfExchange, request: PreparedRequest, nowNs: number): void {
    const { facts } = request
    const action = ftpAction(facts.method, facts.body !== null)
    const path = ftpPath(facts.requestTarget)
    const exchange = new FtpExchange(this, user, request, {
      ...ftpUser(facts.origin.host, facts.credentials, this.#logins),
      action,
      path: action === 'upload' ? this.#uploadPath(path, user.exchange.userId) : path,
      body: facts.body,
    })
    this.#open.add(exchange)
    exchange.resolve(nowNs)
  }

  #uploadPath(path: string, userId: number): string {
    if (!this.#makesUnique) return path
    const uploadIndex = this.#uploadCounts.get(userId) ?? 0
    this.#uploadCounts.set(userId, uploadIndex + 1)
    return uniquePath(path, userId, uploadIndex)
  }

  /** Times out what has waited too long. */
  sweep(nowNs: number): void {
    for (const exchange of this.#open) {
      if (exchange.deadlineNs <= nowNs) exchange.timedOut(nowNs)
    }
  }

  closed(exchange: FtpExchange): void {
    this.#open.delete(exchange)
  }

  /** Closes every connection; nobody is told. */
  stop(): void {
    for (const exchange of this.#open) exchange.close()
    this.#open.clear()
  }
}

class FtpExchange implements FtpListener {
  deadlineNs: number = Number.POSITIVE_INFINITY
  readonly #transfers: FtpTransfers
  readonly #user: FtpUserOfExchange
  readonly #request: PreparedRequest
  readonly #job: Omit<FtpJob, 'endpoint'>
  readonly #wire: WireObserver | undefined
  #stage: 'resolving' | 'connecting' | 'open' | 'closed' = 'resolving'
  #transfer: FtpTransfer | undefined
  #attemptCount = 0
  #endpointIndex = 0
  /** The first reply to the command that carries out the action; 0 while there is none. */
  #firstCode = 0
  #sentDataBytes = 0

  constructor(
    transfers: FtpTransfers,
    user: FtpUserOfExchange,
    request: PreparedRequest,
    job: Omit<FtpJob, 'endpoint'>,
  ) {
    this.#transfers = transfers
    this.#user = user
    this.#request = request
    this.#job = job
    this.#wire = transfers.connector.wire?.observer()
  }

  resolve(nowNs: number): void {
    this.#stayAlive(nowNs)
    const { addresses } = this.#request.route
    if (addresses.state === 'known') this.#connect(nowNs)
    else this.#transfers.connector.awaitAddresses(this, addresses)
  }

  addressesSettled(addresses: OriginAddresses, nowNs: number): void {
    if (this.#stage !== 'resolving') return
    if (addresses.state === 'failed') {
      this.#fail(FailureKind.dns, addresses.failureText, nowNs)
      return
    }
    this.#user.exchange.resolvedNs = nowNs
    this.#connect(nowNs)
  }

  #connect(nowNs: number): void {
    this.#stage = 'connecting'
    this.#stayAlive(nowNs)
    const { endpoints, preferredIndex } = this.#request.route.addresses
    this.#endpointIndex = (preferredIndex + this.#attemptCount) % endpoints.length
    const endpoint = endpoints[this.#endpointIndex]!
    this.#attemptCount++
    this.#transfer = this.#transfers.port.start({ ...this.#job, endpoint }, this)
  }

  // From the port.

  connected(): void {
    const nowNs = this.#nowNs()
    this.#stage = 'open'
    this.#stayAlive(nowNs)
    this.#request.route.addresses.preferredIndex = this.#endpointIndex
    this.#user.exchange.connectedNs = nowNs
    this.#transfers.connector.recorder.connected()
  }

  commandSent(line: string): void {
    const nowNs = this.#nowNs()
    const { exchange } = this.#user
    // A download asks for the size first; that is not yet what it is about.
    if (exchange.sentNs < 0 && line.startsWith(ftpVerbs[this.#job.action])) exchange.sentNs = nowNs
    this.#wire?.requestSent(bytesFromLatin1(`${line}\r\n`))
    this.#stayAlive(nowNs)
  }

  repliesReceived(lines: string): void {
    const nowNs = this.#nowNs()
    const { exchange } = this.#user
    exchange.headBytes += lines.length
    if (exchange.sentNs >= 0 && this.#firstCode === 0) {
      this.#firstCode = Number(lines.slice(0, 3))
      if (exchange.firstByteNs < 0) exchange.firstByteNs = nowNs
    }
    this.#wire?.headReceived(bytesFromLatin1(lines), 0, lines.length)
    this.#stayAlive(nowNs)
  }

  dataReceived(bytes: Uint8Array): void {
    const nowNs = this.#nowNs()
    const { exchange } = this.#user
    if (exchange.firstByteNs < 0) exchange.firstByteNs = nowNs
    exchange.bodyBytes += bytes.length
    this.#wire?.bodyReceived(bytes, 0, bytes.length)
    this.#stayAlive(nowNs)
  }

  dataSent(byteCount: number): void {
    this.#sentDataBytes += byteCount
    this.#stayAlive(this.#nowNs())
  }

  ended(ending: FtpEnding): void {
    const nowNs = this.#nowNs()
    switch (ending.how) {
      case 'done':
        this.#done(ending.code, ending.sizeBytes, nowNs)
        break
      case 'refused':
        this.#refused(ending.code, ending.text, nowNs)
        break
      case 'closed':
        this.#fail(this.#hasBegun ? FailureKind.truncated : FailureKind.closed, ending.text, nowNs)
        break
      case 'error':
        if (!this.#tryNextAddress(ending.kind, nowNs)) this.#fail(ending.kind, ending.text, nowNs)
    }
  }

  get #hasBegun(): boolean {
    return this.#user.exchange.firstByteNs >= 0
  }

  #tryNextAddress(kind: FailureKindNumber, nowNs: number): boolean {
    const { endpoints } = this.#request.route.addresses
    if (this.#stage !== 'connecting' || kind === FailureKind.ownLimit) return false
    if (this.#attemptCount >= endpoints.length) return false
    this.#connect(nowNs)
    return true
  }

  #done(code: number, sizeBytes: number | undefined, nowNs: number): void {
    const { exchange } = this.#user
    const isDownload = this.#job.action === 'download'
    if (isDownload && sizeBytes !== undefined && exchange.bodyBytes < sizeBytes) {
      const text = `${exchange.bodyBytes} of ${sizeBytes} bytes came from ${this.#peerText}`
      this.#fail(FailureKind.truncated, text, nowNs)
      return
    }
    if (isDownload && exchange.bodyBytes === 0 && this.#transfers.failsEmptyBodies) {
      exchange.disqualification = Disqualification.emptyBody
    }
    // siege shows the reply that a download begins with: 150, or 125.
    this.#complete(isDownload && this.#firstCode > 0 ? this.#firstCode : code, nowNs)
  }

  #refused(code: number, text: string, nowNs: number): void {
    if (this.#job.action === 'download' && this.#hasBegun && this.#firstCode < 200) {
      this.#fail(FailureKind.truncated, `${text}: ${this.#peerText}`, nowNs)
      return
    }
    const isLogin = this.#user.exchange.sentNs < 0 && (code === 530 || code === 332 || code === 430)
    this.#user.exchange.disqualification = isLogin
      ? Disqualification.rejected
      : Disqualification.refused
    this.#complete(code, nowNs)
  }

  timedOut(nowNs: number): void {
    const seconds = this.#transfers.connector.timeoutNs / 1e9
    const peer = this.#peerText
    if (this.#stage === 'resolving') {
      this.#fail(FailureKind.dns, `no answer for ${peer} within ${seconds} s`, nowNs)
    } else if (this.#stage === 'connecting') {
      const text = `no connection to ${peer} within ${seconds} s`
      this.#fail(FailureKind.connectTimeout, text, nowNs)
    } else if (this.#hasBegun) {
      this.#fail(FailureKind.idleTimeout, `no further byte from ${peer} for ${seconds} s`, nowNs)
    } else {
      this.#fail(FailureKind.firstByteTimeout, `no answer from ${peer} within ${seconds} s`, nowNs)
    }
  }

  #complete(status: number, nowNs: number): void {
    this.#wire?.responseEnded()
    this.#user.exchange.status = status
    this.#end(nowNs)
    this.#user.transferCompleted()
  }

  #fail(kind: FailureKindNumber, text: string, nowNs: number): void {
    this.#end(nowNs)
    this.#user.exchangeFailed(kind, text)
  }

  #end(nowNs: number): void {
    const { exchange } = this.#user
    exchange.endNs = nowNs
    exchange.requestBytes = (this.#transfer?.commandBytes ?? 0) + this.#sentDataBytes
    this.close()
    this.#transfers.closed(this)
  }

  /** Closes what is open without telling anybody. */
  close(): void {
    this.#stage = 'closed'
    this.deadlineNs = Number.POSITIVE_INFINITY
    this.#transfer?.abort()
  }

  get #peerText(): string {
    return this.#request.route.peerText
  }

  #nowNs(): number {
    return this.#transfers.connector.reactor.nowNs()
  }

  #stayAlive(nowNs: number): void {
    this.deadlineNs = nowNs + this.#transfers.connector.timeoutNs
  }
}
