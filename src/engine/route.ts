/**
 * How an origin is reached: which addresses, through which tunnel, with which TLS.
 *
 * Connections are pooled by route. Through an HTTP proxy all plain origins share one route, since
 * the proxy takes their requests over the same connection; everything else has a route an origin.
 */
import type { Plan, ProxyPlan, ProxyServer } from '../plan/plan.ts'
import type { Credentials, Origin } from '../plan/target-list.ts'
import { ConnectTunnel } from './connect-tunnel.ts'
import { proxyFor } from './proxy-choice.ts'
import type { TlsProfile } from './reactor.ts'
import { OriginAddresses } from './resolver.ts'
import { Socks4Tunnel, Socks5Tunnel } from './socks-tunnel.ts'
import { tlsProfileOf } from './tls-profile.ts'
import type { TunnelFactory } from './tunnel.ts'

export interface Route {
  readonly index: number
  /** Whom messages are about: host and port of the origin, or of the proxy. */
  readonly peerText: string
  readonly addresses: OriginAddresses
  readonly tunnel: TunnelFactory | undefined
  /** Undefined for plain http. */
  readonly tls: TlsProfile | undefined
  /** Requests go to an HTTP proxy in absolute form, with its login. */
  readonly isProxied: boolean
}

/** All routes of a thread; new origins may come up while it runs. */
export class Routes {
  readonly #proxy: ProxyPlan | null
  readonly #tlsProfileOf: (origin: Origin) => TlsProfile | undefined
  readonly #routes: Route[] = []
  readonly #byKey = new Map<string, Route>()
  /** By host and port, so that routes to one place share what is known of it. */
  readonly #addresses = new Map<string, OriginAddresses>()

  constructor(plan: Plan) {
    this.#proxy = plan.proxy
    this.#tlsProfileOf = tlsProfileOf(plan)
  }

  at(index: number): Route {
    return this.#routes[index]!
  }

  routeOf(origin: Origin): Route {
    const proxy = proxyFor(origin, this.#proxy)
    const isShared = proxy?.kind === 'http' && origin.scheme === 'http'
    const key = isShared ? 'proxy' : `${origin.scheme} ${origin.host} ${origin.port}`
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const route = this.#makeRoute(origin, proxy, isShared)
    this.#routes.push(route)
    this.#byKey.set(key, route)
    return route
  }

  #makeRoute(origin: Origin, proxy: ProxyServer | null, isProxied: boolean): Route {
    const place = proxy ?? origin
    return {
      index: this.#routes.length,
      peerText: proxy === null ? origin.authority : `proxy ${hostAndPort(proxy)}`,
      addresses: this.#addressesOf(place.host, place.port),
      tunnel: proxy === null || isProxied ? undefined : tunnelTo(origin, proxy),
      tls: this.#tlsProfileOf(origin),
      isProxied,
    }
  }

  #addressesOf(host: string, port: number): OriginAddresses {
    const key = `${host} ${port}`
    const known = this.#addresses.get(key)
    if (known !== undefined) return known
    const addresses = new OriginAddresses(host, port)
    this.#addresses.set(key, addresses)
    return addresses
  }
}

function tunnelTo(origin: Origin, proxy: ProxyServer): TunnelFactory {
  const { host, port } = origin
  const target = { host, port, credentials: socksCredentials(proxy) }
  switch (proxy.kind) {
    case 'http':
      return (login) => new ConnectTunnel(hostAndPort(origin), login, proxy.authorization)
    case 'socks4':
      return () => new Socks4Tunnel(target)
    case 'socks5':
      return () => new Socks5Tunnel(target)
  }
}

/** SOCKS has no realms: the first login counts, its password as written. */
function socksCredentials(proxy: ProxyServer): Credentials | null {
  const [login] = proxy.logins
  return login === undefined ? null : { user: login.user, password: login.passwordAndRealm }
}

function hostAndPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
