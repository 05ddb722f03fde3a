/** The built siege through proxies that are not ours: squid, tinyproxy and dante. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { type DaemonPlace, isRoot, startDaemon } from '../support/daemon.ts'
import { freePort } from '../support/ports.ts'
import { answering, type RawServer, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { onEachReactor } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const KEEP_ALIVE = 'connection = keep-alive'
const SQUID_HELPERS = '/usr/lib/squid'

interface Sites {
  readonly plain: RawServer
  readonly secure: RawServer
  /** One URL of each. */
  readonly list: readonly string[]
}

async function startSites(t: TestContext): Promise<Sites | undefined> {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return undefined
  const plain = await startRawServer(t, answering(OK))
  const secure = await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
  return { plain, secure, list: [`${plain.url}/a`, `${secure.url}/b`] }
}

/** Lines of squid's configuration for its logins; none: everybody is let through. */
type SquidLogin = (folder: string) => readonly string[]

async function startSquid(t: TestContext, login?: SquidLogin): Promise<number | undefined> {
  const path = requirePart(t, 'squid')
  if (path === undefined) return undefined
  const { port } = await startDaemon(t, {
    path,
    prepare: (place) => {
      const lines = login?.(place.folder).map((line) => `auth_param ${line}`) ?? []
      writeFileSync(join(place.folder, 'squid.conf'), squidConfig(place, lines))
      // Squid gives up the rights of root before it opens its logs.
      chmodSync(place.folder, 0o777)
      return ['-N', '-f', join(place.folder, 'squid.conf')]
    },
  })
  return port
}

function squidConfig({ folder, port }: DaemonPlace, loginLines: readonly string[]): string {
  const access =
    loginLines.length > 0 ? 'acl users proxy_auth REQUIRED\nhttp_access allow users' : ''
  return `${loginLines.join('\n')}
http_port 127.0.0.1:${port}
acl forbidden url_regex forbidden
acl forbidden_host dstdomain forbidden.test
http_access deny forbidden
http_access deny forbidden_host
${access}
http_access ${loginLines.length > 0 ? 'deny' : 'allow'} all
cache deny all
cache_log ${folder}/cache.log
access_log none
logfile_rotate 0
pid_filename none
coredump_dir ${folder}
visible_hostname localhost
shutdown_lifetime 0 seconds
pinger_enable off
${isRoot ? 'cache_effective_user proxy' : ''}
`
}

const squidLogins: Readonly<Record<'basic' | 'digest' | 'ntlm', SquidLogin>> = {
  basic: (folder) => {
    const helper = join(folder, 'helper')
    // What is special to a helper may come with percent signs.
    const known = 'case "$line" in "joe pa:ss"|"joe pa%3Ass") echo OK;; *) echo ERR;; esac'
    writeFileSync(helper, `#!/bin/sh\nwhile read line; do ${known}; done\n`)
    chmodSync(helper, 0o755)
    return [`basic program ${helper}`, 'basic children 1', 'basic realm r']
  },
  digest: (folder) => {
    const hash = createHash('md5').update('joe:r:pa:ss').digest('hex')
    writeFileSync(join(folder, 'users'), `joe:r:${hash}\n`)
    const program = `${SQUID_HELPERS}/digest_file_auth -c ${join(folder, 'users')}`
    return [`digest program ${program}`, 'digest children 1', 'digest realm r']
  },
  ntlm: () => [`ntlm program ${SQUID_HELPERS}/ntlm_fake_auth`, 'ntlm children 1'],
}

function through(port: number): string {
  return `proxy = http://127.0.0.1:${port}`
}

onEachReactor('squid passes http and https on, kept or not', async (t, run) => {
  const port = await startSquid(t)
  const sites = port === undefined ? undefined : await startSites(t)
  if (port === undefined || sites === undefined) return
  for (const rc of [[], [KEEP_ALIVE]]) {
    const asked = await run(['-c2', '-r6'], { list: sites.list, rc: [through(port), ...rc] })
    assert.deepEqual([asked.transactions, asked.failed], [12, 0], asked.stderr)
  }
  assert.equal(sites.secure.connectionCount, 6 + 2)
  assert.equal(sites.secure.requests[0]?.requestLine, 'GET /b HTTP/1.1')
  assert.ok(sites.plain.requests.every((request) => request.valuesOf('via').length === 1))
})

onEachReactor('squid refuses with a status for http and with none for a tunnel', async (t, run) => {
  const port = await startSquid(t)
  if (port === undefined) return
  const rc = [through(port)]
  const page = await run(['http://127.0.0.1:1/forbidden'], { rc })
  assert.deepEqual([page.lines, page.failed], [['403 GET /forbidden'], 0])
  const tunnel = await run(['https://forbidden.test/'], { rc })
  assert.deepEqual([tunnel.failed, tunnel.status], [1, 1])
  assert.match(tunnel.stderr, /\[error\] proxy, CONNECT forbidden\.test:443: it answered 403\n/)
  const gone = await freePort()
  const unreachable = await run(['-r2'], {
    list: [`http://127.0.0.1:${gone}/`, `https://127.0.0.1:${gone}/`],
    rc,
  })
  assert.deepEqual(unreachable.lines, ['503 GET /'])
  assert.match(unreachable.stderr, /CONNECT 127\.0\.0\.1:\d+: it answered 503/)
})

for (const [name, login] of Object.entries(squidLogins)) {
  onEachReactor(`squid lets ${name} logins through, https too`, async (t, run) => {
    const port = await startSquid(t, login)
    const sites = port === undefined ? undefined : await startSites(t)
    if (port === undefined || sites === undefined) return
    for (const rc of [[], [KEEP_ALIVE]]) {
      for (const url of sites.list) {
        const asked = await run(['-c2', '-r4', url], {
          rc: [through(port), 'proxy-login = joe:pa:ss', ...rc],
        })
        const lines = asked.lines.filter((line) => line.startsWith('200'))
        assert.deepEqual([lines.length, asked.failed], [8, 0], `${url} ${rc} ${asked.stderr}`)
        assert.doesNotMatch(asked.stdout + asked.stderr, /pa:ss/)
      }
    }
    if (name === 'ntlm') return
    const wrong = await run(['-r2'], {
      list: sites.list,
      rc: [through(port), 'proxy-login = joe:wrong'],
    })
    assert.equal(wrong.failed, 2)
    assert.match(wrong.stderr, /it answered 407: the server does not accept the login/)
    const without = await run(['-r2'], { list: sites.list, rc: [through(port)] })
    assert.deepEqual([without.transactions, without.failed], [0, 2])
  })
}

onEachReactor('tinyproxy passes on with its login, and refuses without', async (t, run) => {
  const path = requirePart(t, 'tinyproxy')
  const sites = path === undefined ? undefined : await startSites(t)
  if (path === undefined || sites === undefined) return
  const { port } = await startDaemon(t, {
    path,
    prepare: ({ folder, port: proxyPort }) => {
      const file = join(folder, 'tinyproxy.conf')
      const lines = [`Port ${proxyPort}`, 'Listen 127.0.0.1', 'Timeout 60', 'MaxClients 20']
      lines.push('BasicAuth joe secret', 'LogLevel Error')
      if (isRoot) lines.push('User nobody', 'Group nogroup')
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
      return ['-d', '-c', file]
    },
  })
  for (const rc of [[], [KEEP_ALIVE]]) {
    const asked = await run(['-c2', '-r4'], {
      list: sites.list,
      rc: [`proxy = http://joe:secret@127.0.0.1:${port}`, ...rc],
    })
    const lines = asked.lines.filter((line) => line.startsWith('200'))
    assert.deepEqual([lines.length, asked.failed], [8, 0], asked.stderr)
  }
  const without = await run(['-r2'], { list: sites.list, rc: [through(port)] })
  assert.equal(without.failed, 2)
  assert.match(without.stderr, /CONNECT 127\.0\.0\.1:\d+: it answered 40[17]/)
})

async function startDante(t: TestContext, method: 'none' | 'username') {
  const path = requirePart(t, 'danted')
  if (path === undefined) return undefined
  const { port } = await startDaemon(t, {
    path,
    prepare: ({ folder, port: proxyPort }) => {
      const file = join(folder, 'danted.conf')
      writeFileSync(
        file,
        `logoutput: ${join(folder, 'danted.log')}
internal: 127.0.0.1 port = ${proxyPort}
external: 127.0.0.1
clientmethod: none
socksmethod: ${method}
${isRoot ? 'user.privileged: root\nuser.unprivileged: nobody' : ''}
client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
socks block { from: 0.0.0.0/0 to: 127.0.0.9/32 }
socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 protocol: tcp }
`,
      )
      return ['-f', file, '-N', '1', '-p', join(folder, 'danted.pid')]
    },
  })
  return port
}

onEachReactor(
  'dante passes on, version 4 and 5, http and https, addresses and names',
  async (t, run) => {
    const port = await startDante(t, 'none')
    const sites = port === undefined ? undefined : await startSites(t)
    if (port === undefined || sites === undefined) return
    const named = sites.list.map((url) => url.replace('127.0.0.1', 'localhost'))
    // Dante takes names in version 5 only.
    for (const [scheme, list] of [
      ['socks5', [...sites.list, ...named]],
      ['socks4', sites.list],
    ] as const) {
      for (const rc of [[], [KEEP_ALIVE]]) {
        const asked = await run(['-c2', '-r4'], {
          list,
          rc: [`proxy = ${scheme}://127.0.0.1:${port}`, ...rc],
        })
        assert.deepEqual([asked.transactions, asked.failed], [8, 0], `${scheme} ${asked.stderr}`)
      }
    }
  },
)

onEachReactor(
  'dante refuses by its rules, where nobody listens, and unknown users',
  async (t, run) => {
    const port = await startDante(t, 'none')
    const loginPort = await startDante(t, 'username')
    if (port === undefined || loginPort === undefined) return
    const gone = `http://127.0.0.1:${await freePort()}/`
    for (const [proxy, url, reason] of [
      [`socks5://127.0.0.1:${port}`, gone, 'connection refused'],
      [`socks5://127.0.0.1:${port}`, 'http://127.0.0.9/', 'not allowed by its rules'],
      [`socks4://127.0.0.1:${port}`, gone, 'it refused or could not connect'],
      [
        `socks5://no-such-user:secret@127.0.0.1:${loginPort}`,
        gone,
        'it rejected user and password',
      ],
      [`socks5://127.0.0.1:${loginPort}`, gone, 'it wants a user and a password'],
    ] as const) {
      const refused = await run(['-r2', url], { rc: [`proxy = ${proxy}`] })
      assert.deepEqual([refused.transactions, refused.failed, refused.status], [0, 2, 1])
      assert.match(refused.stderr, new RegExp(`\\[error\\] SOCKS proxy: ${reason}\\n`))
      assert.doesNotMatch(refused.stderr, /secret/)
    }
  },
)
