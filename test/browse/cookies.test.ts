/** Cookies as the built siege keeps them: what is sent back where, and what outlives a run. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startPracticeSite } from '../../src/practice/site.ts'
import { makeCertificate } from '../support/certificate.ts'
import { tempFolder } from '../support/files.ts'
import { answering, type RawRequest, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { siege } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

function setting(...lines: readonly string[]): string {
  const fields = lines.map((line) => `Set-Cookie: ${line}\r\n`).join('')
  return `HTTP/1.1 200 OK\r\n${fields}Content-Length: 2\r\n\r\nok`
}

/** A site that sets these cookies on `/set`. */
function startSite(t: TestContext, ...lines: readonly string[]) {
  return startRawServer(
    t,
    answering((request) => (request.requestTarget === '/set' ? setting(...lines) : OK)),
  )
}

/** The values of Cookie, request by request; each request may have one field at most. */
function cookies(requests: readonly RawRequest[]): string[] {
  return requests.map((request) => {
    const values = request.valuesOf('cookie')
    assert.ok(values.length <= 1, 'one Cookie field at most')
    return values[0] ?? '-'
  })
}

test('a cookie comes back, its attributes do not', async (t) => {
  const site = await startSite(
    t,
    'a=1; Max-Age=60; Path=/; SameSite=Lax; HttpOnly',
    'b=2; Max-Age=60; SameSite=Lax; Secure',
    'c="q v"; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Priority=High; Partitioned',
    'd=gone; Max-Age=0',
    'e=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    '=nameless',
    'sid=abc; HttpOnly; Path=/',
  )
  const list = ['/set', '/other'].map((path) => `${site.url}${path}`)
  const run = await siege(['-r2'], { list })
  assert.deepEqual([run.transactions, run.failed], [2, 0])
  assert.deepEqual(cookies(site.requests), ['-', 'a=1; c="q v"; sid=abc'])
})

test('a path and a host limit where a cookie goes, a newer one replaces it', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      switch (request.requestTarget) {
        case '/set':
          return setting('adm=1; Path=/admin', 'home=1', 'far=1; Domain=example.com')
        case '/admin/again':
          return setting('home=2; Path=/', 'adm=; Path=/admin; Max-Age=0')
        default:
          return OK
      }
    }),
  )
  const urls = ['/set', '/ok', '/admin', '/admin/again', '/administrator', '/admin/x'].map(
    (path) => `${site.url}${path}`,
  )
  const elsewhere = `http://localhost:${site.port}/admin`
  await siege(['-r7'], { list: [...urls, elsewhere] })
  assert.deepEqual(cookies(site.requests), [
    '-',
    'home=1',
    'adm=1; home=1',
    'adm=1; home=1',
    'home=2',
    'home=2',
    '-',
  ])
})

test('a secure cookie goes back over TLS only, to any port of its host', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const secure = await startRawServer(t, answering(setting('s=1; Secure', 'p=2')), {
    tls: makeCertificate(t, openssl),
  })
  const plain = await startRawServer(t, answering(OK))
  await siege(['-r3'], { list: [`${secure.url}/`, `${plain.url}/`, `${secure.url}/again`] })
  assert.deepEqual(cookies(plain.requests), ['p=2'])
  assert.deepEqual(cookies(secure.requests), ['-', 's=1; p=2'])
})

test('each user has a jar of its own, over all its requests', async (t) => {
  let visitorCount = 0
  const site = await startRawServer(
    t,
    answering((request) =>
      request.valuesOf('cookie').length === 0 ? setting(`visitor=${++visitorCount}`) : OK,
    ),
  )
  for (const threads of ['1', '2']) {
    const before = site.requests.length
    visitorCount = 0
    await siege(['-c3', '-r4', '--threads', threads, site.url])
    const sent = cookies(site.requests.slice(before))
    for (const visitor of ['-', 'visitor=1', 'visitor=2', 'visitor=3']) {
      assert.equal(sent.filter((cookie) => cookie === visitor).length, 3, visitor)
    }
  }
})

test('a redirect may set a cookie, and the next hop carries it', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) =>
      request.requestTarget === '/login'
        ? 'HTTP/1.1 303 Go\r\nSet-Cookie: in=1\r\nLocation: /home\r\nContent-Length: 0\r\n\r\n'
        : OK,
    ),
  )
  await siege([`${site.url}/login POST name=a`])
  assert.deepEqual(cookies(site.requests), ['-', 'in=1'])
})

test('given cookies and those of the jar share one field, the given ones win', async (t) => {
  const site = await startRawServer(t, answering(setting('other=1', 'mine=theirs')))
  await siege(['-r2', '-H', 'Cookie: mine=1', '-H', 'cookie: too=2', site.url])
  assert.deepEqual(cookies(site.requests), ['mine=1; too=2', 'mine=1; too=2; other=1'])
})

test('cookies = false keeps none and sends the given ones as they are', async (t) => {
  const site = await startRawServer(t, answering(setting('a=1')))
  const rc = ['cookies = false']
  await siege(['-r2', site.url], { rc })
  assert.deepEqual(cookies(site.requests), ['-', '-'])
  await siege(['-r2', '-H', 'Cookie: x=1', site.url], { rc })
  assert.deepEqual(cookies(site.requests).slice(2), ['x=1', 'x=1'])
})

test('expire-session forgets each time the list begins again', async (t) => {
  const site = await startSite(t, 'a=1')
  const list = ['/set', '/b', '/c'].map((path) => `${site.url}${path}`)
  const sent = async (expires: boolean) => {
    const before = site.requests.length
    await siege(['-r5'], { list, rc: [`expire-session = ${expires}`] })
    return cookies(site.requests.slice(before))
  }
  assert.deepEqual(await sent(true), ['-', 'a=1', 'a=1', '-', 'a=1'])
  assert.deepEqual(await sent(false), ['-', 'a=1', 'a=1', 'a=1', 'a=1'])
})

test('the practice site lets in whoever logged in first, each user for itself', async (t) => {
  const { url: site, close } = await startPracticeSite({ port: 0 })
  t.after(close)
  const list = [`${site}/login POST user=ada&password=lovelace`, `${site}/account`]
  const run = await siege(['-c2', '-r2'], { list, rc: ['parser = false'] })
  // User 2 starts with the second line: it is sent to the form first.
  assert.equal(run.failed, 0)
  assert.equal(run.lines.filter((line) => line === '200 GET /account').length, 3)
  const alone = await siege(['-r2'], { list, rc: ['parser = false'] })
  assert.deepEqual(alone.lines, [`303 POST ${site}/login`, '200 GET /account', '200 GET /account'])
  assert.doesNotMatch(run.stdout + run.stderr + alone.stdout + alone.stderr, /lovelace/)
})

test('cookies.txt is read and rewritten where ~/.siege is, for each user', async (t) => {
  const home = tempFolder(t)
  const file = join(home, '.siege', 'cookies.txt')
  mkdirSync(join(home, '.siege'))
  let count = 0
  const site = await startRawServer(
    t,
    answering((request) =>
      request.requestTarget === '/set' ? setting(`keep=${++count}; Max-Age=3600`, 'session=1') : OK,
    ),
  )
  await siege(['-c2', `${site.url}/set`], { home })
  assert.match(readFileSync(file, 'utf8'), /^siege-1 \| keep=\d; domain=127\.0\.0\.1;/m)
  await siege(['-c2', `${site.url}/ok`], { home })
  assert.deepEqual(cookies(site.requests.slice(2)).sort(), ['keep=1', 'keep=2'])
  // Fewer users leave the others' cookies alone, and so does everything that is no run.
  await siege(['-c1', `${site.url}/ok`], { home })
  await siege(['-C'], { home })
  assert.match(readFileSync(file, 'utf8'), /^siege-2 \| keep=\d;/m)
  assert.doesNotMatch(readFileSync(file, 'utf8'), /session/)
  const before = site.requests.length
  await siege([`${site.url}/ok`], { home, rc: ['cookies = false'] })
  assert.deepEqual(cookies(site.requests.slice(before)), ['-'])
})

test("siege's own cookies.txt is read, and what is over is gone afterwards", async (t) => {
  const home = tempFolder(t)
  const file = join(home, '.siege', 'cookies.txt')
  mkdirSync(join(home, '.siege'))
  const inHour = Math.floor(Date.now() / 1000) + 3600
  writeFileSync(
    file,
    `# Siege cookies file.\n
140215 | old=1; domain=127.0.0.1; path=/; expires=${inHour}
140215 | over=1; domain=127.0.0.1; path=/; expires=1000
140999 | new=2; domain=127.0.0.1; path=/; expires=${inHour}
broken line
`,
  )
  const site = await startRawServer(t, answering(OK))
  const run = await siege(['-c2', site.url], { home })
  assert.deepEqual(cookies(site.requests).sort(), ['new=2', 'old=1'])
  assert.match(run.stderr, /cookies\.txt:\d+: /)
  const text = readFileSync(file, 'utf8')
  assert.match(text, /^siege-1 \| old=1;.*\nsiege-2 \| new=2;/m)
  assert.doesNotMatch(text, /over/)
})

test('nothing is made in a home without ~/.siege', async (t) => {
  const home = tempFolder(t)
  const site = await startRawServer(t, answering(setting('keep=1; Max-Age=3600')))
  const run = await siege(['-r2', site.url], { home })
  assert.equal(run.transactions, 2)
  assert.equal(existsSync(join(home, '.siege')), false)
  assert.deepEqual(readdirSync(home), [])
})
