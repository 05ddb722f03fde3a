/** From settled settings to the plan that every engine understands. */
import { type Problem, UsageError } from '../base/errors.ts'
import { nsFromSeconds } from '../base/units.ts'
import { quoted } from '../plan/option-table.ts'
import type {
  BrowsePlan,
  Plan,
  ResourcePlan,
  StoredCookiePlan,
  TlsPlan,
  Walk,
} from '../plan/plan.ts'
import type { TargetListData } from '../plan/target-list.ts'
import { targetTitle } from '../plan/target-title.ts'
import type { ReadText } from './files.ts'
import { ftpPlan } from './ftp-plan.ts'
import { givenCookies, headFields, isKeepAlive } from './head-fields.ts'
import { proxyPlan } from './proxies.ts'
import type { SiegeSettings } from './settings.ts'
import type { Environment } from './siegerc.ts'
import { platformUserAgent } from './user-agent.ts'

/** What a plan needs from outside. */
export interface Surroundings {
  readonly readText: ReadText
  /** Asked for proxies, if the settings want that. */
  readonly environment: Environment
  /** Used unless the settings name a seed. */
  readonly randomSeed: number
  /** `process.arch` and `process.platform`. */
  readonly architecture: string
  readonly system: string
  /** Targets of `login-url` and `auth-url`; null: none. */
  readonly lists: {
    readonly login: TargetListData | null
    readonly auth: TargetListData | null
  }
  /** Cookies of the last run, by user. */
  readonly storedCookies: readonly (readonly StoredCookiePlan[])[]
}

/** @throws {UsageError} when a PEM file cannot be read or a proxy of the environment is none. */
export function planFromSettings(
  settings: SiegeSettings,
  targets: TargetListData,
  surroundings: Surroundings,
): Plan {
  const { durationSeconds, iterations } = settings
  return {
    load: {
      model: 'closed',
      userCount: settings.userCount,
      iterationCount: typeof iterations === 'number' ? iterations : null,
      durationNs: durationSeconds === null ? null : nsFromSeconds(durationSeconds),
      thinkTimeNsMax: nsFromSeconds(settings.delaySeconds),
    },
    targets: settings.get ? askedBy(settings.getMethod, targets) : targets,
    walk: walkFrom(settings),
    request: {
      httpVersion: settings.httpVersion,
      head: headFields(settings, platformUserAgent(surroundings.architecture, surroundings.system)),
    },
    connection: {
      keepAlive: isKeepAlive(settings),
      timeoutNs: nsFromSeconds(settings.timeoutSeconds),
      ...(settings.connectRatePerS === null ? {} : { connectRatePerS: settings.connectRatePerS }),
      ...(settings.sourceAddresses.length === 0
        ? {}
        : { sourceAddresses: settings.sourceAddresses }),
    },
    tls: tlsPlan(settings, surroundings.readText),
    browse: browsePlan(settings, surroundings),
    proxy: proxyPlan(settings, surroundings.environment),
    ftp: ftpPlan(settings, [targets, surroundings.lists.login, surroundings.lists.auth]),
    failureCountMax: settings.failureCountMax,
    failEmptyBodies: !settings.zeroDataOk,
    title: targetTitle(targets),
    threadCount: settings.threadCount,
    ...(settings.pinnedCpus.length === 0 ? {} : { pinnedCpus: settings.pinnedCpus }),
    reactor: settings.reactor,
    seed: settings.seed ?? surroundings.randomSeed,
  }
}

/** The same targets with `method` for those that name none. */
function askedBy(method: 'GET' | 'HEAD', targets: TargetListData): TargetListData {
  const [, ...others] = targets.methods
  return { ...targets, methods: [method, ...others] }
}

function browsePlan(settings: SiegeSettings, { lists, storedCookies }: Surroundings): BrowsePlan {
  return {
    followsRedirects: settings.followLocation,
    cookies: settings.cookies
      ? {
          expiresAtWrap: settings.expireSession,
          stored: storedCookies,
          given: givenCookies(settings),
        }
      : null,
    resources: settings.parser ? resourcePlan(settings) : null,
    caches: settings.cache,
    logins: settings.logins,
    loginAttemptCountMax: settings.attemptCountMax,
    loginTargets: lists.login,
    authTargets: lists.auth,
  }
}

/** By default what siege fetches, one after another. */
function resourcePlan(settings: SiegeSettings): ResourcePlan {
  return {
    noFollowHosts: settings.noFollowHosts,
    parallelCount: settings.pageConnectionCount,
    onlySameOrigin: settings.sameOrigin,
    srcset: settings.srcset,
    preloadsAndIcons: settings.preloads,
    css: settings.cssResources,
  }
}

/** `once` together with a time means to go through the list until the time is over. */
function walkFrom(settings: SiegeSettings): Walk {
  if (settings.iterations === 'once' && settings.durationSeconds === null) return 'once'
  return settings.internet ? 'random' : 'in-order'
}

function tlsPlan(settings: SiegeSettings, readText: ReadText): TlsPlan {
  const problems: Problem[] = []
  const pem = (path: string | null, name: string): string | null => {
    if (path === null) return null
    const file = readText(path)
    if ('text' in file) return file.text
    problems.push({ text: `${name} ${quoted(path)}: ${file.reason}` })
    return null
  }
  const ca = pem(settings.caFile, 'ssl-ca (--ca)')
  const cert = pem(settings.certFile, 'ssl-cert')
  const key = settings.keyFile === settings.certFile ? cert : pem(settings.keyFile, 'ssl-key')
  const { tlsVersionMin, tlsVersionMax } = settings
  if (tlsVersionMin !== null && tlsVersionMax !== null && tlsVersionMin > tlsVersionMax) {
    problems.push({ text: '--tls-min is above --tls-max' })
  }
  if (problems.length > 0) throw new UsageError(problems)
  return {
    verify: settings.verify,
    ca,
    cert,
    key,
    ciphers: settings.ciphers,
    // Below 1.2, the lowest by default, one bound names the version that is wanted.
    versionMin:
      tlsVersionMin ?? (tlsVersionMax !== null && tlsVersionMax < 'TLSv1.2' ? tlsVersionMax : null),
    versionMax: tlsVersionMax,
    resume: settings.tlsResume,
  }
}
