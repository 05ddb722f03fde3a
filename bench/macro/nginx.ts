/** A real nginx on loopback, as the server that is laid siege to, bound to one core. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownPages } from './own-rows.ts'

export interface Nginx {
  readonly httpUrl: string
  readonly httpsUrl: string
  stop(): Promise<void>
}

const BODY_BYTES = 612
const START_TRIES = 100
const START_WAIT_MS = 20

export async function startNginx(cpu: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'onager-bench-'))
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  makeCertificate(folder)
  writeFileSync(join(folder, 'nginx.conf'), configText(folder, httpPort, httpsPort))
  const child = spawn(
    'taskset',
    ['-c', String(cpu), 'nginx', '-p', folder, '-c', join(folder, 'nginx.conf')],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await answering(child, httpPort)
  return {
    httpUrl: `http://127.0.0.1:${httpPort}/`,
    httpsUrl: `https://127.0.0.1:${httpsPort}/`,
    async stop() {
      child.kill('SIGQUIT')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configText(folder: string, httpPort: number, httpsPort: number): string {
  const body = 'onager '.repeat(Math.ceil(BODY_BYTES / 7)).slice(0, BODY_BYTES)
  const pages = ownPages.map(
    ({ path, type, body: text }) =>
      `location = ${path} { default_type ${type}; return 200 '${text}'; }`,
  )
  return `
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 20000; }
http {
  access_log off; keepalive_requests 1000000000; default_type text/plain;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${httpPort} backlog=8192;
    location / { return 200 "${body}"; }
    ${pages.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${httpsPort} ssl backlog=8192;
    ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
    location / { return 200 "${body}"; }
  }
}
`
}

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...key, ...files, ...subject], { stdio: 'ignore' })
}

/** Resolves once a server listens. */
export async function answering(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with status ${child.exitCode}`)
    if (await canConnect(port)) return
    await sleep(START_WAIT_MS)
  }
  throw new Error('nginx does not answer')
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.close()
  await once(server, 'close')
  return address.port
}
