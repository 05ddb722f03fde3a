/**
 * One thing a user fetches: a request, its repeats after challenges, and the redirects it leads to.
 *
 * A user has as many of these as it may have exchanges under way. Each exchange is counted on its
 * own; what a response means for the next request is `browse`'s to decide.
 */
import { authFieldNames } from '../browse/auth-session.ts'
import { AuthTurn, ConnectionLogin } from '../browse/auth-turn.ts'
import { CacheFields, type ConditionalField } from '../browse/http-cache.ts'
import { HOP_COUNT_MAX, type Hop, mayRedirect, nextHop, refreshHop } from '../browse/redirect.ts'
import { Exchange } from '../metrics/exchange.ts'
import { Disqualification, FailureKind, type FailureKindNumber } from '../metrics/outcome.ts'
import { encodeDynamicFields } from '../wire/h1-request.ts'
import type { HeaderFilter } from '../wire/header-filter.ts'
import { type Browsing, beginTurn, type UserMemory } from './browsing.ts'
import type { Connection } from './connection.ts'
import { emptyPage, type PageContents, type PageReader } from './page-reader.ts'
import type { PreparedRequest } from './request-book.ts'
import type { Runner } from './runner.ts'
import type { ScriptSession } from './script-session.ts'
import type { ExchangeUser, OutgoingRequest, ResponseReader } from './transport.ts'

const SCRATCH_BYTES_AT_FIRST = 2048
const STATUS_FORBIDDEN = 403
const noBytes = new Uint8Array(0)
const noFields: readonly ConditionalField[] = []

/** The user a fetch belongs to. */
export interface FetchOwner {
  /** Null when the plan asks for nothing a browser does. */
  readonly memory: UserMemory | null
  /** Null when the plan has no script. */
  readonly session: ScriptSession | null
  /** A free connection on the route, the one with this login if it is free; or undefined. */
  freeConnection(request: PreparedRequest, login: ConnectionLogin): Connection | undefined
  openConnection(
    fetch: Fetch,
    request: PreparedRequest,
    outgoing: OutgoingRequest,
    nowNs: number,
  ): void
  /** A page whose visitor is sent on; the fetch goes on. */
  pageFound(fetch: Fetch, contents: PageContents): void
  /** All exchanges of the fetch have ended. */
  fetchEnded(fetch: Fetch, contents: PageContents, isSuccess: boolean, nowNs: number): void
}

export class Fetch implements ExchangeUser, ResponseReader {
  readonly exchange: Exchange = new Exchange()
  readonly filter: HeaderFilter
  readonly #runner: Runner
  readonly #owner: FetchOwner
  readonly #browsing: Browsing | null
  readonly #turn: AuthTurn = new AuthTurn()
  readonly #cacheFields: CacheFields = new CacheFields()
  #request!: PreparedRequest
  #login: ConnectionLogin = new ConnectionLogin()
  /** Room for a request with fields that change; from the reactor, so that it can be sent. */
  #scratch: Uint8Array | undefined
  /** What `#scratch` holds, so that the same request is not put together twice. */
  #scratchRequest: PreparedRequest | undefined
  #scratchFields: Uint8Array | undefined
  #dynamicText = ''
  #dynamicFields: Uint8Array = noBytes
  #conditionalFields: readonly ConditionalField[] = noFields
  #hopCount = 0
  #sendsGiven = true
  #isResource = false
  /** The `auth-url` asked for last; -1: none. */
  #authRequestIndex = -1
  /** What was answered by 403 and led to an `auth-url`. */
  #forbiddenRequest: PreparedRequest | undefined
  /** An `auth-url`, or what it redirects to, is under way. */
  #isAuthenticating = false
  #scratchOutgoing: OutgoingRequest | undefined
  // Of the response under way.
  #location: string | undefined
  #contentType = ''
  #contentEncoding = ''
  readonly #challenges: string[] = []
  readonly #proxyChallenges: string[] = []
  #pageReader: PageReader | null = null
  /** The session whose step this is; null: the plan has no script, or it is a page's resource. */
  #session: ScriptSession | null = null

  constructor(runner: Runner, owner: FetchOwner, userId: number) {
    this.#runner = runner
    this.#owner = owner
    this.#browsing = runner.browsing
    this.filter = runner.filter
    this.exchange.userId = userId
  }

  /** HOT (bench/macro/main.ts). */
  get reader(): ResponseReader | undefined {
    if (this.#browsing !== null || this.#session !== null) return this
    return this.#runner.observer?.responseReader
  }

  /** Which origin the last page is of. */
  get originKey(): string {
    return this.#request.originKey
  }

  get isResource(): boolean {
    return this.#isResource
  }

  /** NTLM logs in a connection, in two requests over it. */
  get needsKeepAlive(): boolean {
    return this.#browsing !== null && this.#turn.needsKeepAlive
  }

  /** HOT (bench/macro/main.ts). Fetches a page that was due then, or a resource of one. */
  start(request: PreparedRequest, isResource: boolean, nowNs: number, dueNs: number = nowNs): void {
    this.#isResource = isResource
    const { session } = this.#owner
    this.#session = session !== null && !isResource && session.step.looks ? session : null
    this.#hopCount = 0
    this.#authRequestIndex = -1
    this.#forbiddenRequest = undefined
    this.#isAuthenticating = false
    this.#ask(request, nowNs, dueNs)
  }

  /** HOT (bench/macro/main.ts). A new request of this fetch: the first one, or a hop, due now. */
  #ask(request: PreparedRequest, nowNs: number, dueNs: number = nowNs): void {
    this.#request = request
    this.#sendsGiven = request.facts.sendsGiven
    if (this.#browsing !== null) {
      beginTurn(this.#turn, request)
      this.#conditionalFields = this.#lookUp(request, nowNs)
    }
    this.#send(nowNs, dueNs)
  }

  /** HOT (bench/macro/main.ts). Also sends the same request again, with a login. */
  #send(nowNs: number, dueNs: number): void {
    if (!this.#runner.isPacing || this.#request.isFtp) {
      this.#begin(nowNs, dueNs)
      return
    }
    // Asking for a connection counts as using it, so whoever goes on now asks once more.
    const hasConnection = this.#owner.freeConnection(this.#request, this.#login) !== undefined
    if (hasConnection || this.#runner.mayConnect(this, nowNs, dueNs)) this.#begin(nowNs, dueNs)
  }

  /** From the pacer of connections. */
  connectInTurn(nowNs: number, dueNs: number): void {
    this.#begin(nowNs, dueNs)
  }

  /** HOT (bench/macro/main.ts). The exchange begins. */
  #begin(nowNs: number, dueNs: number): void {
    const request = this.#request
    const { exchange } = this
    exchange.reset(request.facts.targetIndex, nowNs)
    exchange.nameIndex = request.facts.nameIndex
    exchange.dueNs = dueNs
    exchange.unlisted = request.facts.targetIndex < 0 ? request.facts : null
    this.#runner.recorder.started(exchange)
    if (request.isFtp) {
      this.#runner.startTransfer(this, request, nowNs)
      return
    }
    const connection = this.#owner.freeConnection(request, this.#login)
    this.#session?.response.begin()
    if (this.#browsing === null) {
      const outgoing = request.isTransient ? this.#spliced(request) : request
      if (connection !== undefined) connection.submit(this, outgoing, nowNs)
      else this.#owner.openConnection(this, request, outgoing, nowNs)
      return
    }
    this.#forgetResponse()
    if (connection === undefined) this.#login = new ConnectionLogin()
    else this.#login = connection.login
    const outgoing = this.#outgoing(request, nowNs)
    if (connection !== undefined) connection.submit(this, outgoing, nowNs)
    else this.#owner.openConnection(this, request, outgoing, nowNs)
  }

  get login(): ConnectionLogin {
    return this.#login
  }

  /** HOT (bench/macro/main.ts). The request as it goes out: with cookies, logins, conditions. */
  #outgoing(request: PreparedRequest, nowNs: number): OutgoingRequest {
    const memory = this.#owner.memory!
    const cookie = memory.cookieHeader(request, this.#sendsGiven, nowNs)
    const server = memory.auth.field(this.#turn, 'server', this.#login)
    const proxy = request.route.isProxied
      ? memory.auth.field(this.#turn, 'proxy', this.#login)
      : null
    const isPlain = server === null && proxy === null && this.#conditionalFields.length === 0
    if (isPlain && cookie === '') {
      if (!request.isTransient) return request
      this.#dynamicText = ''
      this.#dynamicFields = noBytes
      return this.#spliced(request)
    }
    const text = isPlain ? cookie : this.#fieldsText(server, proxy, cookie)
    if (text !== this.#dynamicText) {
      this.#dynamicText = text
      this.#dynamicFields = encodeDynamicFields(this.#dynamicList(server, proxy, cookie))
    }
    const base = this.#turn.needsKeepAlive ? this.#runner.requests.keptAlive(request) : request
    return this.#spliced(base)
  }

  /** Tells whether the fields are the same as the last ones; one text, since one is usual. */
  #fieldsText(server: string | null, proxy: string | null, cookie: string): string {
    const conditions = this.#conditionalFields.map(({ name, value }) => `${name}:${value}`)
    return [server ?? '', proxy ?? '', cookie, ...conditions].join('\n')
  }

  /** In siege's order: Authorization, Proxy-Authorization, Cookie, conditions. */
  #dynamicList(server: string | null, proxy: string | null, cookie: string): ConditionalField[] {
    return [
      ...(server === null ? [] : [{ name: authFieldNames.server, value: server }]),
      ...(proxy === null ? [] : [{ name: authFieldNames.proxy, value: proxy }]),
      ...(cookie === '' ? [] : [{ name: 'Cookie', value: cookie }]),
      ...this.#conditionalFields,
    ]
  }

  /** HOT (bench/macro/main.ts). */
  #spliced(request: PreparedRequest): OutgoingRequest {
    if (this.#scratchRequest === request && this.#scratchFields === this.#dynamicFields) {
      return this.#scratchOutgoing!
    }
    const byteCount = request.byteCountWith(this.#dynamicFields)
    if (this.#scratch === undefined || this.#scratch.length < byteCount) {
      // What it was before is not taken back: doubling bounds the sum.
      const room = Math.max(SCRATCH_BYTES_AT_FIRST, byteCount, 2 * (this.#scratch?.length ?? 0))
      this.#scratch = this.#runner.allocate(room)
    }
    const usedBytes = request.writeWith(this.#dynamicFields, this.#scratch)
    this.#scratchRequest = request
    this.#scratchFields = this.#dynamicFields
    const last = this.#scratchOutgoing
    // Making a view costs as much as filling it.
    if (
      last !== undefined &&
      last.bytes.length === usedBytes &&
      last.bytes.buffer === this.#scratch.buffer &&
      last.isHead === request.isHead &&
      last.isIdempotent === request.isIdempotent
    ) {
      return last
    }
    this.#scratchOutgoing = {
      bytes: this.#scratch.subarray(0, usedBytes),
      isHead: request.isHead,
      isIdempotent: request.isIdempotent,
    }
    return this.#scratchOutgoing
  }

  #forgetResponse(): void {
    this.#location = undefined
    this.#contentType = ''
    this.#contentEncoding = ''
    // Setting a length costs as much as a histogram's entry: for nothing, usually.
    if (this.#challenges.length > 0) this.#challenges.length = 0
    if (this.#proxyChallenges.length > 0) this.#proxyChallenges.length = 0
    this.#pageReader = null
    if (this.#owner.memory!.cache !== null) this.#cacheFields.clear()
  }

  // From the transport, about the response's head and body.

  header(name: string, value: string): void {
    this.#session?.response.addField(name, value)
    if (this.#browsing === null) return
    switch (name) {
      case 'set-cookie':
        this.#owner.memory!.storeCookie(value, this.#request, this.exchange.firstByteNs)
        break
      case 'location':
        this.#location ??= value
        break
      case 'content-type':
        this.#contentType = value
        break
      case 'content-encoding':
        this.#contentEncoding = value
        break
      case 'www-authenticate':
        this.#challenges.push(value)
        break
      case 'proxy-authenticate':
        this.#proxyChallenges.push(value)
        break
    }
    if (this.#owner.memory!.cache !== null) this.#cacheFields.add(name, value)
  }

  head(status: number): boolean {
    const readsBody = this.#session?.step.interest.readsBody ?? false
    if (this.#browsing === null) return readsBody
    const isPage = status >= 200 && status < 300 && this.#contentType !== ''
    if (!isPage || this.#browsing.plan.browse.resources === null) return readsBody
    this.#pageReader = this.#browsing.ports.pageReaders.readerFor({
      url: this.#request.url,
      contentType: this.#contentType,
      contentEncoding: this.#contentEncoding,
    })
    return readsBody || this.#pageReader !== null
  }

  /** HOT (bench/macro/main.ts). */
  body(bytes: Uint8Array, start: number, end: number): void {
    this.#pageReader?.receive(bytes, start, end)
    if (this.#session?.step.interest.readsBody === true) {
      this.#session.response.addBody(bytes, start, end)
    }
  }

  /** A request that could not be made: it counts as begun and failed. */
  failUnsent(nameIndex: number, text: string, nowNs: number, dueNs: number): void {
    const { exchange } = this
    exchange.reset(-1, nowNs)
    exchange.nameIndex = nameIndex
    exchange.dueNs = dueNs
    this.#runner.recorder.started(exchange)
    exchange.endNs = nowNs
    this.#runner.exchangeFailed(exchange, FailureKind.unsendable, text)
  }

  // From the connection, about the end of the exchange.

  /** HOT (bench/macro/main.ts). */
  exchangeCompleted(isConnectionKept: boolean): void {
    const { exchange } = this
    exchange.isConnectionKept = isConnectionKept
    const next = this.#browsing === null ? this.#judgePlain() : this.#judge(isConnectionKept)
    if (exchange.disqualification === Disqualification.none && this.#isEmptyInVain()) {
      exchange.disqualification = Disqualification.emptyBody
    }
    if (next === null) this.#session?.judge(exchange, this.#runner.recorder)
    this.#runner.exchangeCompleted(exchange)
    if (next === null) this.#readPage()
    else if (next === this.#request) this.#send(exchange.endNs, exchange.endNs)
    else this.#ask(next, exchange.endNs)
  }

  /** By FTP, which leads to nothing further. */
  transferCompleted(): void {
    this.#runner.exchangeCompleted(this.exchange)
    this.#end(emptyPage, this.exchange.endNs)
  }

  exchangeFailed(kind: FailureKindNumber, text: string): void {
    const { exchange } = this
    this.#runner.exchangeFailed(exchange, kind, text)
    this.#owner.fetchEnded(this, emptyPage, false, exchange.endNs)
  }

  #isEmptyInVain(): boolean {
    return (
      this.exchange.bodyBytes === 0 && this.#runner.failsEmptyBody(this.exchange, this.#request)
    )
  }

  /** Without logins a challenge is an end. */
  #judgePlain(): null {
    const { status } = this.exchange
    if (status === 401 || status === 407) {
      this.exchange.disqualification = Disqualification.rejected
    }
    return null
  }

  /** What this response leads to: the same request again, another one, or nothing more (null). */
  #judge(isConnectionKept: boolean): PreparedRequest | null {
    const { status } = this.exchange
    if (status === 401 || status === 407) return this.#judgeChallenge(status, isConnectionKept)
    const memory = this.#owner.memory!
    memory.auth.accepted(this.#turn, status, this.#login)
    if (memory.cache !== null) this.#noteInCache(status)
    if (mayRedirect(status) && this.#browsing!.plan.browse.followsRedirects) {
      const hop = nextHop(status, this.#location, this.#hopSource())
      if (hop.kind === 'hop') return this.#hopAgain(hop)
    }
    if (this.#isAuthenticating) return this.#judgeAuthentication(status)
    return status === STATUS_FORBIDDEN ? this.#nextAuthRequest() : null
  }

  #hopAgain(hop: Hop): PreparedRequest | null {
    if (++this.#hopCount > HOP_COUNT_MAX) {
      this.exchange.disqualification = Disqualification.redirectLimit
      return null
    }
    return this.#requestOf(hop)
  }

  #judgeChallenge(status: 401 | 407, isConnectionKept: boolean): PreparedRequest | null {
    const { auth } = this.#owner.memory!
    const decision = auth.challenged(this.#turn, {
      status,
      fieldValues: status === 401 ? this.#challenges : this.#proxyChallenges,
      connection: this.#login,
      isConnectionKept,
      unixMs: this.#browsing!.ports.unixMs(this.exchange.endNs),
    })
    if (decision.kind === 'retry') return this.#request
    this.exchange.disqualification = Disqualification.rejected
    return null
  }

  /** An `auth-url` has come to its end: the forbidden request once more, or the next of them. */
  #judgeAuthentication(status: number): PreparedRequest | null {
    if (status >= 400) return this.#nextAuthRequest()
    this.#isAuthenticating = false
    return this.#forbiddenRequest!
  }

  /** siege's `auth-url`: after a 403 the next one of the same host is asked for. */
  #nextAuthRequest(): PreparedRequest | null {
    const { authRequests } = this.#browsing!
    const { host } = (this.#forbiddenRequest ?? this.#request).facts.origin
    for (let index = this.#authRequestIndex + 1; index < authRequests.length; index++) {
      if (authRequests[index]!.facts.origin.host !== host) continue
      this.#authRequestIndex = index
      this.#forbiddenRequest ??= this.#request
      this.#isAuthenticating = true
      return authRequests[index]!
    }
    return null
  }

  #hopSource() {
    const { url, facts } = this.#request
    const { method, body } = facts
    return { url, method, hasBody: body !== null, keepsGivenCredentials: this.#sendsGiven }
  }

  #requestOf(hop: Hop): PreparedRequest {
    const { facts } = this.#request
    return this.#runner.requests.found({
      origin: hop.origin,
      method: hop.method,
      requestTarget: hop.requestTarget,
      body: hop.hasBody ? facts.body : null,
      contentType: hop.hasBody ? facts.contentType : null,
      credentials: hop.credentials,
      sendsGiven: hop.keepsGivenCredentials,
      nameIndex: facts.nameIndex,
    })
  }

  #lookUp(request: PreparedRequest, nowNs: number): readonly ConditionalField[] {
    const { cache } = this.#owner.memory!
    if (cache === null || request.facts.method !== 'GET') return noFields
    const answer = this.#isResource
      ? cache.lookUp(request.url, this.#browsing!.ports.unixMs(nowNs))
      : cache.lookUpPage(request.url)
    return answer.kind === 'conditional' ? answer.fields : noFields
  }

  #noteInCache(status: number): void {
    const { url, facts } = this.#request
    const cache = this.#owner.memory!.cache!
    const unixMs = this.#browsing!.ports.unixMs(this.exchange.endNs)
    if (facts.method === 'GET') cache.note(url, status, this.#cacheFields, unixMs)
    else if (facts.method !== 'HEAD' && status < 400) cache.invalidate(url)
  }

  /** The last response of the fetch is complete: what does its page consist of? */
  #readPage(): void {
    const reader = this.#pageReader
    if (reader === null) {
      this.#end(emptyPage, this.exchange.endNs)
      return
    }
    this.#pageReader = null
    const contents = reader.finish((late) => this.#pageRead(late))
    if (contents !== null) this.#pageRead(contents)
  }

  #pageRead(contents: PageContents): void {
    const nowNs = this.#runner.refreshNowNs()
    const { refreshUrl } = contents
    if (refreshUrl !== null && refreshUrl !== this.#request.url && this.#hopCount < HOP_COUNT_MAX) {
      const hop = refreshHop(refreshUrl, this.#hopSource())
      if (hop.kind === 'hop') {
        this.#hopCount++
        this.#owner.pageFound(this, contents)
        this.#ask(this.#requestOf(hop), nowNs)
        return
      }
    }
    this.#end(contents, nowNs)
  }

  #end(contents: PageContents, nowNs: number): void {
    this.#owner.fetchEnded(this, contents, !this.exchange.isError, nowNs)
  }
}
