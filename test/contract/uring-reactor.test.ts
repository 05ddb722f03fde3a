/** The reactor on io_uring keeps the contract, against real peers on loopback. */
import { after, test } from 'node:test'
import { EnvironmentError } from '../../src/base/errors.ts'
import { loadOpenSsl } from '../../src/engine/net/openssl.ts'
import { probeUring } from '../../src/engine/net/uring-reactor.ts'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { limitContract } from './limit-contract.ts'
import { reactorContract } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { tlsContract } from './tls-contract.ts'
import { createReactor } from './uring-reactor-of.ts'

const obstacle = obstacleHere()
if (obstacle === null) {
  const scope = { after }
  const harness = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
    name: 'uring',
    createReactor,
    module: new URL('./uring-reactor-of.js', import.meta.url),
  })
  reactorContract('uring', () => harness)
  tlsContract('uring', () => harness)
  limitContract('uring', () => harness)
} else test('uring reactor', (t) => t.skip(obstacle))

/** Why there is no uring reactor here; with CI=true there has to be one. */
function obstacleHere(): string | null {
  try {
    probeUring()
    loadOpenSsl()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError && process.env.CI !== 'true') return error.message
    throw error
  }
}
