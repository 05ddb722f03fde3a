/** Which TLS handshake an origin gets. */
import type { Plan } from '../plan/plan.ts'
import type { Origin } from '../plan/target-list.ts'
import type { TlsProfile } from './reactor.ts'
import { literalFamily } from './resolver.ts'

/**
 * The profile of each https origin of a plan; undefined for the others. SNI is the effective Host
 * if that is a name: RFC 6066 section 3 forbids addresses.
 */
export function tlsProfileOf(plan: Plan): (origin: Origin) => TlsProfile | undefined {
  const hostField = plan.request.head.find(
    (field) => field.kind === 'fixed' && field.name.toLowerCase() === 'host',
  )
  const givenHost = hostField?.kind === 'fixed' ? hostOf(hostField.value) : undefined
  return (origin) => {
    if (origin.scheme !== 'https') return undefined
    const host = givenHost ?? origin.host
    const isSent = plan.tls.sendsServerName !== false && host !== ''
    const serverName = isSent && literalFamily(host) === 0 ? host : undefined
    return { serverName, verifiedName: host, settings: plan.tls }
  }
}

/** The host of a Host field: without port and brackets. */
function hostOf(authority: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(authority)
  return bracketed?.[1] ?? authority.replace(/:\d*$/, '')
}
