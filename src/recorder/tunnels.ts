/**
 * Connections that are passed through byte by byte: to sites that are not recorded, and those that
 * have become something else than HTTP, such as WebSockets.
 */
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { openUpstream, type Way } from './forwarding.ts'
import { endToEndFields, withHost } from './header-fields.ts'
import { authorityOf, type Site } from './recorded-request.ts'
import { CodedError, failureOf, LOOP_CODE } from './upstream.ts'

/** Connects a client that said CONNECT with the site, unread. */
export function tunnel(client: Duplex, head: Buffer, site: Site, way: Way): void {
  if (way.own.isOwn(site)) {
    refuse(client, new CodedError(LOOP_CODE), site)
    return
  }
  const server = connect({ host: site.host, port: site.port, lookup: way.own.lookupFor(site) })
  let isOpen = false
  server.once('connect', () => {
    isOpen = true
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.write(head)
    join(client, server)
  })
  server.on('error', (error) => {
    if (isOpen) client.destroy()
    else refuse(client, error, site)
  })
  client.on('error', () => server.destroy())
  client.once('close', () => server.destroy())
}

export interface UpgradeErrand {
  readonly request: IncomingMessage
  readonly client: Duplex
  /** What the client has sent behind its request. */
  readonly head: Buffer
  readonly site: Site
  readonly requestTarget: string
}

/** Carries a request for another protocol, and then whatever both sides say in it. */
export function forwardUpgrade(errand: UpgradeErrand, way: Way): void {
  const { request, client, head, site } = errand
  client.on('error', () => client.destroy())
  if (way.own.isOwn(site)) {
    refuse(client, new CodedError(LOOP_CODE), site)
    return
  }
  const fields = withHost(request.rawHeaders, authorityOf(site))
  fields.push('Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? '')
  const upstream = openUpstream(errand, fields, way, true)
  client.once('close', () => upstream.destroy())
  upstream.on('error', (error) => {
    if (client.writable) refuse(client, error, site)
  })
  upstream.once('upgrade', (answer: IncomingMessage, server: Duplex, serverHead: Buffer) => {
    // A quiet WebSocket is no server that keeps silent.
    upstream.setTimeout(0)
    const protocol = answer.headers.upgrade ?? ''
    const kept = [...endToEndFields(answer.rawHeaders), 'Connection', 'Upgrade']
    client.write(headText(answer, [...kept, 'Upgrade', protocol]))
    client.write(serverHead)
    server.write(head)
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy())
    client.once('close', () => server.destroy())
    join(client, server)
  })
  upstream.once('response', (answer: IncomingMessage) => {
    client.write(headText(answer, [...endToEndFields(answer.rawHeaders), 'Connection', 'close']))
    answer.on('error', () => client.destroy())
    answer.pipe(client)
  })
  upstream.end()
}

function join(client: Duplex, server: Duplex): void {
  client.pipe(server)
  server.pipe(client)
  server.once('close', () => client.destroy())
}

function headText(answer: IncomingMessage, fields: readonly string[]): Buffer {
  let text = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n`
  for (let at = 0; at + 1 < fields.length; at += 2) text += `${fields[at]}: ${fields[at + 1]}\r\n`
  return Buffer.from(`${text}\r\n`, 'latin1')
}

/** Answers with a sentence in HTTP, since that is what the client still speaks, and hangs up. */
export function refuse(client: Duplex, error: unknown, site: Site): void {
  const { status, sentence } = failureOf(error, site)
  hangUp(client, status, sentence)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
  508: 'Loop Detected',
}

export function hangUp(client: Duplex, status: number, sentence: string): void {
  const text = `onager record: ${sentence}\n`
  client.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n` +
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}
