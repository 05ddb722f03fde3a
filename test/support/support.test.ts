/** The helpers are tools to judge by, so they are tested themselves, against plain sockets. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { get as getHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate } from './certificate.ts'
import { projectRoot, tempFolder } from './files.ts'
import { startNginx } from './nginx.ts'
import { freePort, portOpens } from './ports.ts'
import { answering, startRawServer } from './raw-server.ts'
import { debianPackageOf, findPart, requirePart } from './real-parts.ts'
import { runProgram } from './run-cli.ts'
import type { Scope } from './scope.ts'

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n'

test('tempFolder() is gone when its scope ends', () => {
  const { scope, end } = ownScope()
  const folder = tempFolder(scope)
  writeFileSync(join(folder, 'file'), 'x')
  assert.equal(existsSync(folder), true)
  end()
  assert.equal(existsSync(folder), false)
})

test('freePort() gives a port on which nobody answers', async () => {
  assert.equal(await portOpens(await freePort(), { timeoutMs: 50 }), false)
})

test('requirePart() skips where a part is missing, and throws when CI=true', () => {
  const reasons: (string | undefined)[] = []
  const skippable = { skip: (reason?: string) => reasons.push(reason) }
  assert.equal(findPart('siege', { PATH: '/nowhere' }), undefined)
  assert.equal(requirePart(skippable, 'siege', { PATH: '/nowhere' }), undefined)
  assert.deepEqual(reasons, ['siege is not installed (Debian package siege)'])
  assert.throws(() => requirePart(skippable, 'siege', { PATH: '/nowhere', CI: 'true' }), /CI=true/)
})

test('.ci/run installs every real part from the package it is said to come in', () => {
  const script = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8')
  const listed = [...script.matchAll(/^ {2}\[(\w+)\]=(\S+)$/gm)].map(([, part, name]) => [
    part,
    name,
  ])
  assert.deepEqual(Object.fromEntries(listed), debianPackageOf)
})

test('startRawServer() keeps requests as they came, however framed', async (t) => {
  const server = await startRawServer(t, answering(NO_CONTENT))
  const sent = [
    'GET /a HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nx-twice: 2\r\n\r\n',
    'POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc',
    'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1\r\nf\r\n0\r\n\r\n',
    'POST /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1\r\n\r\n',
  ]
  const socket = connect(server.port, '127.0.0.1')
  socket.end(sent.join(''))
  assert.equal(await readAll(socket), NO_CONTENT.repeat(4))
  assert.deepEqual(
    server.requests.map(({ raw }) => raw),
    sent,
  )
  assert.deepEqual(
    server.requests.map(({ requestTarget, body }) => [requestTarget, body]),
    [
      ['/a', ''],
      ['/b', 'abc'],
      ['/c', 'def'],
      ['/d', ''],
    ],
  )
  assert.deepEqual(server.requests[0]?.valuesOf('X-TWICE'), ['1', '2'])
})

test('startRawServer() can send late, cut short and reset', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')
    await connection.pause(30)
    await connection.send('cut')
    // Node takes bytes and a reset that arrive in one go for an orderly end.
    await connection.pause(30)
    if (connection.index === 0) connection.end()
    else connection.reset()
  })
  const ask = () => connect(server.port, '127.0.0.1').setNoDelay().end('GET / HTTP/1.1\r\n\r\n')
  const startMs = performance.now()
  assert.match(await readAll(ask()), /\r\n\r\ncut$/)
  assert.ok(performance.now() - startMs >= 29)
  await assert.rejects(readAll(ask()), { code: 'ECONNRESET' })
  assert.equal(server.connectionCount, 2)
})

test('startRawServer() speaks TLS with a fresh certificate', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const { cert, key } = makeCertificate(t, openssl)
  const server = await startRawServer(t, answering(NO_CONTENT), { tls: { cert, key } })
  const status = await new Promise((resolve, reject) => {
    const options = { ca: cert, agent: false, headers: { connection: 'close' } }
    getHttps(server.url, options, (response) => {
      resolve(response.statusCode)
      response.destroy()
    }).on('error', reject)
  })
  assert.equal(status, 204)
  assert.equal(server.requests[0]?.requestLine, 'GET / HTTP/1.1')
})

test('startNginx() serves, logs every request and ends', async (t) => {
  const path = requirePart(t, 'nginx')
  if (path === undefined) return
  const nginx = await startNginx(t, { path, server: 'location /page { return 418 "tea"; }' })
  assert.equal(await statusOf(`${nginx.url}/page?x=1`), 418)
  writeFileSync(join(nginx.folder, 'html', 'a.css'), 'a{}')
  assert.equal(await statusOf(`${nginx.url}/a.css`, 'HEAD'), 200)
  const log = await nginx.accessLogOf(2)
  assert.deepEqual(
    log.map((line) => [line.method, line.requestTarget, line.status, line.bodyBytes]),
    [
      ['GET', '/page?x=1', 418, 3],
      ['HEAD', '/a.css', 200, 0],
    ],
  )
  await nginx.stop()
  assert.equal(await portOpens(nginx.port, { timeoutMs: 50 }), false)
})

test('runProgram() tells output, status and signal, in a home of its own', async () => {
  const script = 'console.error(process.env.HOME); process.stdin.pipe(process.stdout)'
  const ended = await runProgram(process.execPath, ['-e', script], { input: 'given' })
  assert.deepEqual([ended.stdout, ended.status, ended.signal], ['given', 0, null])
  assert.notEqual(ended.stderr.trim(), process.env.HOME)
  assert.equal(existsSync(ended.stderr.trim()), false)

  const waits = 'setTimeout(() => {}, 60_000); console.log("waiting")'
  const killed = await runProgram(process.execPath, ['-e', waits], {
    signalWhen: /waiting/,
    signal: 'SIGTERM',
  })
  assert.deepEqual([killed.status, killed.signal], [null, 'SIGTERM'])
  assert.ok((killed.elapsedMsAfterSignal ?? Infinity) < 5000)
  await assert.rejects(
    runProgram('sh', ['-c', 'echo waiting; exec sleep 60'], { timeoutMs: 1000 }),
    /ran for 1000 ms\nstdout: waiting/,
  )
})

/** A scope that ends when the test says so. */
function ownScope(): { scope: Scope; end: () => void } {
  const cleanUps: (() => unknown)[] = []
  return {
    scope: { after: (cleanUp) => cleanUps.push(cleanUp) },
    end: () => {
      for (const cleanUp of cleanUps) cleanUp()
    },
  }
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
  })
}

function statusOf(url: string, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const send = method === 'GET' ? get : request
    send(url, { method, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
}
