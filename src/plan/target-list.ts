/**
 * The requests of a run, kept as columns and one arena of bytes in shared memory.
 *
 * `TargetListData` is plain data over SharedArrayBuffers, so that structured clone hands a million
 * targets to a thread without copying one. `TargetListBuilder` fills it, `TargetList` reads it.
 * It knows nothing of the text that targets are written in (`url-list.ts`, `target-url.ts`).
 *
 * Trick: in every optional column 0 means "none" and n means index n - 1, so a column that a list
 * does not use is never written to and its zero pages never take memory.
 */
import { invariant, UsageError } from '../base/errors.ts'
import { latin1FromBytes } from './latin1.ts'

export type Scheme = 'http' | 'https' | 'ftp'

export interface Origin {
  readonly scheme: Scheme
  /** Name or address, lower case, IPv6 without brackets but with its zone. */
  readonly host: string
  readonly port: number
  /** For the Host field: host, brackets for IPv6, port unless it is the scheme's own; no zone. */
  readonly authority: string
}

export interface Credentials {
  readonly user: string
  readonly password: string
}

/** One line of a URL list, or one URL of a command line, taken apart. */
export interface TargetSpec {
  readonly origin: Origin
  readonly method: string
  /** Path and query as sent: starts with `/`, or is `*` for OPTIONS. Bytes as latin1 text. */
  readonly requestTarget: string
  readonly body: Uint8Array | StoredBody | null
  /** From `-T type;` in the line, or guessed from the body file's extension; null: the default. */
  readonly contentType: string | null
  /** Whether the line itself named the type; a guess gives way to the type for the whole run. */
  readonly isContentTypeExplicit: boolean
  readonly credentials: Credentials | null
}

/** A body that lies in the arena already, from `storeBody()` of the same builder. */
export interface StoredBody {
  readonly arenaOffset: number
  readonly byteCount: number
}

/** See `TargetList` for what the columns mean; made by `TargetListBuilder.build()` only. */
export interface TargetListData {
  readonly count: number
  readonly origins: readonly Origin[]
  readonly methods: readonly string[]
  readonly contentTypes: readonly string[]
  readonly credentials: readonly Credentials[]
  readonly arena: Uint8Array
  readonly columns: TargetColumns
}

/** One entry per target. `...Plus1` columns: 0 is none. */
export interface TargetColumns {
  readonly originIndex: Uint32Array
  readonly methodIndex: Uint8Array
  readonly requestTargetOffset: Uint32Array
  readonly requestTargetBytes: Uint32Array
  readonly bodyOffset: Uint32Array
  readonly bodyBytesPlus1: Uint32Array
  /** Twice the index into `contentTypes`, plus 1 when the line named it; plus 1. */
  readonly contentTypePlus1: Uint32Array
  readonly credentialsPlus1: Uint32Array
  /** 1-based line of the list, or number of the operand; 0: unknown. */
  readonly sourceLine: Uint32Array
}

/** Reads `TargetListData`; one per thread. Indexes are 0 to `count - 1` and are not checked. */
export class TargetList {
  readonly count: number
  readonly origins: readonly Origin[]
  readonly methods: readonly string[]
  readonly #data: TargetListData
  readonly #columns: TargetColumns
  readonly #arena: Uint8Array

  constructor(data: TargetListData) {
    this.count = data.count
    this.origins = data.origins
    this.methods = data.methods
    this.#data = data
    this.#columns = data.columns
    this.#arena = data.arena
  }

  originIndexOf(index: number): number {
    return this.#columns.originIndex[index]!
  }

  /** Index into `methods`. */
  methodIndexOf(index: number): number {
    return this.#columns.methodIndex[index]!
  }

  methodOf(index: number): string {
    return this.methods[this.#columns.methodIndex[index]!]!
  }

  /** Path and query as latin1 text; makes a string each time. */
  requestTargetOf(index: number): string {
    const start = this.#columns.requestTargetOffset[index]!
    return latin1FromBytes(this.#arena, start, start + this.#columns.requestTargetBytes[index]!)
  }

  /** A view on the path and query: read only, valid for ever, shared by all threads. */
  requestTargetBytes(index: number): Uint8Array {
    const start = this.#columns.requestTargetOffset[index]!
    return this.#arena.subarray(start, start + this.#columns.requestTargetBytes[index]!)
  }

  requestTargetByteCountOf(index: number): number {
    return this.#columns.requestTargetBytes[index]!
  }

  /**
   * Writes the path and query at `at` and returns where they end; `into` must have the room.
   * HOT (bench/micro/url-list.bench.ts): no allocation for up to 64 bytes.
   */
  copyRequestTarget(index: number, into: Uint8Array, at: number): number {
    const start = this.#columns.requestTargetOffset[index]!
    return copyBytes(this.#arena, start, start + this.#columns.requestTargetBytes[index]!, into, at)
  }

  /** A view on the body (empty for an empty one), or null for a request without a body. */
  bodyOf(index: number): Uint8Array | null {
    const bytesPlus1 = this.#columns.bodyBytesPlus1[index]!
    if (bytesPlus1 === 0) return null
    const start = this.#columns.bodyOffset[index]!
    return this.#arena.subarray(start, start + bytesPlus1 - 1)
  }

  /** -1 for a request without a body. */
  bodyByteCountOf(index: number): number {
    return this.#columns.bodyBytesPlus1[index]! - 1
  }

  contentTypeOf(index: number): string | null {
    const plus1 = this.#columns.contentTypePlus1[index]!
    return plus1 === 0 ? null : this.#data.contentTypes[(plus1 - 1) >>> 1]!
  }

  /** Whether the line itself named the type, which then beats the type set for the whole run. */
  isContentTypeExplicit(index: number): boolean {
    const plus1 = this.#columns.contentTypePlus1[index]!
    return plus1 !== 0 && ((plus1 - 1) & 1) === 1
  }

  credentialsOf(index: number): Credentials | null {
    const plus1 = this.#columns.credentialsPlus1[index]!
    return plus1 === 0 ? null : this.#data.credentials[plus1 - 1]!
  }

  /** 1-based line of the list, or number of the operand, that the target came from; 0: unknown. */
  sourceLineOf(index: number): number {
    return this.#columns.sourceLine[index]!
  }

  /** The absolute URL for display, as latin1 text and without credentials. */
  urlOf(index: number): string {
    const origin = this.origins[this.originIndexOf(index)]!
    const requestTarget = this.requestTargetOf(index)
    // RFC 9112 section 3.2.4: `*` is what a URL with an empty path stands for.
    return `${originText(origin)}${requestTarget === '*' ? '' : requestTarget}`
  }
}

/** `scheme://authority` */
export function originText(origin: Origin): string {
  return `${origin.scheme}://${origin.authority}`
}

/** Room to start with; more is taken when needed. Room that is never used takes no memory. */
export interface TargetRoom {
  readonly targetCount: number
  readonly arenaBytes: number
}

const ROOM_MIN: TargetRoom = { targetCount: 16, arenaBytes: 1024 }
/** Offsets are 32 bits wide. */
const ARENA_BYTES_MAX = 2 ** 32 - 1
const METHOD_COUNT_MAX = 256

/** Collects targets. Everything given to it is copied. */
export class TargetListBuilder {
  readonly #origins: Interned<Origin> = new Interned()
  readonly #methods: Interned<string> = new Interned()
  readonly #contentTypes: Interned<string> = new Interned()
  readonly #credentials: Interned<Credentials> = new Interned()
  #lastOrigin: Origin | null = null
  #lastOriginIndex = 0
  #arena: Uint8Array
  #arenaBytes = 0
  #columns: TargetColumns
  #count = 0
  #isBuilt = false

  constructor(room: TargetRoom = ROOM_MIN) {
    const arenaBytes = Math.min(Math.max(room.arenaBytes, ROOM_MIN.arenaBytes), ARENA_BYTES_MAX)
    this.#arena = new Uint8Array(new SharedArrayBuffer(arenaBytes))
    this.#columns = newColumns(Math.max(room.targetCount, ROOM_MIN.targetCount))
    // Index 0 is what a column holds unless it is written to: addPlain() relies on it.
    this.#methodIndex('GET')
  }

  get count(): number {
    return this.#count
  }

  /** @throws {UsageError} when paths and bodies together exceed 4 GiB. */
  add(spec: TargetSpec, sourceLine = 0): void {
    const originIndex = this.originIndex(spec.origin)
    const index = this.#newTarget(originIndex, sourceLine)
    const columns = this.#columns
    columns.methodIndex[index] = this.#methodIndex(spec.method)
    const requestTarget = spec.requestTarget
    const offset = this.#reserve(requestTarget.length)
    for (let at = 0; at < requestTarget.length; at++) {
      this.#arena[offset + at] = requestTarget.charCodeAt(at)
    }
    columns.requestTargetOffset[index] = offset
    columns.requestTargetBytes[index] = requestTarget.length
    if (spec.body !== null) {
      const body = 'arenaOffset' in spec.body ? spec.body : this.storeBody(spec.body)
      columns.bodyOffset[index] = body.arenaOffset
      columns.bodyBytesPlus1[index] = body.byteCount + 1
    }
    if (spec.contentType !== null) {
      const typeIndex = this.#contentTypes.indexOf(spec.contentType, spec.contentType)
      columns.contentTypePlus1[index] = 2 * typeIndex + (spec.isContentTypeExplicit ? 1 : 0) + 1
    }
    if (spec.credentials !== null) {
      const key = JSON.stringify([spec.credentials.user, spec.credentials.password])
      columns.credentialsPlus1[index] = this.#credentials.indexOf(key, spec.credentials) + 1
    }
  }

  /**
   * Adds a GET of the bytes from `start` to `end` (exclusive), a path and query as sent.
   * HOT (bench/micro/url-list.bench.ts): once per line of a list of millions, hence no object.
   */
  addPlain(
    originIndex: number,
    sourceLine: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): void {
    const index = this.#newTarget(originIndex, sourceLine)
    const offset = this.#reserve(end - start)
    copyBytes(bytes, start, end, this.#arena, offset)
    this.#columns.requestTargetOffset[index] = offset
    this.#columns.requestTargetBytes[index] = end - start
  }

  /** Copies a body into the arena, for one target or for many. */
  storeBody(bytes: Uint8Array): StoredBody {
    const arenaOffset = this.#reserve(bytes.length)
    this.#arena.set(bytes, arenaOffset)
    return { arenaOffset, byteCount: bytes.length }
  }

  /** The index of `origin` in the list being built, which it becomes part of. */
  originIndex(origin: Origin): number {
    // Lists repeat the same object; hashing the key of a body line costs as much as reading it.
    if (origin !== this.#lastOrigin) {
      const key = `${origin.scheme}://${origin.host} ${origin.port}`
      this.#lastOriginIndex = this.#origins.indexOf(key, origin)
      this.#lastOrigin = origin
    }
    return this.#lastOriginIndex
  }

  /** The finished list, which owns the memory from now on: nothing can be added afterwards. */
  build(): TargetListData {
    this.#isBuilt = true
    return {
      count: this.#count,
      origins: this.#origins.values,
      methods: this.#methods.values,
      contentTypes: this.#contentTypes.values,
      credentials: this.#credentials.values,
      arena: this.#arena.subarray(0, this.#arenaBytes),
      columns: columnViews(this.#columns, this.#count),
    }
  }

  #methodIndex(method: string): number {
    const index = this.#methods.indexOf(method, method)
    invariant(index < METHOD_COUNT_MAX, 'a list has at most 256 different methods')
    return index
  }

  #newTarget(originIndex: number, sourceLine: number): number {
    invariant(!this.#isBuilt, 'nothing is added to a finished list')
    const index = this.#count
    if (index === this.#columns.sourceLine.length) {
      this.#columns = grownColumns(this.#columns, index * 2)
    }
    this.#columns.originIndex[index] = originIndex
    this.#columns.sourceLine[index] = sourceLine
    this.#count = index + 1
    return index
  }

  /** Takes `byteCount` bytes of the arena and returns where they start. */
  #reserve(byteCount: number): number {
    const offset = this.#arenaBytes
    const end = offset + byteCount
    if (end > this.#arena.length) this.#growArena(end)
    this.#arenaBytes = end
    return offset
  }

  #growArena(bytesMin: number): void {
    if (bytesMin > ARENA_BYTES_MAX) {
      throw new UsageError('the URLs and bodies together take more than 4 GiB; use a shorter list')
    }
    const arenaBytes = Math.min(Math.max(2 * this.#arena.length, bytesMin), ARENA_BYTES_MAX)
    const arena = new Uint8Array(new SharedArrayBuffer(arenaBytes))
    arena.set(this.#arena.subarray(0, this.#arenaBytes))
    this.#arena = arena
  }
}

/** Values of which each is kept once, found by a key. */
class Interned<Value> {
  readonly values: Value[] = []
  readonly #indexes: Map<string, number> = new Map()

  /** The index of the value with this key; `value` is added if there is none. */
  indexOf(key: string, value: Value): number {
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const index = this.values.push(value) - 1
    this.#indexes.set(key, index)
    return index
  }
}

function newColumns(capacity: number): TargetColumns {
  return {
    originIndex: sharedUint32(capacity),
    methodIndex: new Uint8Array(new SharedArrayBuffer(capacity)),
    requestTargetOffset: sharedUint32(capacity),
    requestTargetBytes: sharedUint32(capacity),
    bodyOffset: sharedUint32(capacity),
    bodyBytesPlus1: sharedUint32(capacity),
    contentTypePlus1: sharedUint32(capacity),
    credentialsPlus1: sharedUint32(capacity),
    sourceLine: sharedUint32(capacity),
  }
}

function sharedUint32(capacity: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(capacity * Uint32Array.BYTES_PER_ELEMENT))
}

function grownColumns(old: TargetColumns, capacity: number): TargetColumns {
  const columns = newColumns(capacity)
  for (const name of columnNames(old)) columns[name].set(old[name])
  return columns
}

function columnViews(columns: TargetColumns, count: number): TargetColumns {
  return {
    originIndex: columns.originIndex.subarray(0, count),
    methodIndex: columns.methodIndex.subarray(0, count),
    requestTargetOffset: columns.requestTargetOffset.subarray(0, count),
    requestTargetBytes: columns.requestTargetBytes.subarray(0, count),
    bodyOffset: columns.bodyOffset.subarray(0, count),
    bodyBytesPlus1: columns.bodyBytesPlus1.subarray(0, count),
    contentTypePlus1: columns.contentTypePlus1.subarray(0, count),
    credentialsPlus1: columns.credentialsPlus1.subarray(0, count),
    sourceLine: columns.sourceLine.subarray(0, count),
  }
}

function columnNames(columns: TargetColumns): (keyof TargetColumns)[] {
  // Object.keys loses the type; the objects come from newColumns() and have no other keys.
  return Object.keys(columns) as (keyof TargetColumns)[]
}

/** Below this a loop beats the call of `TypedArray.set`. */
const LOOP_BYTES_MAX = 64

/** Copies the bytes from `start` to `end` (exclusive) to `at` and returns where they end there. */
function copyBytes(
  from: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
): number {
  if (end - start > LOOP_BYTES_MAX) {
    into.set(from.subarray(start, end), at)
  } else {
    for (let source = start, sink = at; source < end; source++, sink++) into[sink] = from[source]!
  }
  return at + end - start
}
