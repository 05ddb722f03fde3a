/** The simulated reactor keeps the contract: what is found with it is true of the real ones. */
import { reactorContract } from './reactor-contract.ts'
import { simulatedHarness } from './simulated-peers.ts'
import { tlsContract } from './tls-contract.ts'

const harness = simulatedHarness()
reactorContract('simulated', () => harness)
tlsContract('simulated', () => harness)
