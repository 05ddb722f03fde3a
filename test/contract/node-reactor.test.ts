/** The reactor on node:net keeps the contract, against real peers on loopback. */
import { after } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { limitContract } from './limit-contract.ts'
import { createReactor } from './node-reactor-of.ts'
import { reactorContract } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { tlsContract } from './tls-contract.ts'

const scope = { after }
const harness = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
  name: 'node',
  createReactor,
  module: new URL('./node-reactor-of.js', import.meta.url),
})

reactorContract('node', () => harness)
tlsContract('node', () => harness)
limitContract('node', () => harness)
