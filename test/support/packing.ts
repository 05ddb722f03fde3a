/** Packing for tests of layers that are handed it. */
export { nodePacking } from '../../src/run/node-packing.ts'
