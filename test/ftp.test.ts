/** The built siege against scripted FTP servers: what goes over the wire, and what is counted. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { failureKindNames } from '../src/metrics/outcome.ts'
import { startFtpServer } from './support/ftp-server.ts'
import { freePort } from './support/ports.ts'
import { answering, startRawServer } from './support/raw-server.ts'
import { siege } from './support/siege-run.ts'
import { eventually, timedTest } from './support/timing.ts'

const files = { 'pub/f.txt': 'hello', empty: '', 'a b%é': 'x' }
const ANONYMOUS = ['USER anonymous', 'PASS onager@example.com']

/** The failures by kind, as the report names them. */
function failuresIn(stderr: string): string[] {
  const rows = stderr.matchAll(/^(?:Failures:)? {2,}(\d+) +(?:[\d.]+ % +)?(.*)$/gm)
  return [...rows].flatMap(([, count, name]) =>
    failureKindNames.includes(name!) ? [`${count} ${name}`] : [],
  )
}

test('siege downloads anonymously, in passive mode, and shows the line that siege shows', async (t) => {
  const server = await startFtpServer(t, { files })
  const run = await siege([`${server.url}/pub/f.txt`])
  assert.equal(run.status, 0)
  assert.match(run.stdout, /^FTP\/150 {2,3}\d*\.\d\d secs: {7}5 bytes ==> GET {4}\/pub\/f\.txt\n$/)
  assert.deepEqual([run.transactions, run.successful, run.failed], [1, 1, 0])
  assert.match(run.stderr, /because ftp:\/\/ targets need the node reactor/)
  assert.deepEqual(server.sessions[0]!.commands, [
    ...ANONYMOUS,
    'TYPE I',
    'SIZE pub/f.txt',
    'PASV',
    'RETR pub/f.txt',
    'QUIT',
  ])
})

test('siege sends what a body holds to the path of the URL, each time under a new name', async (t) => {
  const server = await startFtpServer(t, { files })
  const list = [`${server.url}/up/a.tar.gz POST x=1&y`, `${server.url}/up/b PUT`]
  const run = await siege(['-c2', '-r4'], { list })
  assert.equal(run.successful, 8)
  assert.equal(run.failed, 0)
  assert.match(run.stdout, /^FTP\/226 .* POST {3}ftp:\/\/127\.0\.0\.1:\d+\/up\/a\.tar\.gz$/m)
  const names = [...server.uploads.keys()].sort()
  assert.deepEqual(names, [
    'up/a.tar-0-1.gz',
    'up/a.tar-0-3.gz',
    'up/a.tar-1-2.gz',
    'up/a.tar-1-4.gz',
    'up/b-0-2',
    'up/b-0-4',
    'up/b-1-1',
    'up/b-1-3',
  ])
  assert.equal(Buffer.from(server.uploads.get('up/a.tar-0-1.gz')!).toString(), 'x=1&y')
  assert.equal(server.uploads.get('up/b-1-3')!.length, 0)
  assert.ok(server.sessions[0]!.commands.includes('TYPE I'))
  const plain = await siege(['-r2'], { list: list.slice(0, 1), rc: ['unique = false'] })
  assert.equal(plain.successful, 2)
  assert.deepEqual([...server.uploads.keys()].length, 9)
  assert.ok(server.uploads.has('up/a.tar.gz'))
})

test('siege sends a large body whole', async (t) => {
  const server = await startFtpServer(t)
  const body = 'z'.repeat(3_000_000)
  const run = await siege([], { list: [`${server.url}/up POST ${body}`], rc: ['unique = false'] })
  assert.equal(run.successful, 1)
  assert.equal(server.uploads.get('up')!.length, body.length)
})

test('siege asks for a size by HEAD and deletes by DELETE; a directory is no file', async (t) => {
  const server = await startFtpServer(t, { files })
  const f = `${server.url}/pub/f.txt`
  const run = await siege(['-r4'], {
    list: [`${f} HEAD`, `${f} DELETE`, `${f}x DELETE`, server.url],
  })
  assert.deepEqual(run.lines, [
    '213 HEAD /pub/f.txt',
    `250 DELETE ${f}`,
    `550 DELETE ${f}x`,
    '550 GET /',
  ])
  assert.deepEqual([run.transactions, run.failed], [2, 2])
  assert.match(run.stderr, /2 refused by the FTP server/)
  assert.ok(server.sessions[3]!.commands.includes('RETR /'))
})

test('siege logs in as the URL says, else as ftp-login says for the host, else for any', async (t) => {
  const users = { url: 'p:w', here: 'its:own', any: 'one' }
  const server = await startFtpServer(t, { files, users })
  const rc = ['ftp-login = any:one', 'ftp-login = other:secret:ftp.example.com']
  const named = `ftp://url:p%3Aw@127.0.0.1:${server.port}/pub/f.txt`
  const byUrl = await siege([named], { rc })
  const byAny = await siege([`${server.url}/pub/f.txt`], { rc })
  const byHost = await siege([`${server.url}/pub/f.txt`], {
    rc: [...rc, 'ftp-login = here:its:own:127.0.0.1'],
  })
  assert.deepEqual(
    [byUrl, byAny, byHost].map((run) => run.successful),
    [1, 1, 1],
  )
  assert.deepEqual(
    server.sessions.map(({ commands }) => commands.slice(0, 2).join()),
    ['USER url,PASS p:w', 'USER any,PASS one', 'USER here,PASS its:own'],
  )
  assert.ok(!`${byUrl.stdout}${byUrl.stderr}`.includes('p:w'))
  const rejected = await siege([`${server.url}/pub/f.txt`])
  assert.deepEqual([rejected.status, rejected.successful, rejected.failed], [1, 0, 1])
  assert.deepEqual(rejected.lines, ['530 GET /pub/f.txt'])
  assert.match(rejected.stderr, /1 credentials missing or rejected/)
})

test('siege -p shows the dialogue without the password, and the file', async (t) => {
  const server = await startFtpServer(t, { files, users: { u: 'sesame' } })
  const url = `ftp://u:sesame@127.0.0.1:${server.port}/pub/f.txt`
  const print = await siege(['-p', url])
  assert.equal(print.status, 0)
  assert.match(print.stdout, /^220 ready\nUSER u\n331 password\nPASS \*{5}\n230 in\nTYPE I\n/)
  assert.match(print.stdout, /\nRETR pub\/f\.txt\n150 here it comes\n(?:226 done\n)?hello/)
  assert.ok(!print.stdout.includes('sesame'))
  assert.equal((await siege(['-g', `${server.url}/none`])).status, 1)
})

test('siege mixes http and ftp in one list, on several threads', async (t) => {
  const server = await startFtpServer(t, { files })
  const site = await startRawServer(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  const list = [`${site.url}/a`, `${server.url}/pub/f.txt`, `${server.url}/empty`]
  for (const threads of ['1', '2']) {
    const run = await siege(['-c4', '-r6', '--threads', threads], { list })
    assert.equal(run.successful, 24, run.stderr)
    assert.equal(run.failed, 0)
    assert.equal(run.lines.filter((line) => line === '150 GET /pub/f.txt').length, 8)
    assert.equal(run.lines.filter((line) => line === '200 GET /a').length, 8)
  }
  assert.equal(server.sentCount, 32)
  const strict = await siege(['-r3'], { list, rc: ['zero-data-ok = false'] })
  assert.deepEqual([strict.successful, strict.failed], [2, 1])
})

test('siege reaches a server by IPv6, and by a name with several addresses', async (t) => {
  const server = await startFtpServer(t, { files, host: '::1' })
  const run = await siege([`${server.url}/pub/f.txt`])
  assert.equal(run.successful, 1, run.stderr)
  assert.ok(server.sessions[0]!.commands.includes('EPSV'))
  const byName = await startFtpServer(t, { files })
  const named = await siege(['-r2', `ftp://localhost:${byName.port}/pub/f.txt`])
  assert.equal(named.successful, 2, named.stderr)
})

test('siege sends the bytes of a path; no escape begins another command', async (t) => {
  const server = await startFtpServer(t, { files: { ...files, '/etc/x': 'y' } })
  const paths = [
    '/a%20b%25%E9',
    '//etc/x',
    '/%2Fetc/x',
    '/a%0D%0ADELE%20pub/f.txt',
    '/empty;type=i',
  ]
  const run = await siege([`-r${paths.length}`, ...paths.map((path) => server.url + path)])
  assert.deepEqual([run.successful, run.failed], [4, 1])
  const asked = server.sessions.map(({ commands }) => commands.find((c) => c.startsWith('RETR')))
  assert.deepEqual(asked, [
    'RETR a b%\xe9',
    'RETR /etc/x',
    'RETR /etc/x',
    'RETR a%0D%0ADELE pub/f.txt',
    'RETR empty',
  ])
})

test('siege reads replies of several lines, and replies that come byte by byte', async (t) => {
  const greeting = '220-hello\r\n 331 not yet\r\n230-nor here\r\n220 ready'
  const server = await startFtpServer(t, { files, greeting, pieceBytes: 1 })
  const run = await siege(['-r2', `${server.url}/pub/f.txt`])
  assert.deepEqual([run.successful, run.failed], [2, 0], run.stderr)
  const noPassword = await startFtpServer(t, {
    files,
    on: ({ verb }) => (verb === 'USER' ? undefined : verb === 'SIZE' ? '502 what?' : undefined),
  })
  const withoutSize = await siege([`${noPassword.url}/pub/f.txt`])
  assert.deepEqual([withoutSize.successful, withoutSize.failed], [1, 0])
})

test('siege counts what a server refuses under the status it gave', async (t) => {
  const replies = new Map([
    ['USER', '530 no'],
    ['TYPE', '504 no'],
    ['PASV', '421 too many'],
    ['RETR', '425 no data connection'],
  ])
  for (const [refused, reply] of replies) {
    const on = ({ verb }: { verb: string }) => (verb === refused ? reply : undefined)
    const server = await startFtpServer(t, { files, on })
    const run = await siege([`${server.url}/pub/f.txt`])
    assert.deepEqual(run.lines, [`${reply.slice(0, 3)} GET /pub/f.txt`], run.stderr)
    assert.deepEqual([run.status, run.transactions, run.failed], [1, 0, 1])
  }
  const busy = await startFtpServer(t, { greeting: '421 too many users' })
  assert.deepEqual((await siege([`${busy.url}/x`])).lines, ['421 GET /x'])
  const full = await startFtpServer(t, {
    on: ({ verb }) => (verb === 'TAKEN' ? '552 disk full' : undefined),
  })
  const upload = await siege([], { list: [`${full.url}/x POST y`] })
  assert.deepEqual([upload.lines[0]?.slice(0, 8), upload.failed], ['552 POST', 1])
})

test('siege fails downloads that are cut short', async (t) => {
  const cut = (data: Socket, bytes: Uint8Array) => data.end(bytes.subarray(0, 3))
  const short = await startFtpServer(t, { files, sendFile: cut })
  const run = await siege([`${short.url}/pub/f.txt`])
  assert.deepEqual([run.status, run.transactions, run.failed, run.lines], [1, 0, 1, []])
  assert.match(run.stderr, /3 of 5 bytes came from 127\.0\.0\.1/)
  assert.deepEqual(failuresIn(run.stderr), ['1 response cut short'])

  const aborted = await startFtpServer(t, {
    files,
    sendFile: cut,
    on: ({ verb }) => (verb === 'SENT' ? '426 aborted' : verb === 'SIZE' ? '502 no' : undefined),
  })
  const aborts = await siege([`${aborted.url}/pub/f.txt`])
  assert.deepEqual(failuresIn(aborts.stderr), ['1 response cut short'])
  assert.match(aborts.stderr, /426 aborted: 127\.0\.0\.1/)

  const lost = await startFtpServer(t, {
    files,
    sendFile: (data, bytes, { session }) => {
      data.write(bytes.subarray(0, 3))
      setTimeout(() => session.control.end(), 50)
    },
  })
  assert.deepEqual(failuresIn((await siege([`${lost.url}/pub/f.txt`])).stderr), [
    '1 response cut short',
  ])

  const reset = await startFtpServer(t, {
    files,
    sendFile: (data, bytes) => {
      data.write(bytes.subarray(0, 3))
      setTimeout(() => data.resetAndDestroy(), 50)
    },
  })
  assert.deepEqual(failuresIn((await siege([`${reset.url}/pub/f.txt`])).stderr), [
    '1 connection reset',
  ])
})

test('siege counts lost and refused connections by kind', async (t) => {
  const nobody = await siege([`ftp://127.0.0.1:${await freePort()}/x`])
  assert.deepEqual(failuresIn(nobody.stderr), ['1 connection refused or unreachable'])
  assert.match(nobody.stderr, /connection refused: 127\.0\.0\.1/)

  const closedPort = await freePort()
  const noData = await startFtpServer(t, {
    files,
    on: ({ verb }) =>
      verb === 'PASV' ? `227 (127,0,0,1,${closedPort >> 8},${closedPort & 255})` : undefined,
  })
  const refused = await siege([`${noData.url}/pub/f.txt`])
  assert.deepEqual(failuresIn(refused.stderr), ['1 connection refused or unreachable'])
  assert.match(refused.stderr, /connection refused: data connection to 127\.0\.0\.1/)

  const closing = await startFtpServer(t, {
    on: ({ verb, session }) => {
      if (verb !== 'USER') return undefined
      session.control.end()
      return null
    },
  })
  assert.deepEqual(failuresIn((await siege([`${closing.url}/x`])).stderr), [
    '1 closed before a response',
  ])

  const resetting = await startFtpServer(t, {
    on: ({ verb, session }) => {
      if (verb === 'USER') session.control.resetAndDestroy()
      return null
    },
  })
  assert.deepEqual(failuresIn((await siege([`${resetting.url}/x`])).stderr), ['1 connection reset'])

  const noName = await siege(['ftp://no-such-host.invalid/x'])
  assert.deepEqual(failuresIn(noName.stderr), ['1 name not resolved'])
})

test('siege knows what is not FTP', async (t) => {
  for (const greeting of ['HTTP/1.1 400 Bad Request', '22 hello', 'x'.repeat(70_000)]) {
    const server = await startFtpServer(t, { greeting })
    const run = await siege([`${server.url}/x`])
    assert.deepEqual(
      failuresIn(run.stderr),
      ['1 not HTTP, or broken framing'],
      greeting.slice(0, 20),
    )
  }
  for (const reply of ['227 nowhere', '227 (1,2,3,4,0,0)', '227 (1,2,3,4,999,999)']) {
    const on = ({ verb }: { verb: string }) => (verb === 'PASV' ? reply : undefined)
    const server = await startFtpServer(t, { files, on })
    const run = await siege([`${server.url}/pub/f.txt`])
    assert.deepEqual(failuresIn(run.stderr), ['1 not HTTP, or broken framing'], reply)
  }
})

timedTest('siege gives up a silent server after the timeout, in every stage', async (t) => {
  const silentOn = (silent: string) => ({
    files,
    on: ({ verb }: { verb: string }) => (verb === silent ? null : undefined),
  })
  const rc = ['timeout = 1']
  for (const [options, kind] of [
    [{ greeting: null }, 'timeout waiting for first byte'],
    [silentOn('PASS'), 'timeout waiting for first byte'],
    [silentOn('RETR'), 'timeout waiting for first byte'],
    [silentOn('SENT'), 'timeout inside a response'],
    [{ files, sendFile: (data: Socket) => void data.write('he') }, 'timeout inside a response'],
  ] as const) {
    const server = await startFtpServer(t, options)
    const run = await siege([`${server.url}/pub/f.txt`], { rc })
    assert.deepEqual(failuresIn(run.stderr), [`1 ${kind}`])
    assert.ok(run.elapsedMs > 1000 && run.elapsedMs < 10_000, `${run.elapsedMs} ms`)
  }
})

test('siege counts the wait for the control connection into the time', async (t) => {
  const server = await startFtpServer(t, { files, greetingDelayMs: 400 })
  const run = await siege([`${server.url}/pub/f.txt`])
  const [, seconds] = /^FTP\/150 +(\d+\.\d\d) secs/.exec(run.stdout)!
  assert.ok(Number(seconds) >= 0.4, run.stdout)
})

timedTest(
  'siege ends a transfer within half a second of a signal, and closes its connections',
  async (t) => {
    let transferCount = 0
    const server = await startFtpServer(t, {
      files,
      sendFile: (data) => {
        transferCount++
        const timer = setInterval(() => data.write('x'), 20)
        data.once('close', () => clearInterval(timer))
      },
    })
    const run = await siege(['-c3', `${server.url}/pub/f.txt`], {
      signalOnce: eventually(() => transferCount === 3, 'all users have a transfer'),
    })
    assert.ok(run.elapsedMsAfterSignal! < 500, `${run.elapsedMsAfterSignal} ms`)
    assert.match(run.stderr, /^In flight at the end: +3 /m)
    assert.equal(server.sessions.length, 3)
    const time = await siege(['-c3', '-t1s', `${server.url}/pub/f.txt`], { rc: ['reps = 100'] })
    assert.ok(time.elapsedMs < 10_000, `${time.elapsedMs} ms`)
    await eventually(() => server.openSocketCount === 0, 'the server sees all closes')
  },
)

test('siege ends a run at the limit of failures of transfers', async () => {
  const url = `ftp://127.0.0.1:${await freePort()}/x`
  const run = await siege(['-r100', url], { rc: ['failures = 5'] })
  assert.equal(run.status, 1)
  assert.equal(run.failed, 5)
})

test('siege does not take ftp:// past a proxy unasked', async (t) => {
  const server = await startFtpServer(t, { files })
  const url = `${server.url}/pub/f.txt`
  const refused = await siege([url], { rc: ['proxy-host = 127.0.0.1', 'proxy-port = 9'] })
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /ftp:\/\/ does not go through a proxy/)
  const direct = await siege([url], {
    rc: ['proxy-from-env = true'],
    env: { http_proxy: 'http://127.0.0.1:9' },
  })
  assert.equal(direct.successful, 1, direct.stderr)
})

test('siege counts exactly what an unruly server did, whatever it did', async (t) => {
  let count = 0
  const server = await startFtpServer(t, {
    files,
    on: ({ verb, session }) => {
      if (verb !== 'RETR') return undefined
      const turn = count++ % 4
      if (turn === 1) return '550 not today'
      if (turn !== 2) return undefined
      session.control.end()
      return null
    },
  })
  const run = await siege(['-c4', '-r10', `${server.url}/pub/f.txt`], { rc: ['failures = 1000'] })
  assert.equal(count, 40)
  assert.equal(run.lines.filter((line) => line.startsWith('550')).length, 10)
  assert.deepEqual([run.successful, run.failed], [20, 20])
  assert.equal(server.sentCount, 20)
  assert.doesNotMatch(run.stderr, /do not add up/)
})
