/**
 * The rules between options, applied once everything has been read.
 *
 * They are siege's, in siege's order, where the order decides: time beats repetitions, JSON implies
 * quiet, quiet beats verbose. Nothing is changed silently that a person asked for in words.
 */
import type { SettingsDraft } from '../plan/option-table.ts'
import { siegeOptions } from './options.ts'
import type { SiegeSettings } from './settings.ts'

export interface Settled {
  readonly settings: SiegeSettings
  /** Lines for stderr. */
  readonly notices: readonly string[]
}

/** What the settings mean together. The cap on users is not applied: see `capUsers()`. */
export function settle(written: SiegeSettings): Settled {
  const notices: string[] = []
  const settings: { -readonly [Key in keyof SiegeSettings]: SiegeSettings[Key] } = { ...written }
  if (settings.benchmark) settings.delaySeconds = 0
  if (settings.durationSeconds !== null && typeof settings.iterations === 'number') {
    notices.push(
      '[error] CONFIG conflict: selected time and repetition based testing',
      `defaulting to time-based testing: ${settings.durationSeconds} seconds`,
    )
    settings.iterations = null
  }
  if (settings.logOption !== null || settings.mark !== null) settings.logging = true
  if (settings.logOption) settings.logFile = settings.logOption
  if (settings.get || settings.print) {
    // Each URL once, by the protocol that asks least of a server, and no more than was named.
    settings.userCount = 1
    settings.iterations = 'once'
    settings.durationSeconds = null
    settings.httpVersion = '1.0'
    settings.parser = false
    settings.delaySeconds = 0
    // What is asked for is the message itself.
    settings.json = false
  }
  if (settings.get) {
    settings.logging = false
    settings.benchmark = true
  }
  if (settings.json) settings.quiet = true
  if (settings.quiet) {
    settings.verbose = false
    settings.debug = false
  }
  if (settings.proxy !== null) {
    const { kind, host, port, logins } = settings.proxy
    settings.proxyType = kind
    settings.proxyHost = host
    settings.proxyPort = port
    settings.proxyLogins = [...logins, ...settings.proxyLogins]
    settings.proxyFromEnv = false
  }
  if (settings.keyFile === null) settings.keyFile = settings.certFile
  return { settings, notices }
}

/** Applies the cap that a siegerc may set, and says so. */
export function capUsers(settings: SiegeSettings): Settled {
  const limit = settings.userCountLimit
  if (limit === null || settings.userCount <= limit) return { settings, notices: [] }
  const notice =
    `[alert] ${settings.userCount} users are more than the limit of ${limit} in the configuration ` +
    `file; going on with ${limit}`
  return { settings: { ...settings, userCount: limit }, notices: [notice] }
}

/** One line naming what was asked for and is not there yet, or none. */
export function comesLaterNotices(draft: SettingsDraft<SiegeSettings>): string[] {
  const settings = draft.settings()
  const features = new Set<string>()
  for (const [key, row] of Object.entries(siegeOptions)) {
    // The entries of the table are the settings.
    const setting = key as keyof SiegeSettings
    if (row.comesLater === undefined || draft.sourceOf(setting).kind === 'default') continue
    const value = settings[setting]
    // Turning something off that is not there needs no excuse.
    const isWanted = value !== false && JSON.stringify(value) !== JSON.stringify(row.default)
    if (isWanted) features.add(row.comesLater)
  }
  if (features.size === 0) return []
  return [`[alert] not there yet in this version, so without effect: ${[...features].join(', ')}`]
}
