/** From settled settings to the plan that every engine understands. */
import { type Problem, UsageError } from '../base/errors.ts'
import { nsFromSeconds } from '../base/units.ts'
import { quoted } from '../plan/option-table.ts'
import type { Plan, TlsPlan, Walk } from '../plan/plan.ts'
import type { TargetListData } from '../plan/target-list.ts'
import type { ReadText } from './files.ts'
import { headFields, isKeepAlive } from './head-fields.ts'
import type { SiegeSettings } from './settings.ts'
import { platformUserAgent } from './user-agent.ts'

/** What a plan needs from outside. */
export interface Surroundings {
  readonly readText: ReadText
  /** Used unless the settings name a seed. */
  readonly randomSeed: number
  /** `process.arch` and `process.platform`. */
  readonly architecture: string
  readonly system: string
}

/** @throws {UsageError} when a certificate, key or authority cannot be read. */
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
    targets,
    walk: walkFrom(settings),
    request: {
      httpVersion: settings.httpVersion,
      head: headFields(settings, platformUserAgent(surroundings.architecture, surroundings.system)),
    },
    connection: {
      keepAlive: isKeepAlive(settings),
      timeoutNs: nsFromSeconds(settings.timeoutSeconds),
    },
    tls: tlsPlan(settings, surroundings.readText),
    failureCountMax: settings.failureCountMax,
    failEmptyBodies: !settings.zeroDataOk,
    threadCount: settings.threadCount,
    seed: settings.seed ?? surroundings.randomSeed,
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
  if (problems.length > 0) throw new UsageError(problems)
  return {
    verify: settings.verify,
    ca,
    cert,
    key,
    ciphers: settings.ciphers,
    versionMin: null,
    versionMax: null,
    resume: true,
  }
}
