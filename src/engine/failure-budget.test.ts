/** How many failures a budget bears, alone and over several threads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { FailureBudget } from './failure-budget.ts'

test('FailureBudget is spent with the last failure it allows, and stays so', () => {
  const budget = new FailureBudget(3)
  assert.deepEqual([budget.spend(), budget.spend()], [false, false])
  assert.ok(!budget.isSpent)
  assert.ok(budget.spend())
  assert.ok(budget.isSpent)
  assert.ok(budget.spend())
})

test('FailureBudget without a limit is never spent', () => {
  const budget = new FailureBudget(null)
  for (let count = 0; count < 10_000; count++) assert.ok(!budget.spend())
  assert.ok(!budget.isSpent)
})

test('FailureBudget counts what all holders of its cell spend', () => {
  const first = new FailureBudget(2)
  const second = new FailureBudget(2, first.cell)
  assert.ok(!first.spend())
  assert.ok(second.spend())
  assert.ok(first.isSpent)
})

test('FailureBudget loses no failure of threads that fail at the same time', async () => {
  const [threadCount, eachCount] = [4, 5000]
  const { cell } = new FailureBudget(null)
  const source = new URL('./failure-budget.js', import.meta.url).href
  const program = `
    const { workerData } = require('node:worker_threads')
    import(${JSON.stringify(source)}).then(({ FailureBudget }) => {
      const budget = new FailureBudget(null, workerData)
      for (let count = 0; count < ${eachCount}; count++) budget.spend()
    })`
  const threads = Array.from(
    { length: threadCount },
    () => new Worker(program, { eval: true, workerData: cell }),
  )
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.on('exit', resolve))))
  assert.equal(Atomics.load(cell, 0), threadCount * eachCount)
})
