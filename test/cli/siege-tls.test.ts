/** TLS that works, and TLS that does not: counted, told, bounded by the timeout. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { answering, type RawScript, silent, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { timedTest } from '../support/timing.ts'
import { type JsonReport, siegeJson } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Not before the client knows that it is connected. */
const resetLater: RawScript = async (connection) => {
  await connection.pause(100)
  connection.reset()
}

/** The kind of the only failures of a run in which both requests failed. */
function kindOf({ onager }: JsonReport): string {
  assert.deepEqual([onager.failed, onager.completed, onager.failures.length], [2, 0, 1])
  return onager.failures[0]!.kind
}

test('TLS works without verifying, --verify refuses a stranger, --ca makes it known', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const certificate = makeCertificate(t, openssl)
  const server = await startRawServer(t, answering(OK), { tls: certificate })
  const rc = 'connection = keep-alive\n'
  const plain = await siegeJson(['-c2', '-r3', server.url], { rc })
  assert.deepEqual([plain.report.transactions, plain.status], [6, 0])
  const verified = await siegeJson(['-c1', '-r2', '--verify', server.url])
  assert.equal(kindOf(verified.report), 'TLS handshake failed')
  assert.equal(verified.status, 1)
  const known = await siegeJson([
    '-c1',
    '-r2',
    '--verify',
    '--ca',
    certificate.certFile,
    server.url,
  ])
  assert.equal(known.report.transactions, 2)
})

timedTest(
  'TLS to a port that speaks plain HTTP, closes, resets or stalls fails, within the timeout',
  async (t) => {
    for (const [script, kind] of [
      [answering(OK), /^timeout in TLS handshake$/],
      [
        (connection) => connection.send('HTTP/1.1 400 Bad Request\r\n\r\n'),
        /^TLS handshake failed$/,
      ],
      [(connection) => connection.end(), /^TLS handshake failed$/],
      [resetLater, /^TLS handshake failed$/],
      [silent, /^timeout in TLS handshake$/],
    ] as readonly (readonly [RawScript, RegExp])[]) {
      const server = await startRawServer(t, script)
      const url = server.url.replace('http:', 'https:')
      const timeoutS = String(kind).includes('timeout') ? 0.5 : 30
      const { report, status } = await siegeJson(['-c1', '-r2', `--timeout=${timeoutS}`, url])
      assert.match(kindOf(report), kind)
      assert.equal(status, 1)
      assert.ok(report.onager.elapsed_time_s < 5)
    }
  },
)

test('a plain request to a TLS port fails', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const certificate = makeCertificate(t, openssl)
  const server = await startRawServer(t, answering(OK), { tls: certificate })
  const { report } = await siegeJson(['-c1', '-r2', server.url.replace('https:', 'http:')])
  assert.equal(report.failed_transactions, 2)
})
