/** What siege's settings say about targets of ftp://. */
import { UsageError } from '../base/errors.ts'
import type { FtpPlan } from '../plan/plan.ts'
import type { TargetListData } from '../plan/target-list.ts'
import type { SiegeSettings } from './settings.ts'

/**
 * `lists`: all that may be asked for; null: none.
 * @throws {UsageError} when FTP is to go through a proxy, past which nothing may go.
 */
export function ftpPlan(
  settings: SiegeSettings,
  lists: readonly (TargetListData | null)[],
): FtpPlan {
  const hasFtp = lists.some((list) => list?.origins.some(({ scheme }) => scheme === 'ftp'))
  if (hasFtp && settings.proxyHost !== null) {
    throw new UsageError('ftp:// does not go through a proxy: take those URLs, or the proxy, out')
  }
  return { logins: settings.ftpLogins, uniqueUploads: settings.uniqueUploads }
}
