/**
 * Which proxy an origin is reached through, if any: the plan's for its scheme, unless `no_proxy`
 * names the host.
 *
 * An entry is `*`, a name (which stands for all below it, too, with or without a dot in front), an
 * address, or a network such as 10.0.0.0/8; a name or address may have a port behind it.
 */
import type { ProxyPlan, ProxyServer } from '../plan/plan.ts'
import type { Origin } from '../plan/target-list.ts'
import { addressBytes } from './address-bytes.ts'

export function proxyFor(origin: Origin, plan: ProxyPlan | null): ProxyServer | null {
  // FTP goes straight: its data connections are no HTTP requests.
  if (plan === null || origin.scheme === 'ftp') return null
  const server = origin.scheme === 'https' ? plan.https : plan.http
  return plan.exceptions.some((entry) => isMeant(entry, origin)) ? null : server
}

function isMeant(entry: string, { host, port }: Origin): boolean {
  if (entry === '*') return true
  const slash = entry.indexOf('/')
  if (slash >= 0) return isInside(host, entry.slice(0, slash), Number(entry.slice(slash + 1)))
  const parts = /^(?:\[([^\]]*)\]|([^:]*)|(.*:.*:.*))(?::(\d+))?$/.exec(entry.toLowerCase())
  if (parts === null) return false
  const [, bracketed, plain, bare, portText] = parts
  if (portText !== undefined && Number(portText) !== port) return false
  const name = bracketed ?? plain ?? bare ?? ''
  const bytes = addressBytes(name)
  if (bytes.length > 0) return isInside(host, name, bytes.length * 8)
  const domain = name.replace(/^\*?\.|\.$/g, '')
  if (domain === '' || addressBytes(host).length > 0) return false
  const text = host.replace(/\.$/, '')
  return text === domain || text.endsWith(`.${domain}`)
}

/** Whether the first `bitCount` bits of both are equal. */
function isInside(host: string, network: string, bitCount: number): boolean {
  const hostBytes = addressBytes(host)
  const networkBytes = addressBytes(network.replace(/^\[(.*)\]$/, '$1'))
  if (hostBytes.length === 0 || hostBytes.length !== networkBytes.length) return false
  if (!Number.isInteger(bitCount) || bitCount < 0 || bitCount > hostBytes.length * 8) return false
  return hostBytes.every((byte, index) => {
    const usedBits = Math.min(Math.max(bitCount - index * 8, 0), 8)
    const mask = (0xff00 >> usedBits) & 0xff
    return (byte & mask) === (networkBytes[index]! & mask)
  })
}
