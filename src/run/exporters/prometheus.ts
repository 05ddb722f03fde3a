/**
 * An HTTP endpoint for Prometheus to read a run's metrics from while it goes on.
 *
 * It keeps the latest counts and writes them out when it is asked; nobody asking costs nothing.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { EnvironmentError, UsageError } from '../../base/errors.ts'
import { systemReason } from '../../base/system-reason.ts'
import { emptySnapshot } from '../../metrics/snapshot.ts'
import { printable } from '../../report/printable.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import type { Exporter } from './exporter.ts'
import { type Moment, metricsOf } from './metrics.ts'
import { contentTypes, formatFor, prometheusText } from './prometheus-text.ts'

const METRICS_PATH = '/metrics'
/** What OpenTelemetry's endpoint for Prometheus listens on as well. */
const DEFAULT_PORT = 9464
const DEFAULT_HOST = '127.0.0.1'
const PORT_MAX = 65_535

export interface PrometheusEndpoint extends Exporter {
  /** Where the metrics are. */
  readonly url: string
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * `9464`, `:9464`, `0.0.0.0:9464`, `[::1]:9464`, `localhost`. Without a host it is reached from
 * this machine alone.
 * @throws {UsageError} for anything else.
 */
export function readListenAddress(text: string): ListenAddress {
  const whole = text.trim()
  const [, bracketed, plain, portText] = /^\d+$/.test(whole)
    ? [whole, undefined, '', whole]
    : (/^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d+))?$/.exec(whole) ?? [])
  const host = bracketed ?? plain
  const port = portText === undefined ? DEFAULT_PORT : Number(portText)
  if (whole === '' || host === undefined || port > PORT_MAX) {
    throw new UsageError(
      `'${printable(text)}' is no address to listen on; ` +
        `give HOST:PORT, PORT or [IPv6]:PORT, such as ${DEFAULT_HOST}:${DEFAULT_PORT}.`,
    )
  }
  return { host: host === '' ? DEFAULT_HOST : host, port }
}

/** @throws {EnvironmentError} when the address cannot be listened on. */
export async function startPrometheus(
  address: ListenAddress,
  facts: PlanFacts,
): Promise<PrometheusEndpoint> {
  let moment: Moment = { snapshot: emptySnapshot(), elapsedNs: 0 }
  const server = createServer((request, response) => {
    answer(request, response, () => {
      const format = formatFor(request.headers.accept)
      return [contentTypes[format], prometheusText(metricsOf(moment, facts), format)]
    })
  })
  const port = await listen(server, address)
  // A run that has ended does not wait for somebody to read its metrics.
  server.unref()
  const { host } = address
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${METRICS_PATH}`,
    update(snapshot, elapsedNs) {
      moment = { snapshot, elapsedNs }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const reason = isTaken ? 'the port is taken' : systemReason(error)
      reject(
        new EnvironmentError(`Prometheus cannot be served on ${host}, port ${port}: ${reason}`, {
          hint: 'choose another port, or 0 for a free one',
          cause: error,
        }),
      )
    })
    server.listen({ host, port }, () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: () => readonly [contentType: string, text: string],
): void {
  request.resume()
  const path = (request.url ?? '/').split('?', 1)[0]
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    send(response, 405, [contentTypes.text, `Metrics are read with GET ${METRICS_PATH}.\n`])
  } else if (path === METRICS_PATH) {
    send(response, 200, metrics())
  } else {
    send(response, path === '/' ? 200 : 404, [contentTypes.text, `Metrics: ${METRICS_PATH}\n`])
  }
}

function send(
  response: ServerResponse,
  status: number,
  [contentType, text]: readonly [string, string],
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': new TextEncoder().encode(text).length,
  })
  response.end(text)
}
