/**
 * A real nginx on a free port of the loopback interface, with an access log that tests can read.
 *
 * It runs in the foreground as one process in a folder of its own and is ended by its process id;
 * no service of the machine is touched.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tempFolder } from './files.ts'
import { freePort, portOpens } from './ports.ts'
import type { Scope } from './scope.ts'

export interface NginxOptions {
  /** From `requirePart(t, 'nginx')`. */
  readonly path: string
  /** What stands inside `server { }`; without it every path answers 200 with `ok` and newline. */
  readonly server?: string
  /** What stands inside `http { }`, before the server. */
  readonly http?: string
  /** PEM files: the port speaks TLS then. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
}

/** One line of the access log. */
export interface AccessLine {
  readonly connectionId: number
  /** 1 for the first request of its connection. */
  readonly requestNumber: number
  readonly method: string
  readonly requestTarget: string
  readonly httpVersion: string
  readonly status: number
  readonly bodyBytes: number
  readonly sentBytes: number
  readonly requestBytes: number
  readonly userAgent: string
}

export interface Nginx {
  readonly port: number
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly pid: number
  /** The folder with `html/` (served by `root html`) and the logs. */
  readonly folder: string
  /** nginx writes a line when it has sent the whole response, possibly after the client read it. */
  accessLog(): readonly AccessLine[]
  /** The access log once it has `count` lines, or as it is after `timeoutMs`. */
  accessLogOf(count: number, timeoutMs?: number): Promise<readonly AccessLine[]>
  stop(): Promise<void>
}

const DEFAULT_SERVER = "location / { default_type text/plain; return 200 'ok\\n'; }"
const START_ATTEMPT_COUNT = 5
const START_TIMEOUT_MS = 60_000

/** Starts nginx and waits until it answers; it is stopped when the scope ends. */
export async function startNginx(scope: Scope, options: NginxOptions): Promise<Nginx> {
  const folder = tempFolder(scope)
  for (const name of ['html', 'temp']) mkdirSync(join(folder, name))
  // Another process can take the port between our finding it free and nginx listening on it.
  for (let attempt = 1; attempt <= START_ATTEMPT_COUNT; attempt++) {
    const port = await freePort()
    writeFileSync(join(folder, 'nginx.conf'), configText(port, options))
    const child = spawn(options.path, ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const stop = stopper(child)
    scope.after(stop)
    if (await isUp(child, port)) return nginxAt(folder, port, child.pid ?? 0, options, stop)
    await stop()
  }
  const said = readFileSync(join(folder, 'error.log'), 'utf8')
  throw new Error(`nginx did not start:\n${said}`)
}

async function isUp(child: ChildProcess, port: number): Promise<boolean> {
  let hasEnded = false
  child.once('exit', () => {
    hasEnded = true
  })
  child.once('error', () => {
    hasEnded = true
  })
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS && !hasEnded; waitedMs += 100) {
    if (await portOpens(port, { timeoutMs: 100 })) return !hasEnded
  }
  return false
}

function stopper(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
}

function nginxAt(
  folder: string,
  port: number,
  pid: number,
  options: NginxOptions,
  stop: () => Promise<void>,
): Nginx {
  const scheme = options.tls === undefined ? 'http' : 'https'
  const accessLog = () => readAccessLog(join(folder, 'access.log'))
  async function accessLogOf(count: number, timeoutMs = 20_000): Promise<readonly AccessLine[]> {
    const deadlineMs = performance.now() + timeoutMs
    while (accessLog().length < count && performance.now() < deadlineMs) await pause(10)
    return accessLog()
  }
  return { port, url: `${scheme}://127.0.0.1:${port}`, pid, folder, accessLog, accessLogOf, stop }
}

function configText(port: number, { server = DEFAULT_SERVER, http = '', tls }: NginxOptions) {
  const { username } = userInfo()
  const tlsLines =
    tls === undefined ? '' : `ssl_certificate ${tls.certFile}; ssl_certificate_key ${tls.keyFile};`
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path temp/${kind};`)
    .join(' ')
  return `${username === 'root' ? 'user root;' : ''}
daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events { worker_connections 4096; }
http {
  ${temps}
  log_format test '$connection\\t$connection_requests\\t$request_method\\t$request_uri\\t'
    '$server_protocol\\t$status\\t$body_bytes_sent\\t$bytes_sent\\t$request_length\\t'
    '$http_user_agent';
  access_log access.log test;
  types { text/html html; text/css css; text/javascript js; image/png png; image/svg+xml svg; }
  default_type application/octet-stream;
  keepalive_requests 1000000;
  ${http}
  server {
    listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl'} backlog=4096;
    ${tlsLines}
    root html;
    ${server}
  }
}
`
}

function readAccessLog(path: string): AccessLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(readAccessLine)
}

function readAccessLine(line: string): AccessLine {
  const fields = line.split('\t')
  const text = (index: number) => fields[index] ?? ''
  return {
    connectionId: Number(text(0)),
    requestNumber: Number(text(1)),
    method: text(2),
    requestTarget: text(3),
    httpVersion: text(4),
    status: Number(text(5)),
    bodyBytes: Number(text(6)),
    sentBytes: Number(text(7)),
    requestBytes: Number(text(8)),
    userAgent: text(9),
  }
}
