/** What a reactor says when the machine has no descriptors left: a process of its own runs out. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FailureKind } from '../../src/metrics/outcome.ts'
import type { LimitReport } from './limit-main.ts'
import { type HarnessOf, openCountOf } from './reactor-contract.ts'
import { eventually } from './stage.ts'

const DESCRIPTOR_COUNT = 50
const SLOT_COUNT = 100

export function limitContract(name: string, harnessOf: HarnessOf): void {
  test(`${name} reactor: says that descriptors ran out, and goes on with the others`, async () => {
    const harness = harnessOf()
    const { address, port } = harness.endpointOf('holder')
    const main = fileURLToPath(new URL('./limit-main.js', import.meta.url))
    const task = JSON.stringify({
      module: harness.reactorModule!.href,
      address,
      port,
      slotCount: SLOT_COUNT,
    })
    const output = execFileSync(
      'sh',
      ['-c', `ulimit -n ${DESCRIPTOR_COUNT}; exec "$@"`, 'sh', process.execPath, main, task],
      { encoding: 'utf8', timeout: 120_000 },
    )
    const { connectedCount, endings, reconnectedCount }: LimitReport = JSON.parse(output)
    assert.ok(connectedCount > 5 && connectedCount < DESCRIPTOR_COUNT, `${connectedCount}`)
    assert.equal(connectedCount + endings.length, SLOT_COUNT)
    for (const ending of endings) {
      assert.equal(ending.how, 'error')
      assert.equal(ending.kind, FailureKind.ownLimit)
      assert.match(ending.text, /too many open files/)
    }
    assert.equal(reconnectedCount, 1, 'a descriptor that was given back is used again')
    await eventually('the peer sees all closes', () => openCountOf(harness, 'holder') === 0)
  })
}
