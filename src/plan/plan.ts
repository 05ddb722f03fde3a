/**
 * Everything that is decided before a run starts, as data.
 *
 * A plan can be printed, sent to a thread or another machine and sliced by each of them alone. It
 * knows nothing of the engine that will run it.
 */
import type { ScriptPlan, ThinkTimePlan } from './script-plan.ts'
import type { Threshold } from './slo.ts'
import type { TargetListData } from './target-list.ts'

export interface Plan {
  readonly load: Load
  readonly targets: TargetListData
  /** Absent: a user asks for targets, one an iteration. Otherwise an iteration is a scenario. */
  readonly script?: ScriptPlan
  /** Names that requests are counted under, each by itself; absent: they are not. */
  readonly requestNames?: readonly string[]
  /** Position in `requestNames` of each target; absent: targets have none. */
  readonly targetNameIndexes?: Uint32Array
  /** How a user walks the list of targets, see `walk.ts`. */
  readonly walk: Walk
  readonly request: RequestSettings
  readonly connection: ConnectionSettings
  readonly tls: TlsPlan
  readonly browse: BrowsePlan
  /** Null: straight to the target. */
  readonly proxy: ProxyPlan | null
  /** Absent: ftp:// targets are asked for anonymously, uploads named as written. */
  readonly ftp?: FtpPlan
  /** The run ends when this many transport failures happened over all threads; null: never. */
  readonly failureCountMax: number | null
  /**
   * A failure of one of these kinds ends the run at once, with exchanges left in flight; absent:
   * none does.
   */
  readonly fatalFailureKinds?: readonly number[]
  /** A complete response without a body fails its transaction. */
  readonly failEmptyBodies: boolean
  /** What the run's result is judged by; absent: nothing. */
  readonly thresholds?: readonly Threshold[]
  /** What a report calls the run; absent: nothing. */
  readonly title?: string
  readonly threadCount: number
  /** CPUs that threads are bound to, in turn; absent: none is. */
  readonly pinnedCpus?: readonly number[]
  readonly reactor: ReactorWish
  /** Seed of every random choice. */
  readonly seed: number
}

/** `auto`: the fastest that works. */
export type ReactorWish = 'auto' | 'node' | 'epoll' | 'uring'

export type Load = ClosedLoad | OpenLoad

interface LoadLimits {
  readonly durationNs: number | null
  /** Iterations of all users together, taken by whoever is free; absent or null: no limit. */
  readonly totalCount?: number | null
  /** What is due before that is kept out of the figures; absent: nothing. */
  readonly warmUpNs?: number
  /** At the end of the time, how long exchanges under way may go on; absent: not at all. */
  readonly drainNs?: number
}

/** A user starts its next iteration when the last one has ended and its think time is over. */
export interface ClosedLoad extends LoadLimits {
  readonly model: 'closed'
  /** With stages, the most there are at any time. */
  readonly userCount: number
  /** Iterations of each user; null: no limit. */
  readonly iterationCount: number | null
  /** Think time is uniform in 0..max; 0: none. */
  readonly thinkTimeNsMax: number
  /** Think time of another kind, instead. */
  readonly thinkTime?: ThinkTimePlan
  /** How many users there are when; absent: `userCount` from the start to the end. */
  readonly stages?: readonly Stage[]
}

/** Iterations start when they are due, however long the others take. */
export interface OpenLoad extends LoadLimits {
  readonly model: 'open'
  /**
   * The most iterations under way at once. One that is due when as many are is dropped, and
   * counted as that.
   */
  readonly userCount: number
  readonly iterationCount: null
  readonly thinkTimeNsMax: 0
  /** `even`: at equal distances. `poisson`: independent of each other, as from many people. */
  readonly arrivals: 'even' | 'poisson'
  /** Arrivals per second. */
  readonly stages: readonly Stage[]
}

/** One after the other: in each, the level goes in a straight line from one value to another. */
export interface Stage {
  /** Null, in the last stage only: to the end of the run. */
  readonly durationNs: number | null
  readonly from: number
  readonly to: number
}

export type Walk = 'in-order' | 'random' | 'once'

/**
 * The head of every request in order, as fields. `host`, `content-type` and `content-length` are
 * filled in from the target; `dynamic` marks where fields that change from request to request
 * (Cookie, Authorization, If-None-Match ...) go.
 */
export type HeadField =
  | {
      readonly kind: 'fixed'
      readonly name: string
      readonly value: string
      /** The line as a person wrote it, if it is to be sent like that. */
      readonly line?: string
    }
  | { readonly kind: 'host'; readonly name: string }
  | { readonly kind: 'dynamic' }
  /** Only with a body, or for a method that has one by its nature (POST, PUT, PATCH). */
  | {
      readonly kind: 'content-type'
      readonly name: string
      readonly fallback: string
      /** `fallback` was asked for: it beats a guess, but not the type that a line itself names. */
      readonly beatsGuess?: boolean
    }
  | { readonly kind: 'content-length'; readonly name: string }

export interface RequestSettings {
  readonly httpVersion: '1.0' | '1.1'
  readonly head: readonly HeadField[]
}

export interface ConnectionSettings {
  readonly keepAlive: boolean
  /** Bound of each wait: connect, TLS, first byte, silence inside a body. */
  readonly timeoutNs: number
  /** New connections a second, over all threads, that are not exceeded; absent: no limit. */
  readonly connectRatePerS?: number
  /** Numeric addresses that connections come from, in turn; absent: the system's choice. */
  readonly sourceAddresses?: readonly string[]
  /** What the system is asked to give each socket to send and to receive; absent: its own choice. */
  readonly bufferBytes?: number
}

/** TLS settings as asked for, with files already read: PEM text, not paths. */
export interface TlsPlan {
  readonly verify: boolean
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  readonly ciphers: string | null
  readonly versionMin: string | null
  readonly versionMax: string | null
  readonly resume: boolean
  /** Absent: it is sent where it may be. */
  readonly sendsServerName?: boolean
}

/** What a user does beyond asking for its targets, as a browser would. */
export interface BrowsePlan {
  /** 3xx, and 201 with a Location. */
  readonly followsRedirects: boolean
  readonly cookies: CookiePlan | null
  /** Page resources; null: pages are not looked into. */
  readonly resources: ResourcePlan | null
  /** A private cache without bodies: conditional requests, fresh resources left out. */
  readonly caches: boolean
  readonly logins: readonly LoginPlan[]
  /** Requests of one page that may be answered by 401 or 407. */
  readonly loginAttemptCountMax: number
  /** Each user first asks for one of these, in turn. */
  readonly loginTargets: TargetListData | null
  /** Asked for after a 403 of the same host, before the request is sent once more. */
  readonly authTargets: TargetListData | null
}

export interface CookiePlan {
  /** A user starts without cookies each time it has been through its list. */
  readonly expiresAtWrap: boolean
  /** Cookies that users bring along, by global user id. */
  readonly stored: readonly (readonly StoredCookiePlan[])[]
  /** Values of Cookie fields that a person gave; part of `head` is then left out. */
  readonly given: readonly string[]
}

/** A persistent cookie as it is kept between runs. */
export interface StoredCookiePlan {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly isHostOnly: boolean
  readonly isSecureOnly: boolean
  readonly isHttpOnly: boolean
  readonly expiresAtMs: number
}

export interface ResourcePlan {
  /** Hosts that contain one of these, in any case, are left out. */
  readonly noFollowHosts: readonly string[]
  /** How many resources of a page a user fetches at once. */
  readonly parallelCount: number
  readonly onlySameOrigin: boolean
  readonly srcset: boolean
  readonly preloadsAndIcons: boolean
  readonly css: boolean
}

export interface FtpPlan {
  /** The part behind the password is a host. */
  readonly logins: readonly LoginPlan[]
  /** Each upload gets a name of its own. */
  readonly uniqueUploads: boolean
}

/** A login as written: where the password ends and a realm begins is known only with a challenge. */
export interface LoginPlan {
  readonly user: string
  readonly passwordAndRealm: string
}

/** What requests go through, by the scheme of their target. */
export interface ProxyPlan {
  /** Null: straight to the target. */
  readonly http: ProxyServer | null
  readonly https: ProxyServer | null
  /** Hosts reached straight, as in `no_proxy`: names, domains, addresses, networks or `*`. */
  readonly exceptions: readonly string[]
}

export interface ProxyServer {
  readonly kind: 'http' | 'socks4' | 'socks5'
  readonly host: string
  readonly port: number
  readonly logins: readonly LoginPlan[]
  /** Sent as Proxy-Authorization with every CONNECT, unasked. */
  readonly authorization?: string
}
