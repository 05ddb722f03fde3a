/** The reactor on epoll keeps the contract, against real peers on loopback. */
import { after, test } from 'node:test'
import { EnvironmentError } from '../../src/base/errors.ts'
import { loadLibc } from '../../src/engine/net/libc.ts'
import { loadOpenSsl } from '../../src/engine/net/openssl.ts'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { createReactor } from './epoll-reactor-of.ts'
import { limitContract } from './limit-contract.ts'
import { reactorContract } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { tlsContract } from './tls-contract.ts'

const obstacle = obstacleHere()
if (obstacle === null) {
  const scope = { after }
  const harness = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
    name: 'epoll',
    createReactor,
    module: new URL('./epoll-reactor-of.js', import.meta.url),
  })
  reactorContract('epoll', () => harness)
  tlsContract('epoll', () => harness)
  limitContract('epoll', () => harness)
} else test('epoll reactor', (t) => t.skip(obstacle))

/** Why there is no epoll reactor here; with CI=true there has to be one. */
function obstacleHere(): string | null {
  try {
    loadLibc()
    loadOpenSsl()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError && process.env.CI !== 'true') return error.message
    throw error
  }
}
