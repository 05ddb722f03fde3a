/**
 * A request as the recorder keeps it: what a line of a URL list can say, and nothing else.
 *
 * Header fields but the content type are not kept, since such a line has no place for them.
 */
import { parsedUrl } from '../base/parsed-url.ts'

/** Where a request goes. `host` is a name or address without brackets, in lower case. */
export interface Site {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

export interface RecordedRequest {
  readonly site: Site
  readonly method: string
  /** Path and query as sent, bytes as characters; begins with `/`. */
  readonly requestTarget: string
  /** As the browser wrote it; null where there is no such field. */
  readonly contentType: string | null
  /** Null where there is none or it is empty, which is the same to a list. */
  readonly body: RecordedBody | null
}

export type RecordedBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** In a file already: it was too long to be kept. */
  | { readonly kind: 'file'; readonly path: string }

const DEFAULT_PORTS = { http: 80, https: 443 } as const

/** `host` or `host:port` as a URL shows it, the port only if it is not the scheme's own. */
export function authorityOf(site: Site): string {
  const host = site.host.includes(':') ? `[${site.host}]` : site.host
  return site.port === DEFAULT_PORTS[site.scheme] ? host : `${host}:${site.port}`
}

/** The site of `host[:port]`, perhaps with a login before it; null if it is none. */
export function siteFrom(scheme: Site['scheme'], authority: string): Site | null {
  const text = `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`
  const url = parsedUrl(text)
  if (/[/?#\\\s]/.test(text.slice(scheme.length + 3)) || url === null) return null
  const { hostname, port } = url
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === '') return null
  return { scheme, host, port: port === '' ? DEFAULT_PORTS[scheme] : Number(port) }
}

/** The whole URL, for messages and patterns. */
export function urlOf(request: Pick<RecordedRequest, 'site' | 'requestTarget'>): string {
  return `${request.site.scheme}://${authorityOf(request.site)}${request.requestTarget}`
}
