/** Draft of the shape; the implementation follows. */

export interface Origin {
  readonly scheme: 'http' | 'https' | 'ftp'
  /** Name or address, lower case, IPv6 without brackets. */
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
  readonly body: Uint8Array | null
  /** From `-T type;` in the line, or guessed from the body file's extension; null: the default. */
  readonly contentType: string | null
  readonly credentials: Credentials | null
}

/**
 * Targets in memory shared by all threads: a million take about 60 MB and no object each.
 * Plain typed arrays over SharedArrayBuffers, so that structured clone hands it to a thread.
 */
export interface TargetListData {
  readonly count: number
  readonly origins: readonly Origin[]
  readonly methods: readonly string[]
  readonly contentTypes: readonly string[]
  readonly credentials: readonly Credentials[]
  readonly arena: Uint8Array
  // ... columns
}

/** Reads `TargetListData`; one per thread. */
export interface TargetList {
  readonly count: number
  readonly origins: readonly Origin[]
  originIndexOf(index: number): number
  methodOf(index: number): string
  requestTargetOf(index: number): string
  bodyOf(index: number): Uint8Array | null
  contentTypeOf(index: number): string | null
  credentialsOf(index: number): Credentials | null
}
