/**
 * Everything a person can set about siege, as typed values: one field per row of `options.ts`.
 *
 * The table reads siegerc and command line into these fields; `settle.ts` then applies the rules
 * between them. Nothing here depends on the engine.
 */
import type { WatchSource } from '../fleet/watch.ts'
import type { HeaderField, WrittenLogin } from '../plan/option-readers.ts'
import type { OptionTable } from '../plan/option-table.ts'
import type { ProxyServer, ReactorWish } from '../plan/plan.ts'

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

export interface SiegeSettings {
  // What is asked for instead of a run.
  readonly showHelp: boolean
  readonly showVersion: boolean
  readonly showConfig: boolean

  // Load.
  readonly userCount: number
  /** `once`: the whole list once, shared out; null: no limit. */
  readonly iterations: number | 'once' | null
  readonly durationSeconds: number | null
  /** Pauses are drawn from 0 to this. */
  readonly delaySeconds: number
  readonly benchmark: boolean
  readonly internet: boolean
  readonly failureCountMax: number | null
  /** Cap on users; null: none. */
  readonly userCountLimit: number | null
  readonly threadCount: number
  /** None: threads run where the system wants. */
  readonly pinnedCpus: readonly number[]
  readonly reactor: ReactorWish
  /** New connections a second; null: no limit. */
  readonly connectRatePerS: number | null
  /** Where connections come from, in turn; empty: the system's choice. */
  readonly sourceAddresses: readonly string[]
  readonly seed: number | null

  // Targets.
  readonly urlsFile: string
  readonly url: string | null
  readonly urlEscaping: boolean
  readonly get: boolean
  readonly getMethod: 'GET' | 'HEAD'
  readonly print: boolean

  // Requests.
  readonly headers: readonly HeaderField[]
  /** Null: the built-in one. */
  readonly userAgent: string | null
  /** Null: form data, unless the body file's extension says otherwise. */
  readonly contentType: string | null
  readonly acceptEncoding: string
  readonly httpVersion: '1.0' | '1.1'
  readonly keepAlive: boolean
  readonly timeoutSeconds: number
  readonly zeroDataOk: boolean
  readonly chunked: boolean

  // What a browser does.
  readonly parser: boolean
  readonly noFollowHosts: readonly string[]
  readonly sameOrigin: boolean
  readonly srcset: boolean
  readonly preloads: boolean
  readonly cssResources: boolean
  readonly pageConnectionCount: number
  readonly followLocation: boolean
  readonly cookies: boolean
  readonly expireSession: boolean
  readonly cache: boolean

  // Logins and proxies.
  readonly logins: readonly WrittenLogin[]
  readonly loginUrls: readonly string[]
  readonly authUrls: readonly string[]
  readonly attemptCountMax: number
  /** Stands for the four below it; `settle.ts` spells it out in them. */
  readonly proxy: ProxyServer | null
  readonly proxyFromEnv: boolean
  readonly proxyHost: string | null
  readonly proxyType: 'http' | 'socks4' | 'socks5'
  readonly proxyPort: number
  readonly proxyLogins: readonly WrittenLogin[]
  readonly ftpLogins: readonly WrittenLogin[]
  readonly uniqueUploads: boolean

  // TLS.
  readonly verify: boolean
  readonly caFile: string | null
  readonly certFile: string | null
  readonly keyFile: string | null
  readonly ciphers: string | null
  /** In Node's words, which sort as the versions do. */
  readonly tlsVersionMin: TlsVersion | null
  readonly tlsVersionMax: TlsVersion | null
  readonly tlsResume: boolean
  readonly tlsSessionSeconds: number

  // Output.
  readonly verbose: boolean
  readonly quiet: boolean
  readonly debug: boolean
  readonly json: boolean
  readonly classic: boolean
  readonly color: boolean
  readonly csv: boolean
  readonly timestamp: boolean
  readonly fullUrl: boolean
  readonly displayId: boolean
  readonly spinner: boolean

  // Files.
  readonly rcFile: string | null
  readonly logging: boolean
  readonly logFile: string
  /** `-l` as given: null when it is not, empty without a FILE. */
  readonly logOption: string | null
  readonly mark: string | null
  readonly showLogFile: boolean
  readonly htmlFile: string | null

  /** Numbers of the server's to sample beside the run. */
  readonly watches: readonly WatchSource[]
}

/** A part of the option table. */
export type SiegeRows<Key extends keyof SiegeSettings> = Pick<OptionTable<SiegeSettings>, Key>
