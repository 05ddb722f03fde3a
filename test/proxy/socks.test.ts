/** SOCKS proxies, byte by byte, as the built siege speaks to them (RFC 1928, RFC 1929, SOCKS 4a). */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ByteConnection, startByteServer } from '../support/byte-server.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/ports.ts'
import { answering, type RawServer, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { onEachReactor, siege } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const BOUND = [1, 0, 0, 0, 0, 0, 0]

interface SocksRequest {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

interface SocksSettings {
  /** Where everything is passed on to. */
  readonly port: number
  readonly wantsLogin?: boolean
  readonly isSlow?: boolean
  /** What is said instead of the last answer. */
  readonly reply?: readonly number[]
  /** Whether the password is right; undefined: it is. */
  readonly accepts?: (password: string) => boolean
}

/** Writes at once, or byte by byte. */
async function say(connection: ByteConnection, bytes: readonly number[], isSlow?: boolean) {
  if (isSlow !== true) return await connection.write(Uint8Array.from(bytes))
  for (const byte of bytes) await connection.write(Uint8Array.of(byte))
}

async function socks5(t: TestContext, settings: SocksSettings) {
  const { isSlow } = settings
  const requests: SocksRequest[] = []
  const server = await startByteServer(t, async (connection) => {
    const [version, methodCount] = await connection.read(2)
    assert.equal(version, 5)
    const methods = await connection.read(methodCount!)
    const method = settings.wantsLogin === true ? 2 : 0
    if (!methods.includes(method)) return await say(connection, [5, 0xff])
    await say(connection, [5, method], isSlow)
    let [user, password] = ['', '']
    if (method === 2) {
      const [loginVersion, userBytes] = await connection.read(2)
      assert.equal(loginVersion, 1)
      user = (await connection.read(userBytes!)).toString()
      password = (await connection.read((await connection.read(1))[0]!)).toString()
      const isRight = settings.accepts?.(password) ?? true
      await say(connection, [1, isRight ? 0 : 1], isSlow)
      if (!isRight) return connection.end()
    }
    assert.deepEqual([...(await connection.read(3))], [5, 1, 0])
    const host = await hostOf(connection)
    const port = (await connection.read(2)).readUInt16BE()
    requests.push({ host, port, user, password })
    await say(connection, settings.reply ?? [5, 0, 0, ...BOUND], isSlow)
    if (settings.reply === undefined) connection.passOn(settings.port)
    else connection.end()
  })
  return Object.assign(server, { requests })
}

async function hostOf(connection: ByteConnection): Promise<string> {
  switch ((await connection.read(1))[0]) {
    case 1:
      return [...(await connection.read(4))].join('.')
    case 4:
      return (await connection.read(16)).toString('hex')
    case 3:
      return (await connection.read((await connection.read(1))[0]!)).toString()
    default:
      return 'broken'
  }
}

async function socks4(t: TestContext, port: number, reply: readonly number[] = []) {
  const requests: SocksRequest[] = []
  const server = await startByteServer(t, async (connection) => {
    const head = await connection.read(8)
    assert.deepEqual([...head.subarray(0, 2)], [4, 1])
    const user = (await connection.readUntil('\0')).slice(0, -1)
    const isName = head.readUInt32BE(4) === 1
    const host = isName
      ? (await connection.readUntil('\0')).slice(0, -1)
      : [...head.subarray(4)].join('.')
    requests.push({ host, port: head.readUInt16BE(2), user, password: '' })
    await say(connection, reply.length > 0 ? reply : [0, 90, 0, 0, 0, 0, 0, 0])
    if (reply.length > 0) connection.end()
    else connection.passOn(port)
  })
  return Object.assign(server, { requests })
}

function site(t: TestContext): Promise<RawServer> {
  return startRawServer(t, answering(OK))
}

onEachReactor('SOCKS5 gets names as they are, addresses as addresses', async (t, run) => {
  const origin = await site(t)
  for (const isSlow of [false, true]) {
    const proxy = await socks5(t, { port: origin.port, isSlow })
    const list = [
      'http://site.test/x',
      'http://127.0.0.9:81/',
      'http://[2001:db8::9]:82/',
      'http://B\u00fccher.test/',
    ]
    const asked = await run(['-r4', '--proxy', `socks5://127.0.0.1:${proxy.port}`], { list })
    assert.deepEqual([asked.transactions, asked.failed], [4, 0], asked.stderr)
    assert.deepEqual(
      proxy.requests.map(({ host, port }) => `${host} ${port}`),
      [
        'site.test 80',
        '127.0.0.9 81',
        '20010db8000000000000000000000009 82',
        'xn--bcher-kva.test 80',
      ],
    )
  }
  // What is inside is an ordinary request.
  assert.deepEqual(
    [origin.requests[0]?.requestLine, origin.requests[0]?.valuesOf('host')],
    ['GET /x HTTP/1.1', ['site.test']],
  )
})

onEachReactor('SOCKS5 logs in when asked, and only with what it was given', async (t, run) => {
  const origin = await site(t)
  const accepts = (password: string) => password === 's:e#c'
  const proxy = await socks5(t, { port: origin.port, wantsLogin: true, accepts })
  const place = ['proxy-type = socks5', 'proxy-host = 127.0.0.1', `proxy-port = ${proxy.port}`]
  for (const rc of [
    [...place, 'proxy-login = joe:s:e#c'],
    [`proxy = socks5://joe:s%3Ae%23c@127.0.0.1:${proxy.port}`],
  ]) {
    const asked = await run(['-r2', 'http://site.test/'], { rc })
    assert.deepEqual([asked.transactions, asked.failed], [2, 0], asked.stderr)
    assert.deepEqual(proxy.requests.at(-1), {
      ...{ host: 'site.test', port: 80, user: 'joe', password: 's:e#c' },
    })
    assert.doesNotMatch(asked.stdout + asked.stderr, /s:e#c/)
  }
  for (const [rc, reason] of [
    [['proxy-login = joe:wrong'], 'it rejected user and password'],
    [[], 'it wants a user and a password'],
  ] as const) {
    const refused = await run(['http://site.test/'], { rc: [...place, ...rc] })
    assert.deepEqual([refused.transactions, refused.failed, refused.status], [0, 1, 1])
    assert.match(refused.stderr, new RegExp(`\\[error\\] SOCKS proxy: ${reason}\\n`))
    assert.doesNotMatch(refused.stderr, /wrong/)
  }
})

onEachReactor('every refusal of SOCKS5 has its reason', async (t, run) => {
  const reasons: Record<number, string> = {
    1: 'general failure',
    2: 'not allowed by its rules',
    3: 'network unreachable',
    4: 'host unreachable',
    5: 'connection refused',
    6: 'time to live expired',
    7: 'command not supported',
    8: 'address type not supported',
    99: 'failure 99',
  }
  const replies: [readonly number[], string][] = Object.entries(reasons).map(([code, reason]) => [
    [5, Number(code), 0, ...BOUND],
    reason,
  ])
  replies.push(
    // Some proxies say no more than that.
    [[5, 2], 'not allowed by its rules'],
    [[5, 0, 0, 7, 0, 0, 0, 0, 0, 0], 'its answer is broken'],
    [[72, 84, 84, 80], 'its answer is broken'],
    [[5, 0, 0, ...BOUND, 33], 'it sent more than its answer'],
    [[5, 0, 0, 1, 0], 'it closed the connection'],
    [[], 'it closed the connection'],
  )
  for (const [reply, reason] of replies) {
    const proxy = await socks5(t, { port: 1, reply })
    const refused = await run(['http://site.test/'], {
      rc: [`proxy = socks5://127.0.0.1:${proxy.port}`],
    })
    assert.deepEqual([refused.transactions, refused.failed], [0, 1], reason)
    assert.match(refused.stderr, new RegExp(`\\[error\\] SOCKS proxy: ${reason}\\n`))
  }
})

onEachReactor('a bound address of any kind is passed over', async (t, run) => {
  const origin = await site(t)
  for (const bound of [
    [1, 9, 9, 9, 9, 0, 80],
    [4, ...new Array(16).fill(9), 0, 80],
    [3, 5, 97, 98, 99, 100, 101, 0, 80],
    [3, 0, 0, 80],
    [3, 255, ...new Array(255).fill(97), 0, 80],
  ]) {
    const proxy = await startByteServer(t, async (connection) => {
      await connection.read(3)
      await say(connection, [5, 0])
      await connection.read(4 + 1 + 9 + 2)
      await say(connection, [5, 0, 0, ...bound], true)
      connection.passOn(origin.port)
    })
    const asked = await run(['http://site.test/'], {
      rc: [`proxy = socks5://127.0.0.1:${proxy.port}`],
    })
    assert.deepEqual([asked.transactions, asked.failed], [1, 0], asked.stderr)
  }
})

onEachReactor('SOCKS4 gets addresses, SOCKS4a names, and the user', async (t, run) => {
  const origin = await site(t)
  const proxy = await socks4(t, origin.port)
  const list = ['http://site.test/', 'http://127.0.0.9:81/']
  const asked = await run(['-r2', '--proxy', `socks4://joe@127.0.0.1:${proxy.port}`], { list })
  assert.deepEqual([asked.transactions, asked.failed], [2, 0], asked.stderr)
  assert.deepEqual(proxy.requests, [
    { host: 'site.test', port: 80, user: 'joe', password: '' },
    { host: '127.0.0.9', port: 81, user: 'joe', password: '' },
  ])
  for (const [reply, reason] of [
    [[0, 91, 0, 0, 0, 0, 0, 0], 'it refused or could not connect'],
    [[0, 92, 0, 0, 0, 0, 0, 0], 'it refused \\(code 92\\)'],
    [[0, 93, 0, 0, 0, 0, 0, 0], 'it refused \\(code 93\\)'],
    [[5, 90, 0, 0, 0, 0, 0, 0], 'it does not speak version 4'],
    [[0, 90, 0, 0, 0, 0, 0, 0, 1], 'it sent more than its answer'],
    [[0, 90], 'it closed the connection'],
  ] as const) {
    const refusing = await socks4(t, 1, reply)
    const refused = await run(['http://site.test/'], {
      rc: ['proxy-type = socks4', 'proxy-host = 127.0.0.1', `proxy-port = ${refusing.port}`],
    })
    assert.deepEqual([refused.transactions, refused.failed], [0, 1])
    assert.match(refused.stderr, new RegExp(`\\[error\\] SOCKS proxy: ${reason}\\n`))
  }
})

onEachReactor('TLS runs inside, once a connection; each origin has its own', async (t, run) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const secure = await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
  const proxy = await socks5(t, { port: secure.port })
  const list = ['https://one.test/', 'https://two.test/']
  const asked = await run(['-r6'], {
    list,
    rc: [`proxy = socks5h://127.0.0.1:${proxy.port}`, 'connection = keep-alive'],
  })
  assert.deepEqual([asked.transactions, asked.failed], [6, 0], asked.stderr)
  assert.deepEqual(
    proxy.requests.map(({ host, port }) => `${host} ${port}`),
    ['one.test 443', 'two.test 443'],
  )
})

test('a proxy that is silent, absent or no SOCKS fails as a connection does', async (t) => {
  const silent = await startByteServer(t, () => {})
  const http = await startByteServer(t, async (connection) => {
    await connection.read(3)
    await connection.write('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  for (const [port, reason] of [
    [silent.port, /no tunnel through proxy 127\.0\.0\.1:\d+ within 0\.3 s/],
    [http.port, /SOCKS proxy: it does not speak version 5/],
    [await freePort(), /connection refused/],
  ] as const) {
    const timeoutS = port === silent.port ? 0.3 : 30
    const rc = [`proxy = socks5://127.0.0.1:${port}`, `timeout = ${timeoutS}`]
    const run = await siege(['http://site.test/'], { rc })
    assert.deepEqual([run.transactions, run.failed], [0, 1])
    assert.match(run.stderr, reason)
  }
  const long = await siege(['--proxy', `socks5://${'u'.repeat(256)}:x@h`, 'http://site.test/'])
  assert.equal(long.status, 2)
  assert.match(long.stderr, /a login for a SOCKS proxy has at most 255 bytes/)
})
