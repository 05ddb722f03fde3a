/**
 * `siege -C`: the configuration as siege lays it out, which scripts read.
 *
 * Unlike siege it shows no password.
 */
import type { WrittenLogin } from '../plan/option-readers.ts'
import type { SiegeCommandLine } from './command-line.ts'
import { SIEGE_VERSION } from './messages.ts'
import type { SiegeSettings } from './settings.ts'
import { platformUserAgent } from './user-agent.ts'

const LABEL_WIDTH = 32
const HIDDEN = '*****'

export function configDump(line: SiegeCommandLine): string {
  const { settings } = line
  const head = [
    'CURRENT  SIEGE  CONFIGURATION',
    settings.userAgent ?? platformUserAgent(process.arch, process.platform),
    'Edit the resource file to change the settings.',
    '-'.repeat(46),
  ]
  const rows = [...loadRows(settings), ...fileRows(line)].map(
    ([label, value]) => `${`${label}:`.padEnd(LABEL_WIDTH)}${value}`,
  )
  return [...head, ...rows, ...tail(settings), ''].join('\n')
}

type Row = readonly [label: string, value: string | number | boolean]

function loadRows(settings: SiegeSettings): Row[] {
  const { proxyHost, proxyPort, durationSeconds, iterations, delaySeconds } = settings
  const proxy: Row[] = [
    ['proxy-host', proxyHost ?? ''],
    ['proxy-port', proxyPort],
  ]
  return [
    ['version', SIEGE_VERSION],
    ['verbose', settings.verbose],
    ['color', settings.color],
    ['quiet', settings.quiet],
    ['debug', settings.debug],
    ['protocol', `HTTP/${settings.httpVersion}`],
    ['HTML parser', settings.parser ? 'enabled' : 'disabled'],
    ['get method', settings.getMethod],
    ...(proxyHost === null ? [] : proxy),
    ['connection', settings.keepAlive ? 'keep-alive' : 'close'],
    ['concurrent users', settings.userCount],
    ['time to run', durationSeconds === null ? 'n/a' : `${durationSeconds} seconds`],
    ['repetitions', typeof iterations === 'number' ? iterations : 'n/a'],
    ['socket timeout', settings.timeoutSeconds],
    ['cache enabled', settings.cache],
    ['accept-encoding', settings.acceptEncoding],
    ['delay', `${delaySeconds.toFixed(3)} sec${delaySeconds > 1 ? 's' : ''}`],
    ['internet simulation', settings.internet],
    ['benchmark mode', settings.benchmark],
    ['failures until abort', settings.failureCountMax ?? 0],
  ]
}

function fileRows(line: SiegeCommandLine): Row[] {
  const { settings } = line
  const urls = line.operands.length > 0 ? line.operands : [settings.url ?? 'none']
  return [
    ['named URL', urls.map(withoutPassword).join(', ')],
    ['URLs file', settings.urlsFile],
    ['thread limit', settings.userCountLimit ?? 'none'],
    ['logging', settings.logging],
    ['log file', settings.logFile],
    ['resource file', line.resourceFile ?? 'none'],
    ['timestamped output', settings.timestamp],
    ['comma separated output', settings.csv],
    ['allow redirects', settings.followLocation],
    ['allow zero byte data', settings.zeroDataOk],
    ['allow chunked encoding', settings.chunked],
    ['upload unique files', settings.uniqueUploads],
    ['json output', settings.json],
  ]
}

function tail(settings: SiegeSettings): string[] {
  const hosts = settings.parser ? settings.noFollowHosts : []
  return [
    ...(hosts.length === 0 ? [] : ['no-follow:', ...hosts.map((host) => ` - ${host}`)]),
    ...credentialLines('proxy auth:', settings.proxyLogins),
    ...credentialLines('www auth:', settings.logins),
  ]
}

/**
 * The first login stands behind the label, the others below it; siege ends a filled list with an
 * empty line.
 */
function credentialLines(label: string, logins: readonly WrittenLogin[]): string[] {
  if (logins.length === 0) return [label.padEnd(LABEL_WIDTH)]
  const lines = logins.map((login, index) => {
    const realm = login.passwordAndRealm.includes(':') ? '' : ':any'
    const start = index === 0 ? label : ''
    return `${start.padEnd(LABEL_WIDTH)}credentials:  ${login.user}:${HIDDEN}${realm}`
  })
  return [...lines, '']
}

function withoutPassword(url: string): string {
  return url.replace(/^((?:[a-z][a-z0-9+-]*:\/\/)?[^/@:\s]*):[^/@\s]*@/i, `$1:${HIDDEN}@`)
}
