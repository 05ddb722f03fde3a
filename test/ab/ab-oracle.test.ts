/** Generated command lines, compared with real ab: see `oracle.ts`, and `rules.ts` for what may differ. */
import { test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { startNginx } from '../support/nginx.ts'
import { startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { goodCases, hostileCases, siteCases, wrongCases } from './command-lines.ts'
import { compare, compareAll } from './oracle.ts'
import { good, hostileServers, startPracticeSite, startPythonServer } from './oracle-servers.ts'
import { hostileRules, rules } from './rules.ts'

const GOOD_COUNT = 80
const WRONG_COUNT = 24
const SITE_COUNT = 12
/** Of each hostile server. */
const HOSTILE_COUNT = 4

test(`${GOOD_COUNT} command lines: requests, report, files and status are those of ab`, async (t) => {
  const realAb = requirePart(t, 'ab')
  if (realAb === undefined) return
  const startServer = () => startRawServer(t, good)
  const [cases, count] = [goodCases, GOOD_COUNT]
  await compareAll(t, { cases, count }, { realAb, startServer, applied: rules })
})

test(`${WRONG_COUNT} wrong command lines: words and status are those of ab`, async (t) => {
  const realAb = requirePart(t, 'ab')
  if (realAb === undefined) return
  const startServer = () => startRawServer(t, good)
  const [cases, count] = [wrongCases, WRONG_COUNT]
  await compareAll(t, { cases, count }, { realAb, startServer, applied: rules })
})

test("against nginx, Python's http.server and the practice site, the report is that of ab", async (t) => {
  const realAb = requirePart(t, 'ab')
  const nginxPath = requirePart(t, 'nginx')
  const python = requirePart(t, 'python3')
  if (realAb === undefined || nginxPath === undefined || python === undefined) return
  const urls = [
    (await startNginx(t, { path: nginxPath })).url,
    await startPythonServer(t, python),
    await startPracticeSite(t),
  ]
  for (const url of urls) {
    const startServer = () => ({ url, requests: [] })
    const [cases, count] = [siteCases, SITE_COUNT]
    await compareAll(t, { cases, count }, { realAb, startServer, applied: rules })
  }
})

test('against nginx by TLS, the report is that of ab', async (t) => {
  const realAb = requirePart(t, 'ab')
  const path = requirePart(t, 'nginx')
  const openssl = requirePart(t, 'openssl')
  if (realAb === undefined || path === undefined || openssl === undefined) return
  const { certFile, keyFile } = makeCertificate(t, openssl)
  const http = 'ssl_protocols TLSv1.2 TLSv1.3;'
  const { url } = await startNginx(t, { path, http, tls: { certFile, keyFile } })
  const server = { url: url.replace('127.0.0.1', 'localhost'), requests: [] }
  for (const args of [
    ['-n5'],
    ['-n160', '-c7', '-k'],
    ['-n4', '-i'],
    ['-n3', '-k', '-w'],
    ['-n2', '-f', 'TLS1.2'],
    ['-n2', '-f', 'tls1.3', '-I'],
    ['-n2', '-f', 'TLS1.2', '-Z', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['-n2', '-H', 'Host: other.test'],
  ]) {
    await compare({ args, path: '/' }, { realAb, server, applied: rules, what: 'by TLS' })
  }
})

for (const [name, script] of Object.entries(hostileServers)) {
  test(`a server that ${name}: all but the counts is as with ab`, async (t) => {
    const realAb = requirePart(t, 'ab')
    if (realAb === undefined) return
    const startServer = () => startRawServer(t, script)
    const [cases, count] = [hostileCases, HOSTILE_COUNT]
    const applied = [...rules, ...hostileRules]
    await compareAll(t, { cases, count }, { realAb, startServer, applied })
  })
}
