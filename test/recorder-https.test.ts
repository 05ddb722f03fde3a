/** HTTPS through the recorder: what it presents, what it verifies, what it leaves unread. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import { CertificateAuthority } from '../src/recorder/certificate-authority.ts'
import { makeCertificate } from './support/certificate.ts'
import { tempFolder } from './support/files.ts'
import { freePort } from './support/ports.ts'
import { answering, silent, startRawServer } from './support/raw-server.ts'
import { requirePart } from './support/real-parts.ts'
import {
  rawClient,
  rawClientOn,
  startTestRecorder,
  type TestRecorder,
} from './support/recording.ts'
import type { Scope } from './support/scope.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** TLS to `host:port` through the recorder; rejects when the certificate is not trusted. */
async function tlsThrough(
  scope: Scope,
  recorder: TestRecorder,
  authority: string,
  options: { ca?: string; servername?: string } = {},
): Promise<TLSSocket> {
  const client = await rawClient(scope, recorder.port)
  client.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  await client.until(/200 Connection established\r\n\r\n$/)
  client.socket.removeAllListeners('data')
  const socket = tlsConnect({
    socket: client.socket,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...options,
  })
  await once(socket, 'secureConnect')
  return socket
}

test('CertificateAuthority.open() makes files that only their owner reads, and keeps them', async (t) => {
  const folder = join(tempFolder(t), '.onager')
  const made = await CertificateAuthority.open(folder)
  assert.ok(made.isNew)
  const certificate = new X509Certificate(readFileSync(made.certFile))
  assert.ok(certificate.ca && certificate.verify(certificate.publicKey))
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, 'ca-key.pem')).mode & 0o777, 0o600)
  const again = await CertificateAuthority.open(folder)
  assert.deepEqual([again.isNew, again.certPem], [false, made.certPem])

  unlinkSync(join(folder, 'ca-key.pem'))
  assert.ok((await CertificateAuthority.open(folder)).isNew, 'a certificate without its key')
  writeFileSync(made.certFile, made.certPem)
  await assert.rejects(CertificateAuthority.open(folder), /are not a certificate and its key/)
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(CertificateAuthority.open(join(folder, 'file', 'x')), /cannot be kept in/)
})

test('the recorder plays every server with one certificate each, by name and by address', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const server = await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, { authority, isInsecure: true })
  const ca = authority.certPem
  const fingerprints = new Set<string>()
  for (const [host, name] of [
    ['localhost', { servername: 'localhost' }],
    ['127.0.0.1', { host: '127.0.0.1' }],
    ['localhost', { servername: 'localhost' }],
    ['127.0.0.1', { servername: 'www.other.example' }],
  ] as const) {
    const socket = await tlsThrough(t, recorder, `${host}:${server.port}`, { ca, ...name })
    assert.equal(socket.alpnProtocol, 'http/1.1')
    fingerprints.add(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
    const client = rawClientOn(socket)
    for (let count = 1; count <= 2; count++) {
      client.send(`GET /x?${count} HTTP/1.1\r\nHost: ${host}:${server.port}\r\n\r\n`)
      await client.until(new RegExp(`(?:\\r\\nok[\\s\\S]*){${count}}$`))
    }
    socket.destroy()
  }
  assert.equal(fingerprints.size, 3)
  assert.equal(server.requests.length, 8)
  const url = `https://localhost:${server.port}/x`
  assert.deepEqual(recorder.lines().slice(0, 3), [
    `${url}?1`,
    `${url}?2`,
    `https://127.0.0.1:${server.port}/x?1`,
  ])
})

test('node:https sends a POST through the recorder as it does without', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const server = await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, { authority, isInsecure: true })
  const host = `localhost:${server.port}`
  const socket = await tlsThrough(t, recorder, host, {
    ca: authority.certPem,
    servername: 'localhost',
  })
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { Host: host, 'Content-Type': 'text/plain' }
    const options = { path: '/p', method: 'POST', headers, createConnection: () => socket }
    const request = https.request(options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
    request.on('error', reject)
    request.end('a=$b')
  })
  assert.equal(answer, '200 ok')
  assert.equal(server.requests[0]?.body, 'a=$b')
  assert.deepEqual(recorder.lines(), [`https://${host}/p POST -T text/plain; a=\\$b`])
})

test('the recorder verifies servers, says why it refuses one, and writes no line for it', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const server = await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
  const plain = await startRawServer(t, (connection) => connection.send('220 ready\r\n'))
  const mute = await startRawServer(t, silent)
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, { authority, timeoutMs: 2000 })
  for (const [port, sentence, status] of [
    [server.port, /could not be verified \([A-Z_]+\)\. With --insecure/, 502],
    [plain.port, /No TLS connection to localhost:\d+ came about/, 502],
    [await freePort(), /localhost:\d+ refused the connection/, 502],
    [mute.port, /localhost:\d+ did not answer in time/, 504],
  ] as const) {
    const socket = await tlsThrough(t, recorder, `localhost:${port}`, {
      ca: authority.certPem,
      servername: 'localhost',
    })
    const client = rawClientOn(socket)
    client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const received = await client.ended()
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(received, sentence)
  }
  assert.deepEqual(recorder.lines(), [])
  assert.equal(server.requests.length, 0)
})

test('a browser that does not trust the authority is named, with its host', async (t) => {
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, { authority })
  await assert.rejects(
    tlsThrough(t, recorder, 'www.example.com:443', { servername: 'www.example.com' }),
  )
  const again = await rawClient(t, recorder.port)
  again.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(await again.ended(), /this is a proxy/)
})

test('ca.pem can be had from the recorder itself', async (t) => {
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, { authority })
  const client = await rawClient(t, recorder.port)
  client.send('GET /ca.pem HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const received = await client.ended()
  assert.match(received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*application\/x-x509-ca-cert/)
  assert.equal(received.slice(received.indexOf('\r\n\r\n') + 4), authority.certPem)
})

test('what is not recorded passes through unread, the certificate of the server included', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const certificate = makeCertificate(t, openssl)
  const server = await startRawServer(t, answering(OK), { tls: certificate })
  const authority = await CertificateAuthority.open(tempFolder(t))
  for (const options of [{ authority: null }, { authority, hosts: ['other.example'] }]) {
    const recorder = await startTestRecorder(t, options)
    const socket = await tlsThrough(t, recorder, `localhost:${server.port}`, {
      ca: certificate.cert,
      servername: 'localhost',
    })
    const client = rawClientOn(socket)
    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await client.until(/ok$/)
    socket.destroy()
    assert.deepEqual(recorder.lines(), [])

    const refused = await rawClient(t, recorder.port)
    refused.send(`CONNECT 127.0.0.1:${await freePort()} HTTP/1.1\r\n\r\n`)
    assert.match(await refused.ended(), /^HTTP\/1\.1 502 [\s\S]*refused the connection/)
    const loop = await rawClient(t, recorder.port)
    loop.send(`CONNECT 127.0.0.1:${recorder.port} HTTP/1.1\r\n\r\n`)
    assert.match(await loop.ended(), /^HTTP\/1\.1 508 [\s\S]*is the recorder itself/)
  }
})
