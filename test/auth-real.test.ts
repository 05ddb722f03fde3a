/**
 * Logins judged by servers that are not ours: apache2 (Basic, Digest) and squid as a proxy (Basic,
 * Digest, NTLM).
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { APACHE_PASSWORD, apacheFolders, startApache } from './support/apache.ts'
import { type DaemonPlace, isRoot, startDaemon } from './support/daemon.ts'
import { LoginClient, type LoginClientOptions } from './support/login-client.ts'
import { answering, startRawServer } from './support/raw-server.ts'
import { requirePart } from './support/real-parts.ts'
import { timedTest } from './support/timing.ts'

const PASSWORD = APACHE_PASSWORD
const JOE = { user: 'joe', passwordAndRealm: PASSWORD }

test('apache2 lets our Basic logins in, and only the right ones', async (t) => {
  const client = await apacheClient(t, { logins: [JOE] })
  if (client === undefined) return
  const first = await client.ask('/basic/')
  assert.deepEqual([first.statuses, first.schemes, first.body], [[401, 200], '- Basic', 'basic\n'])
  const second = await client.ask('/basic/page.html')
  assert.deepEqual([second.statuses, second.schemes], [[200], 'Basic'])
  const admin = await client.ask('/basic/ann/')
  assert.deepEqual([admin.statuses, admin.failure], [[401], 'rejected'])
  const again = await client.ask('/basic/')
  assert.deepEqual([again.statuses, again.connectionCount], [[200], 1])
})

test('apache2 refuses a wrong password once for each scheme', async (t) => {
  const client = await apacheClient(t, { logins: [{ user: 'joe', passwordAndRealm: 'wrong' }] })
  if (client === undefined) return
  for (const name of apacheFolders) {
    const first = await client.ask(`/${name}/`)
    assert.deepEqual([first.statuses, first.failure], [[401, 401], 'rejected'], name)
    const second = await client.ask(`/${name}/`)
    assert.deepEqual([second.statuses, second.failure], [[401], 'rejected'], name)
  }
})

test('apache2 lets our Digest logins in, with any method, target and order', async (t) => {
  const client = await apacheClient(t, { logins: [JOE] })
  if (client === undefined) return
  const first = await client.ask('/digest/')
  assert.deepEqual([first.statuses, first.schemes], [[401, 200], '- Digest'])
  assert.equal(first.body, 'digest\n')
  for (const method of ['POST', 'HEAD', 'GET', 'OPTIONS', 'PUT', 'DELETE']) {
    for (const path of ['/digest/', '/digest/page.html?a=1&b=%22,%20c', '/digest/none/a,b']) {
      const { statuses, schemes } = await client.ask(path, { method })
      assert.equal(schemes, 'Digest')
      assert.ok(statuses.length === 1 && statuses[0] !== 401, `${method} ${path}: ${statuses}`)
    }
  }
})

timedTest('apache2 calls an old nonce stale, and that is no refusal', async (t) => {
  const client = await apacheClient(t, { logins: [JOE] })
  if (client === undefined) return
  assert.deepEqual((await client.ask('/stale/')).statuses, [401, 200])
  await pause(1500)
  const late = await client.ask('/stale/page.html')
  assert.deepEqual([late.statuses, late.schemes], [[401, 200], 'Digest Digest'])
  assert.deepEqual((await client.ask('/stale/')).statuses, [200])
})

test('apache2 lets credentials of a URL in, and a name that needs quotes', async (t) => {
  const client = await apacheClient(t, {})
  if (client === undefined) return
  assert.deepEqual((await client.ask('/digest/')).failure, 'no-credentials')
  const credentials = { user: 'D"O\\M', password: PASSWORD }
  assert.deepEqual((await client.ask('/digest/', { credentials })).statuses, [401, 200])
  assert.deepEqual((await client.ask('/digest/page.html')).statuses, [200])
})

async function apacheClient(
  t: TestContext,
  options: Omit<LoginClientOptions, 'port'>,
): Promise<LoginClient | undefined> {
  const path = requirePart(t, 'apache2')
  if (path === undefined) return undefined
  const port = await startApache(t, path)
  return new LoginClient(t, { ...options, port })
}

const SQUID_HELPERS = '/usr/lib/squid'
const PROXY_LOGIN = { user: 'joe', passwordAndRealm: 'secret' }
const PROXY_REALM = 'The proxy'

test('squid lets our Basic logins through, and only the right ones', async (t) => {
  const settings = (folder: string) => {
    const helper = join(folder, 'helper')
    const loop = 'while read line; do [ "$line" = "joe secret" ] && echo OK || echo ERR; done'
    writeFileSync(helper, `#!/bin/sh\n${loop}\n`)
    chmodSync(helper, 0o755)
    return ['basic', `program ${helper}`, 'children 1', `realm ${PROXY_REALM}`]
  }
  const client = await squidClient(t, settings, PROXY_LOGIN)
  if (client === undefined) return
  const first = await client.ask('/a')
  assert.deepEqual([first.statuses, first.schemes, first.body], [[407, 200], '- Basic', 'through'])
  assert.deepEqual((await client.ask('/b', { method: 'POST' })).statuses, [200])
  const wrong = await squidClient(t, settings, { user: 'joe', passwordAndRealm: 'other' })
  const refused = await wrong?.ask('/a')
  assert.deepEqual([refused?.statuses, refused?.failure], [[407, 407], 'rejected'])
})

test('squid lets our Digest logins through, CONNECT too, and nonces go stale', async (t) => {
  const settings = (folder: string) => {
    const hash = createHash('md5').update(`joe:${PROXY_REALM}:secret`).digest('hex')
    writeFileSync(join(folder, 'users'), `joe:${PROXY_REALM}:${hash}\n`)
    const helper = `program ${SQUID_HELPERS}/digest_file_auth -c ${join(folder, 'users')}`
    return ['digest', helper, 'children 1', `realm ${PROXY_REALM}`, 'nonce_max_count 4']
  }
  const client = await squidClient(t, settings, PROXY_LOGIN)
  if (client === undefined) return
  const statuses: (readonly number[])[] = []
  for (let index = 0; index < 8; index++) {
    const answered = await client.ask(`/page?${index}`, { method: index % 2 ? 'POST' : 'GET' })
    assert.equal(answered.failure, null)
    statuses.push(answered.statuses)
  }
  assert.deepEqual(statuses.slice(0, 2), [[407, 200], [200]])
  // Some later request finds its nonce used up, and goes on with the next.
  assert.ok(
    statuses.slice(2).some(([status]) => status === 407),
    JSON.stringify(statuses),
  )
  const tunnel = await client.ask(`127.0.0.1:${client.originPort}`, { method: 'CONNECT' })
  assert.equal(tunnel.statuses.at(-1), 200)
})

test('squid lets our NTLM logins through, on one connection', async (t) => {
  const settings = () => ['ntlm', `program ${SQUID_HELPERS}/ntlm_fake_auth`, 'children 1']
  const client = await squidClient(t, settings, { user: 'DOM\\joe', passwordAndRealm: 'secret' })
  if (client === undefined) return
  const first = await client.ask('/a')
  assert.deepEqual([first.statuses.at(-1), first.schemes], [200, '- NTLM NTLM'])
  const connectionCount = first.connectionCount
  const second = await client.ask('/b')
  assert.deepEqual([second.statuses, second.schemes], [[200], '-'])
  assert.equal(second.connectionCount, connectionCount)
  client.close()
  const third = await client.ask('/c')
  assert.deepEqual([third.statuses, third.schemes], [[407, 200], 'NTLM NTLM'])
})

/** A client behind a squid that asks for a login: the scheme and what is set for it. */
async function squidClient(
  t: TestContext,
  settings: (folder: string) => readonly string[],
  login: { readonly user: string; readonly passwordAndRealm: string },
): Promise<(LoginClient & { readonly originPort: number }) | undefined> {
  const path = requirePart(t, 'squid')
  if (path === undefined) return undefined
  assert.ok(existsSync(SQUID_HELPERS), 'the helpers of squid are where Debian puts them')
  const origin = await startRawServer(
    t,
    answering('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nthrough'),
  )
  const { port } = await startDaemon(t, {
    path,
    prepare: ({ folder, port: proxyPort }) => {
      const [scheme, ...lines] = settings(folder)
      writeFileSync(
        join(folder, 'squid.conf'),
        squidConfig({ folder, port: proxyPort }, scheme, lines),
      )
      // Squid gives up the rights of root before it opens its logs.
      chmodSync(folder, 0o777)
      return ['-N', '-f', join(folder, 'squid.conf')]
    },
  })
  const client = new LoginClient(t, {
    port,
    proxiedOrigin: `http://127.0.0.1:${origin.port}`,
    proxyLogins: [login],
  })
  return Object.assign(client, { originPort: origin.port })
}

function squidConfig(
  { folder, port }: DaemonPlace,
  scheme: string | undefined,
  lines: readonly string[],
): string {
  return `${lines.map((line) => `auth_param ${scheme} ${line}`).join('\n')}
http_port 127.0.0.1:${port}
acl users proxy_auth REQUIRED
http_access allow users
http_access deny all
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
