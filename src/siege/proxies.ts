/**
 * Proxies as people write them: a URL, the directives of a siegerc, the variables of the
 * environment.
 *
 * The environment counts only when somebody asks for it: a load test that silently went through a
 * company's proxy would measure that proxy.
 */
import { type Problem, UsageError } from '../base/errors.ts'
import type { ReadResult } from '../plan/option-table.ts'
import type { LoginPlan, ProxyPlan, ProxyServer } from '../plan/plan.ts'
import type { SiegeSettings } from './settings.ts'
import type { Environment } from './siegerc.ts'

const kinds = new Map<string, ProxyServer['kind']>([
  ['http', 'http'],
  ['socks4', 'socks4'],
  ['socks4a', 'socks4'],
  ['socks5', 'socks5'],
  ['socks5h', 'socks5'],
  ['socks', 'socks5'],
])
const HTTP_PORT = 3128
const SOCKS_PORT = 1080
const PORT_MAX = 65_535
const SOCKS_LOGIN_BYTES_MAX = 255
const FORM = 'a URL such as http://proxy:3128 or socks5://user:password@proxy:1080'
const URL_PARTS =
  /^(?:([a-z0-9+.-]+):\/\/)?(?:(.*)@)?(?:\[([0-9a-f:.]+(?:%\w+)?)\]|([^[\]:/?#@\s]+))(?::(\d+))?\/?$/i

/** A proxy's URL; without a scheme it is one of http. */
export function proxyUrl(raw: string): ReadResult<ProxyServer> {
  const parts = URL_PARTS.exec(raw.trim())
  if (parts === null) return { mustBe: FORM }
  const [, scheme = 'http', userinfo, address, name, portText] = parts
  const kind = kinds.get(scheme.toLowerCase())
  if (kind === undefined) {
    return { mustBe: `a URL of http, socks4 or socks5; ${scheme} is no proxy that onager speaks` }
  }
  const port =
    portText === undefined ? (kind === 'http' ? HTTP_PORT : SOCKS_PORT) : Number(portText)
  if (port < 1 || port > PORT_MAX) return { mustBe: `${FORM}, with a port from 1 to ${PORT_MAX}` }
  const login = userinfo === undefined ? null : loginOf(userinfo)
  if (login === undefined) return { mustBe: `${FORM}, with a user in front of the password` }
  const logins = login === null ? [] : [login]
  return { value: { kind, host: (address ?? name)!.toLowerCase(), port, logins } }
}

/** Undefined when it is none. */
function loginOf(userinfo: string): LoginPlan | undefined {
  const colon = userinfo.indexOf(':')
  const user = unescaped(colon < 0 ? userinfo : userinfo.slice(0, colon))
  const password = unescaped(colon < 0 ? '' : userinfo.slice(colon + 1))
  if (user === undefined || user === '' || password === undefined) return undefined
  return { user, passwordAndRealm: password }
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not the escaping of a URL: whoever wrote it is asked, rather than guessed at.
    return undefined
  }
}

/**
 * What requests go through; null: nothing.
 * @throws {UsageError} when what was asked for cannot be.
 */
export function proxyPlan(settings: SiegeSettings, environment: Environment): ProxyPlan | null {
  const { proxyHost, proxyFromEnv } = settings
  if (proxyHost !== null && proxyFromEnv) {
    throw new UsageError('proxy-host and proxy-from-env are both set: which proxy is meant?')
  }
  const plan = proxyFromEnv ? environmentPlan(environment) : directivePlan(settings)
  if (plan === null) return null
  for (const server of [plan.http, plan.https]) {
    const problem = server === null ? null : socksLoginProblem(server)
    if (problem !== null) throw new UsageError(problem)
  }
  return plan
}

function directivePlan(settings: SiegeSettings): ProxyPlan | null {
  const { proxyHost, proxyPort, proxyType, proxyLogins } = settings
  if (proxyHost === null) return null
  const host = proxyHost.replace(/^\[(.*)\]$/, '$1')
  const server = { kind: proxyType, host, port: proxyPort, logins: proxyLogins }
  return { http: server, https: server, exceptions: [] }
}

function environmentPlan(environment: Environment): ProxyPlan | null {
  const problems: Problem[] = []
  const server = (...names: readonly string[]): ProxyServer | null => {
    for (const name of names.flatMap((lower) => [lower, lower.toUpperCase()])) {
      const written = environment[name]?.trim() ?? ''
      if (written === '') continue
      const read = proxyUrl(written)
      if ('value' in read) return read.value
      // What it is instead may hold a password, so it is not shown.
      const text = `the variable ${name} of the environment must be ${read.mustBe}`
      if (!problems.some((problem) => problem.text === text)) problems.push({ text })
      return null
    }
    return null
  }
  const http = server('http_proxy', 'all_proxy')
  const https = server('https_proxy', 'all_proxy')
  if (problems.length > 0) throw new UsageError(problems)
  const exceptions = (environment.no_proxy ?? environment.NO_PROXY ?? '')
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  return http === null && https === null ? null : { http, https, exceptions }
}

function socksLoginProblem({ kind, logins }: ProxyServer): string | null {
  if (kind === 'http') return null
  const isTooLong = logins.some(({ user, passwordAndRealm }) =>
    [user, passwordAndRealm].some(
      (text) => new TextEncoder().encode(text).length > SOCKS_LOGIN_BYTES_MAX,
    ),
  )
  if (!isTooLong) return null
  return `a login for a SOCKS proxy has at most ${SOCKS_LOGIN_BYTES_MAX} bytes of user and password each`
}
