/** The TLS options of the built siege against servers that say what they saw. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Certificate, makeCertificate } from '../support/certificate.ts'
import { tempFolder } from '../support/files.ts'
import { requirePart } from '../support/real-parts.ts'
import { onEachReactor } from '../support/siege-run.ts'
import { type TlsSite, tlsSite } from '../support/tls-site.ts'

function certificateFor(t: TestContext, name = 'localhost'): Certificate | undefined {
  const openssl = requirePart(t, 'openssl')
  return openssl === undefined ? undefined : makeCertificate(t, openssl, { names: [name] })
}

onEachReactor('SNI is the host if it is a name, or the Host that was given', async (t, siege) => {
  const certificate = certificateFor(t)
  if (certificate === undefined) return
  const site = await tlsSite(t, certificate)
  const byName = `https://localhost:${site.port}/`
  const byAddress = `https://127.0.0.1:${site.port}/`
  for (const [args, name] of [
    [[byName], 'localhost'],
    [[byAddress], false],
    [['-H', 'Host: vhost.test', byAddress], 'vhost.test'],
    [['-H', 'Host: vhost.test:8443', byName], 'vhost.test'],
    [['-H', 'Host: [::1]:8443', byName], false],
  ] as const) {
    const run = await siege(args)
    assert.equal(run.failed, 0, run.stderr)
    assert.equal(site.seen.at(-1)?.serverName, name, args.join(' '))
  }
})

onEachReactor(
  'nothing is verified unless asked for; --verify wants name and authority right',
  async (t, siege) => {
    const certificate = certificateFor(t)
    if (certificate === undefined) return
    const site = await tlsSite(t, certificate)
    const right = `https://localhost:${site.port}/`
    const { certFile } = certificate
    assert.equal((await siege([right])).failed, 0)
    assert.equal((await siege(['--verify', '--ca', certFile, right])).failed, 0)
    assert.equal(
      (await siege(['--verify', '--ca', certFile, `https://127.0.0.1:${site.port}/`])).failed,
      0,
    )
    const untrusted = await siege(['--verify', right])
    assert.deepEqual([untrusted.failed, untrusted.status], [1, 1])
    assert.match(untrusted.stderr, /\[error\] self-signed certificate: 127\.0\.0\.1:\d+\n/)
    const other = ['--verify', '--ca', certFile, '-H', 'Host: other.test', right]
    const misnamed = await siege(other)
    assert.equal(misnamed.failed, 1)
    assert.match(misnamed.stderr, /\[error\] the certificate is not for other\.test: 127/)
    const trusted = await siege([right], { rc: ['ssl-verify = true', `ssl-ca = ${certFile}`] })
    assert.equal(trusted.failed, 0)
  },
)

onEachReactor(
  'a client certificate is shown, its key from the same file or another',
  async (t, siege) => {
    const certificate = certificateFor(t)
    const client = certificateFor(t, 'client.test')
    if (certificate === undefined || client === undefined) return
    const site = await tlsSite(t, certificate, {
      ca: client.cert,
      requestCert: true,
      rejectUnauthorized: true,
    })
    const url = `https://localhost:${site.port}/`
    const both = join(tempFolder(t), 'both.pem')
    writeFileSync(both, client.cert + client.key)
    for (const rc of [
      [`ssl-cert = ${client.certFile}`, `ssl-key = ${client.keyFile}`],
      [`ssl-cert = ${both}`],
    ]) {
      const run = await siege([url], { rc })
      assert.equal(run.failed, 0, run.stderr)
      assert.equal(site.seen.at(-1)?.client, 'client.test')
    }
    const without = await siege([url])
    assert.equal(without.failed, 1)
    assert.match(without.stderr, /certificate required/)
  },
)

onEachReactor(
  'versions are bounded by --tls-min and --tls-max, down to TLS 1.0',
  async (t, siege) => {
    const certificate = certificateFor(t)
    if (certificate === undefined) return
    const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
    const site = await tlsSite(t, certificate, old)
    const url = `https://localhost:${site.port}/`
    for (const [args, version] of [
      [[], 'TLSv1.3'],
      [['--tls-max', '1.2'], 'TLSv1.2'],
      [['--tls-max=1.1', '--tls-min=1.0'], 'TLSv1.1'],
      [['--tls-max=1.1'], 'TLSv1.1'],
      [['--tls-min=1.0', '--tls-max=tlsv1.0'], 'TLSv1'],
      [['--tls-min=1.3'], 'TLSv1.3'],
    ] as const) {
      const run = await siege([...args, url])
      assert.equal(run.failed, 0, run.stderr)
      assert.equal(site.seen.at(-1)?.version, version, args.join(' '))
    }
    const below = await tlsSite(t, certificate, { maxVersion: 'TLSv1.2' })
    const refused = await siege(['--tls-min', '1.3', `https://localhost:${below.port}/`])
    assert.deepEqual([refused.failed, refused.status], [1, 1])
    assert.match(refused.stderr, /protocol version/)
  },
)

onEachReactor(
  'ssl-ciphers chooses among those of TLS 1.2 and leaves TLS 1.3 as it is',
  async (t, siege) => {
    const certificate = certificateFor(t)
    if (certificate === undefined) return
    const site = await tlsSite(t, certificate)
    const url = `https://localhost:${site.port}/`
    const cipher = 'ECDHE-ECDSA-AES128-GCM-SHA256'
    const rc = [`ssl-ciphers = ${cipher}`]
    await siege(['--tls-max=1.2', url], { rc })
    assert.equal(site.seen.at(-1)?.cipher, cipher)
    await siege([url], { rc })
    assert.equal(site.seen.at(-1)?.version, 'TLSv1.3')
    await siege([url], { rc: ['ssl-ciphers = TLS_CHACHA20_POLY1305_SHA256'] })
    assert.equal(site.seen.at(-1)?.cipher, 'TLS_CHACHA20_POLY1305_SHA256')
  },
)

onEachReactor(
  'sessions are resumed only with --tls-resume, per origin, in both versions',
  async (t, siege) => {
    const certificate = certificateFor(t)
    if (certificate === undefined) return
    for (const version of ['1.2', '1.3']) {
      const sites: readonly TlsSite[] = [
        await tlsSite(t, certificate),
        await tlsSite(t, certificate),
      ]
      const list = sites.map(({ port }) => `https://localhost:${port}/`)
      const plain = await siege(['-r4', '--tls-max', version], { list })
      const resuming = await siege(['-r4', '--tls-max', version, '--tls-resume'], { list })
      for (const { seen } of sites) {
        const isResumed = seen.map((connection) => connection.isResumed)
        assert.deepEqual(isResumed, [false, false, false, true], version)
      }
      assert.deepEqual([plain.transactions, plain.failed], [4, 0])
      assert.deepEqual([resuming.transactions, resuming.failed], [4, 0])
    }
  },
)

onEachReactor('a resumed session does not excuse a wrong certificate', async (t, siege) => {
  const certificate = certificateFor(t)
  if (certificate === undefined) return
  const site = await tlsSite(t, certificate)
  const run = await siege(['-r3', '--tls-resume', '--verify', `https://localhost:${site.port}/`])
  assert.equal(run.failed, 3)
})

onEachReactor('settings that OpenSSL cannot use stop before anything is sent', async (t, siege) => {
  const certificate = certificateFor(t)
  const other = certificateFor(t)
  if (certificate === undefined || other === undefined) return
  const site = await tlsSite(t, certificate)
  const url = `https://localhost:${site.port}/`
  const folder = tempFolder(t)
  const garbage = join(folder, 'garbage.pem')
  writeFileSync(garbage, 'no certificate\n')
  for (const [args, rc, message] of [
    [['--tls-min=1.4'], [], /--tls-min must be 1\.0, 1\.1, 1\.2 or 1\.3, not "1\.4"/],
    [['--tls-min=1.3', '--tls-max=1.2'], [], /--tls-min is above --tls-max/],
    [['--ca', garbage], [], /ssl-ca \(--ca\) names no certificate in PEM/],
    [['--ca', join(folder, 'none')], [], /ssl-ca \(--ca\) .*: there is no such file/],
    [[], ['ssl-ciphers = NO-SUCH'], /ssl-ciphers names no cipher/],
    [[], [`ssl-cert = ${garbage}`], /ssl-cert names no certificate/],
    [
      [],
      [`ssl-cert = ${certificate.certFile}`, `ssl-key = ${other.keyFile}`],
      /ssl-cert and ssl-key names? no certificate and the key/,
    ],
    [
      [],
      [`ssl-cert = ${certificate.certFile}`, `ssl-key = ${garbage}`],
      /ssl-key names no private/,
    ],
  ] as const) {
    const run = await siege([...args, url], { rc })
    assert.equal(run.status, 2, `${args} ${rc}`)
    assert.match(run.stderr, message)
  }
  assert.equal(site.seen.length, 0)
})
