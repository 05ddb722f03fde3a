/**
 * The requests of a run as bytes, made once and used by every user of a thread.
 *
 * A list of up to `CACHED_TARGET_COUNT_MAX` targets is encoded on first use and kept. A longer one
 * is encoded anew for each request, so that a million lines do not cost a million heads of memory.
 * What turns up while the run goes on (redirects, page resources) is kept up to a bound, too, but
 * not in the reactor's memory, which is never taken back.
 */
import type { Plan } from '../plan/plan.ts'
import {
  type Credentials,
  type Origin,
  TargetList,
  type TargetListData,
} from '../plan/target-list.ts'
import { RequestEncoder, type RequestTemplate, spliceDynamic } from '../wire/h1-request.ts'
import { type FormEntries, RequestForm } from '../wire/request-form.ts'
import type { Route, Routes } from './route.ts'
import type { OutgoingRequest } from './transport.ts'

const CACHED_TARGET_COUNT_MAX = 65_536
const CACHED_FOUND_COUNT_MAX = 10_000

/** What is asked for, and how it is told apart in reports. */
export interface RequestFacts {
  readonly origin: Origin
  readonly method: string
  /** Path and query. */
  readonly requestTarget: string
  /** Position in the plan's list; -1 for what turned up in the run. */
  readonly targetIndex: number
  readonly body: Uint8Array | null
  readonly contentType: string | null
  readonly credentials: Credentials | null
  /** Whether it carries the Authorization and Cookie fields that a person gave. */
  readonly sendsGiven: boolean
  /** Position in the plan's `requestNames`; -1: none. */
  readonly nameIndex: number
}

/** Where the bytes of a request come from. */
interface RequestSource {
  readonly isHead: boolean
  readonly isIdempotent: boolean
  /** Size of the request with these lines added. */
  byteCountWith(dynamicFields: Uint8Array): number
  /** The request with these lines, written to the begin of `into`. */
  writeWith(dynamicFields: Uint8Array, into: Uint8Array): number
}

/** Made whole, before it is sent. */
class WholeRequest implements RequestSource {
  readonly isHead: boolean
  readonly isIdempotent: boolean
  readonly #template: RequestTemplate

  constructor(template: RequestTemplate) {
    this.isHead = template.isHead
    this.isIdempotent = template.isIdempotent
    this.#template = template
  }

  byteCountWith(dynamicFields: Uint8Array): number {
    return this.#template.bytes.length + dynamicFields.length
  }

  writeWith(dynamicFields: Uint8Array, into: Uint8Array): number {
    return spliceDynamic(this.#template, dynamicFields, into)
  }
}

/** Made when it is sent, and only once. */
class FilledForm implements RequestSource {
  readonly isHead: boolean
  readonly isIdempotent: boolean
  readonly #form: RequestForm
  readonly #entries: FormEntries

  constructor(form: RequestForm, entries: FormEntries) {
    this.isHead = form.isHead
    this.isIdempotent = form.isIdempotent
    this.#form = form
    this.#entries = entries
  }

  byteCountWith(dynamicFields: Uint8Array): number {
    return this.#form.byteCount(this.#entries, dynamicFields)
  }

  writeWith(dynamicFields: Uint8Array, into: Uint8Array): number {
    return this.#form.write(this.#entries, dynamicFields, into)
  }
}

const noBytes = new Uint8Array(0)

/** A request ready to be sent. The bytes belong to the book and never change. */
export class PreparedRequest implements OutgoingRequest {
  readonly facts: RequestFacts
  readonly route: Route
  readonly bytes: Uint8Array
  readonly isHead: boolean
  readonly isIdempotent: boolean
  readonly isSecure: boolean
  readonly isFtp: boolean
  /**
   * Its bytes are not the reactor's: they are copied before they are sent. So are those of a request
   * that is made anew each time.
   */
  readonly isTransient: boolean
  readonly #source: RequestSource
  #url: string | undefined
  #originKey: string | undefined

  /** `bytes`: those of the source where the reactor can send them from; null: nowhere yet. */
  constructor(facts: RequestFacts, route: Route, source: RequestSource, bytes: Uint8Array | null) {
    this.isTransient = bytes === null
    this.facts = facts
    this.route = route
    this.#source = source
    this.bytes = bytes ?? noBytes
    this.isHead = source.isHead
    this.isIdempotent = source.isIdempotent
    this.isSecure = facts.origin.scheme === 'https'
    this.isFtp = facts.origin.scheme === 'ftp'
  }

  /** Absolute URL without credentials and fragment. */
  get url(): string {
    const { scheme, authority } = this.facts.origin
    this.#url ??= `${scheme}://${authority}${this.facts.requestTarget}`
    return this.#url
  }

  /** Equal for equal origins only. */
  get originKey(): string {
    const { scheme, host, port } = this.facts.origin
    this.#originKey ??= `${scheme} ${host} ${port}`
    return this.#originKey
  }

  /** Size of the request with these lines added. */
  byteCountWith(dynamicFields: Uint8Array): number {
    return this.#source.byteCountWith(dynamicFields)
  }

  /** HOT (bench/macro/main.ts). The request with these lines, written to the begin of `into`. */
  writeWith(dynamicFields: Uint8Array, into: Uint8Array): number {
    return this.#source.writeWith(dynamicFields, into)
  }
}

export class RequestBook {
  readonly targets: TargetList
  readonly #routes: Routes
  readonly #allocate: (byteCount: number) => Uint8Array
  readonly #encoder: RequestEncoder
  /** For the steps of a login that belongs to its connection. */
  readonly #keptEncoder: RequestEncoder
  /** Without what a person gave for the first origin alone. */
  readonly #strangerEncoder: RequestEncoder
  /** A person gave fields that are meant for one origin. */
  readonly #hasGiven: boolean
  readonly #guessesAreBeaten: boolean
  readonly #keepsAlive: boolean
  readonly #targetNameIndexes: Uint32Array | undefined
  readonly #cache: (PreparedRequest | undefined)[]
  /** What the last request of a list that is not kept was made by: neighbours are alike. */
  #lastForm:
    | {
        readonly origin: Origin
        readonly method: string
        readonly contentType: string | null
        readonly route: Route
        readonly form: RequestForm
      }
    | undefined
  /** By method and URL; only requests without a body. Oldest first. */
  readonly #found = new Map<string, PreparedRequest>()

  constructor(plan: Plan, routes: Routes, allocate: (byteCount: number) => Uint8Array) {
    this.targets = new TargetList(plan.targets)
    this.#routes = routes
    this.#allocate = allocate
    this.#targetNameIndexes = plan.targetNameIndexes
    const { httpVersion, head } = plan.request
    this.#encoder = new RequestEncoder(httpVersion, head)
    this.#keptEncoder = new RequestEncoder(
      httpVersion,
      head.map((field) =>
        field.kind === 'fixed' && field.name.toLowerCase() === 'connection'
          ? { ...field, value: 'keep-alive' }
          : field,
      ),
    )
    this.#strangerEncoder = new RequestEncoder(
      httpVersion,
      head.filter((field) => field.kind !== 'fixed' || !isGivenCredential(field.name)),
    )
    this.#hasGiven =
      (plan.browse.cookies?.given.length ?? 0) > 0 ||
      head.some((field) => field.kind === 'fixed' && isGivenCredential(field.name))
    this.#guessesAreBeaten = head.some(
      (field) => field.kind === 'content-type' && field.beatsGuess === true,
    )
    this.#keepsAlive = plan.connection.keepAlive
    const isCached = this.targets.count <= CACHED_TARGET_COUNT_MAX
    this.#cache = isCached ? new Array(this.targets.count).fill(undefined) : []
  }

  /** HOT (bench/macro/main.ts). The request for a target of the plan's list. */
  requestOf(targetIndex: number): PreparedRequest {
    const cached = this.#cache[targetIndex]
    if (cached !== undefined) return cached
    const facts = this.#factsOf(this.targets, targetIndex, targetIndex)
    if (this.#cache.length === 0) return this.#filledAnew(facts)
    const request = this.#kept(facts)
    this.#cache[targetIndex] = request
    return request
  }

  /** Of a list that is too long to be kept. */
  #filledAnew(facts: RequestFacts): PreparedRequest {
    const { origin, method, contentType } = facts
    const last = this.#lastForm
    if (
      last !== undefined &&
      last.origin === origin &&
      last.method === method &&
      last.contentType === contentType
    ) {
      return this.filled(facts, last.route, last.form, '')
    }
    const route = this.#routes.routeOf(origin)
    const common = { method, authority: origin.authority, contentType }
    const form = new RequestForm(this.#encoder, common)
    this.#lastForm = { origin, method, contentType, route, form }
    return this.filled(facts, route, form, '')
  }

  /** The requests of a list beside the plan's own, such as logins; all of them, at once. */
  requestsOf(data: TargetListData): PreparedRequest[] {
    const targets = new TargetList(data)
    return Array.from({ length: targets.count }, (_, index) =>
      this.#kept(this.#factsOf(targets, index, -1)),
    )
  }

  routeOf(origin: Origin): Route {
    return this.#routes.routeOf(origin)
  }

  /** A request of a scripted session that is the same each time. */
  scripted(facts: RequestFacts, encoder: RequestEncoder): PreparedRequest {
    return this.#kept(facts, encoder)
  }

  /** HOT (bench/macro/main.ts). One that is sent once; `lines` go before fields that change. */
  filled(facts: RequestFacts, route: Route, form: RequestForm, lines: string): PreparedRequest {
    const { origin, body } = facts
    const requestTarget = targetOn(route, origin, facts.requestTarget)
    return new PreparedRequest(
      facts,
      route,
      new FilledForm(form, { requestTarget, lines, body }),
      null,
    )
  }

  /** A request for what turned up in the run. */
  found(facts: Omit<RequestFacts, 'targetIndex'>): PreparedRequest {
    const isPlain = facts.body === null && facts.credentials === null
    if (!isPlain) return this.#passing({ ...facts, targetIndex: -1 })
    const { scheme, authority } = facts.origin
    const kind = `${facts.method} ${facts.sendsGiven} ${facts.nameIndex}`
    const key = `${kind} ${scheme}://${authority}${facts.requestTarget}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const request = this.#passing({ ...facts, targetIndex: -1 })
    this.#keep(key, request)
    return request
  }

  /**
   * A GET of an absolute URL of http or https, as page resources are. What a person gave for the
   * page's origin goes to no other.
   */
  resource(url: string, pageOriginKey: string): PreparedRequest {
    const known = this.#found.get(url)
    if (known !== undefined) return this.#forPageOf(known, url, pageOriginKey)
    const parsed = new URL(url)
    const scheme = parsed.protocol === 'https:' ? 'https' : 'http'
    const standardPort = scheme === 'https' ? 443 : 80
    const request = this.#passing({
      origin: {
        scheme,
        host: parsed.hostname.replace(/^\[|\]$/g, ''),
        port: parsed.port === '' ? standardPort : Number(parsed.port),
        authority: parsed.host,
      },
      method: 'GET',
      requestTarget: parsed.pathname + parsed.search,
      targetIndex: -1,
      body: null,
      contentType: null,
      credentials: null,
      sendsGiven: true,
      nameIndex: -1,
    })
    this.#keep(url, request)
    return this.#forPageOf(request, url, pageOriginKey)
  }

  #forPageOf(request: PreparedRequest, url: string, pageOriginKey: string): PreparedRequest {
    if (!this.#hasGiven || request.originKey === pageOriginKey) return request
    const key = `stranger ${url}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const stranger = this.#passing({ ...request.facts, sendsGiven: false })
    this.#keep(key, stranger)
    return stranger
  }

  #keep(key: string, request: PreparedRequest): void {
    this.#found.set(key, request)
    if (this.#found.size <= CACHED_FOUND_COUNT_MAX) return
    for (const oldest of this.#found.keys()) {
      this.#found.delete(oldest)
      return
    }
  }

  /** The same request, asking the server to keep the connection. */
  keptAlive(request: PreparedRequest): PreparedRequest {
    if (this.#keepsAlive) return request
    return this.#passing(request.facts, this.#keptEncoder)
  }

  #factsOf(targets: TargetList, index: number, targetIndex: number): RequestFacts {
    return {
      origin: targets.origins[targets.originIndexOf(index)]!,
      method: targets.methodOf(index),
      requestTarget: targets.requestTargetOf(index),
      targetIndex,
      body: targets.bodyOf(index),
      contentType: this.#contentTypeOf(targets, index),
      credentials: targets.credentialsOf(index),
      sendsGiven: true,
      nameIndex: targetIndex < 0 ? -1 : (this.#targetNameIndexes?.[targetIndex] ?? -1),
    }
  }

  /** The target's own type, unless it is only a guess and the plan's type beats guesses. */
  #contentTypeOf(targets: TargetList, index: number): string | null {
    const isGuess = !targets.isContentTypeExplicit(index)
    return isGuess && this.#guessesAreBeaten ? null : targets.contentTypeOf(index)
  }

  /**
   * For what is sent as long as the run lasts: memory of the reactor's, which is never taken back.
   * There must be a bound on how many there are.
   */
  #kept(facts: RequestFacts, encoder: RequestEncoder = this.#encoder): PreparedRequest {
    const { route, template } = this.#encoded(facts, encoder)
    return new PreparedRequest(facts, route, new WholeRequest(template), this.#keptBytes(template))
  }

  /** For what turns up, of which there may be any number: it is copied when it is sent. */
  #passing(facts: RequestFacts, given?: RequestEncoder): PreparedRequest {
    const encoder = given ?? (facts.sendsGiven ? this.#encoder : this.#strangerEncoder)
    const { route, template } = this.#encoded(facts, encoder)
    return new PreparedRequest(facts, route, new WholeRequest(template), null)
  }

  #encoded(facts: RequestFacts, encoder: RequestEncoder) {
    const { origin, method, requestTarget, body, contentType } = facts
    const route = this.#routes.routeOf(origin)
    const template = encoder.encode({
      method,
      requestTarget: targetOn(route, origin, requestTarget),
      authority: origin.authority,
      body,
      contentType,
    })
    return { route, template }
  }

  #keptBytes(template: RequestTemplate): Uint8Array {
    const bytes = this.#allocate(template.bytes.length)
    bytes.set(template.bytes)
    return bytes
  }
}

/** An HTTP proxy wants to be told the whole URL (RFC 9112 section 3.2.2). */
function targetOn(route: Route, { authority }: Origin, requestTarget: string): string {
  return route.isProxied ? `http://${authority}${requestTarget}` : requestTarget
}

function isGivenCredential(name: string): boolean {
  return /^(?:authorization|cookie)$/i.test(name)
}
