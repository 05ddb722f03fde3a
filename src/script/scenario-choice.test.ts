/** Choosing scenarios: shares as the weights say, the same on any number of threads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { ScenarioChooser } from './scenario-choice.ts'

const weightLists = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), {
  minLength: 1,
  maxLength: 6,
})

test('ScenarioChooser keeps to the weights, after any number of iterations', () => {
  fc.assert(
    fc.property(
      weightLists,
      fc.nat(),
      fc.integer({ min: 1, max: 20_000 }),
      (weights, seed, count) => {
        const chooser = new ScenarioChooser(weights, seed)
        const counts = weights.map(() => 0)
        for (let index = 0; index < count; index++) counts[chooser.scenarioOf(index)]!++
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        for (const [index, weight] of weights.entries()) {
          const difference = Math.abs(counts[index]! - (count * weight) / total)
          assert.ok(difference < 16, `${weights} after ${count}: off by ${difference}`)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('ScenarioChooser answers alike whatever was asked before', () => {
  fc.assert(
    fc.property(weightLists, fc.nat(), fc.integer({ min: 1, max: 5 }), (weights, seed, threads) => {
      const whole = new ScenarioChooser(weights, seed)
      const each = Array.from({ length: threads }, () => new ScenarioChooser(weights, seed))
      for (let index = 0; index < 300; index++) {
        assert.equal(each[index % threads]!.scenarioOf(index), whole.scenarioOf(index))
      }
    }),
  )
})

test('ScenarioChooser mixes scenarios in an order that depends on the seed', () => {
  const order = (seed: number) => {
    const chooser = new ScenarioChooser([1, 1], seed)
    return Array.from({ length: 64 }, (_, index) => chooser.scenarioOf(index)).join('')
  }
  assert.notEqual(order(1), order(2))
  assert.equal(order(1), order(1))
  // Neither one after the other nor in turn.
  const runs = order(1).match(/0+|1+/g)!.length
  assert.ok(runs > 10 && runs < 55, order(1))
})
