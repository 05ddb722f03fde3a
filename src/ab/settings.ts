/**
 * Everything a person can say on ab's command line, as typed values: one field per row of
 * `options.ts`. What the values mean together is decided in `command-line.ts`.
 */
import type { ReactorWish } from '../plan/plan.ts'

export interface AbSettings {
  readonly requestCount: number
  readonly concurrency: number
  /** Seconds; 0: none. */
  readonly timeLimit: number
  /** Seconds; below 0: none. */
  readonly timeout: number
  readonly windowBytes: number
  readonly bindAddress: string | null
  readonly postFile: string | null
  readonly contentType: string
  readonly putFile: string | null
  readonly verbosity: number
  readonly html: boolean
  readonly head: boolean
  readonly tableAttributes: string
  readonly rowAttributes: string
  readonly cellAttributes: string
  readonly cookies: readonly string[]
  /** Lines as given, with whatever stands in them. */
  readonly headers: readonly string[]
  readonly logins: readonly string[]
  readonly proxyLogins: readonly string[]
  readonly proxy: string | null
  readonly showVersion: boolean
  readonly keepAlive: boolean
  readonly hidesPercentiles: boolean
  readonly hidesConfidence: boolean
  readonly quiet: boolean
  readonly variableLength: boolean
  readonly gnuplotFile: string | null
  readonly csvFile: string | null
  readonly goesOn: boolean
  readonly method: string | null
  readonly showUsage: boolean
  readonly hidesServerName: boolean
  readonly ciphers: string | null
  readonly protocol: string
  readonly certificateFile: string | null

  // Ours.
  readonly http11: boolean
  readonly threadCount: number
  readonly pinnedCpus: readonly number[]
  readonly reactor: ReactorWish
  readonly verify: boolean
  readonly classic: boolean
  readonly htmlFile: string | null
  readonly json: boolean
  readonly showHelp: boolean
}
