/** A real browser through the recorder, and a siege that replays what it did. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { startPracticeSite } from '../src/practice/site.ts'
import { CertificateAuthority } from '../src/recorder/certificate-authority.ts'
import { makeCertificate } from './support/certificate.ts'
import { tempFolder } from './support/files.ts'
import { requirePart } from './support/real-parts.ts'
import { startTestRecorder, type TestRecorder } from './support/recording.ts'
import { runCli, runProgram } from './support/run-cli.ts'
import type { Scope } from './support/scope.ts'

/** Opens the page as a person would see it and returns its elements as they are in the end. */
async function visit(
  scope: Scope,
  chromium: string,
  recorder: TestRecorder,
  url: string,
  flags: readonly string[] = [],
): Promise<string> {
  const home = tempFolder(scope)
  const { stdout } = await runProgram(
    chromium,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ...['--no-first-run', '--disable-background-networking', '--disable-component-update'],
      ...['--disable-sync', '--disable-quic', '--disable-extensions', '--disable-default-apps'],
      `--user-data-dir=${home}`,
      `--proxy-server=127.0.0.1:${recorder.port}`,
      // Without this a browser does not send loopback through a proxy.
      '--proxy-bypass-list=<-loopback>',
      ...flags,
      '--dump-dom',
      url,
    ],
    { home, timeoutMs: 60_000 },
  )
  return stdout
}

/** Sends every line once, and nothing besides. */
function replay(recorder: TestRecorder) {
  const args = ['--no-parser', '--no-follow', '-q', '-c1', '-b', '-f', recorder.listPath]
  return runCli('siege', [...args, '-r', 'once'], { cwd: dirname(recorder.listPath) })
}

test('Chromium on the practice site is recorded, and replayed with the same requests', async (t) => {
  const chromium = requirePart(t, 'chromium')
  if (chromium === undefined) return
  const site = await startPracticeSite({ port: 0 })
  t.after(() => site.close())
  const recorder = await startTestRecorder(t, { hosts: ['127.0.0.1'] })
  for (const path of ['/blog', '/blog/2']) {
    const dom = await visit(t, chromium, recorder, site.url + path)
    assert.match(dom, /practice blog/, 'the page arrived')
  }
  const browsed = site.counts
  assert.ok(browsed.requestCount >= 14, `${browsed.requestCount} requests of two pages`)
  assert.equal(recorder.lines().length, browsed.requestCount)

  assert.equal((await fetch(`${site.url}/counts`, { method: 'DELETE' })).status, 200)
  assert.equal((await replay(recorder)).status, 0)
  assert.equal(site.counts.requestCount, browsed.requestCount)
  assert.deepEqual(site.counts.byPath, browsed.byPath)
})

const PAGE = `<!doctype html><title>none</title><script>
function send(method, path, type, body) {
  const request = new XMLHttpRequest()
  request.open(method, path, false)
  if (type !== null) request.setRequestHeader('Content-Type', type)
  request.send(body)
  return request.responseText
}
send('POST', '/json', 'application/json', JSON.stringify({ text: 'a $HOME \\\\$x é' }))
send('PUT', '/bytes', 'application/octet-stream', new Uint8Array([0, 10, 13, 255]))
send('POST', '/form', 'application/x-www-form-urlencoded', 'a=1&b=%20#c')
send('PATCH', '/lines', 'text/plain;charset=UTF-8', 'one\\ntwo')
send('DELETE', '/item?id=1', null, null)
const form = new FormData()
form.append('file', new Blob(['<x>']), 'x.xml')
document.title = send('POST', '/upload', null, form) + new URLSearchParams(location.search)
</script>`

test('Chromium sends every kind of body over HTTPS; the replay sends the same bytes', async (t) => {
  const chromium = requirePart(t, 'chromium')
  const openssl = requirePart(t, 'openssl')
  if (chromium === undefined || openssl === undefined) return
  let log: string[] = []
  const server = createServer(makeCertificate(t, openssl), (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const type = request.headers['content-type'] ?? 'none'
      const body = Buffer.concat(chunks).toString('latin1')
      log.push(JSON.stringify([request.method, request.url, body === '' ? 'none' : type, body]))
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(request.method === 'GET' ? PAGE : 'done')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const authority = await CertificateAuthority.open(tempFolder(t))
  const recorder = await startTestRecorder(t, {
    authority,
    isInsecure: true,
    hosts: ['localhost'],
  })
  // The browser trusts this one key, as it would after a person had imported ca.pem.
  const key = new X509Certificate(authority.certPem).publicKey
  const spki = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  const url = `https://localhost:${address.port}/?q=$HOME&r=%C3%A9#part`
  const trust = `--ignore-certificate-errors-spki-list=${spki.digest('base64')}`
  const dom = await visit(t, chromium, recorder, url, [trust])
  assert.match(dom, /<title>doneq=/, 'the page ran to its end')
  const browsed = log
  assert.ok(browsed.length >= 7)
  assert.equal(recorder.lines().length, browsed.length)
  assert.deepEqual(recorder.distrustedHosts, [])

  log = []
  const { status, stderr } = await replay(recorder)
  assert.equal(status, 0, stderr)
  assert.deepEqual(log.sort(), browsed.sort())
})
