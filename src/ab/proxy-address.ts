/** What `-X` names: `host[:port]`, with brackets around IPv6 and port 80 unless there is one. */
import { atoi } from './options.ts'

const PORT_DEFAULT = 80
const PORT_MAX = 65_535
const HOST = /^[^\s\0/:[\]]+$/
const BRACKETED_HOST = /^\[([\da-fA-F:.]+)\]$/

export interface ProxyAddress {
  readonly host: string
  readonly port: number
}

/** Null when it is none. */
export function readProxyAddress(text: string): ProxyAddress | null {
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? []
  const host = BRACKETED_HOST.exec(hostText)?.[1] ?? HOST.exec(hostText)?.[0]
  const port = portText === undefined ? PORT_DEFAULT : atoi(portText)
  return host === undefined || port < 1 || port > PORT_MAX ? null : { host, port }
}
