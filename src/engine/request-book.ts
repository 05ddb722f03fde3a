/**
 * The requests of a run as bytes, made once and used by every user of a thread.
 *
 * A list of up to `CACHED_TARGET_COUNT_MAX` targets is encoded on first use and kept. A longer one
 * is encoded anew for each request, so that a million lines do not cost a million heads of memory.
 */
import type { Plan } from '../plan/plan.ts'
import { TargetList } from '../plan/target-list.ts'
import { RequestEncoder } from '../wire/h1-request.ts'

const CACHED_TARGET_COUNT_MAX = 65_536

/** A request ready to be sent. The bytes belong to the book and never change. */
export interface PreparedRequest {
  readonly originIndex: number
  readonly bytes: Uint8Array
  /** Where fields that change from request to request are to be put in. */
  readonly dynamicOffset: number
  readonly isHead: boolean
  /** May be sent once more when a pooled connection turns out to be dead (RFC 9110 9.2.2). */
  readonly isIdempotent: boolean
}

export class RequestBook {
  readonly targets: TargetList
  readonly #encoder: RequestEncoder
  readonly #allocate: (byteCount: number) => Uint8Array
  readonly #guessesAreBeaten: boolean
  readonly #cache: (PreparedRequest | undefined)[]

  constructor(plan: Plan, allocate: (byteCount: number) => Uint8Array) {
    this.#encoder = new RequestEncoder(plan.request.httpVersion, plan.request.head)
    this.targets = new TargetList(plan.targets)
    this.#allocate = allocate
    this.#guessesAreBeaten = plan.request.head.some(
      (field) => field.kind === 'content-type' && field.beatsGuess === true,
    )
    const isCached = this.targets.count <= CACHED_TARGET_COUNT_MAX
    this.#cache = isCached ? new Array(this.targets.count).fill(undefined) : []
  }

  requestOf(targetIndex: number): PreparedRequest {
    const cached = this.#cache[targetIndex]
    if (cached !== undefined) return cached
    const request = this.#encode(targetIndex)
    if (this.#cache.length > 0) this.#cache[targetIndex] = request
    return request
  }

  /** The target's own type, unless it is only a guess and the plan's type beats guesses. */
  #contentTypeOf(targetIndex: number): string | null {
    const isGuess = !this.targets.isContentTypeExplicit(targetIndex)
    return isGuess && this.#guessesAreBeaten ? null : this.targets.contentTypeOf(targetIndex)
  }

  #encode(targetIndex: number): PreparedRequest {
    const { targets } = this
    const originIndex = targets.originIndexOf(targetIndex)
    const template = this.#encoder.encode({
      method: targets.methodOf(targetIndex),
      requestTarget: targets.requestTargetOf(targetIndex),
      authority: targets.origins[originIndex]!.authority,
      body: targets.bodyOf(targetIndex),
      contentType: this.#contentTypeOf(targetIndex),
    })
    const bytes = this.#allocate(template.bytes.length)
    bytes.set(template.bytes)
    return {
      originIndex,
      bytes,
      dynamicOffset: template.dynamicOffset,
      isHead: template.isHead,
      isIdempotent: template.isIdempotent,
    }
  }
}
