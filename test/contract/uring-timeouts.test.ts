/** Connections on io_uring that time out in the middle of things: they spoil no others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { obstacleOf } from '../support/siege-run.ts'
import { eventually } from '../support/timing.ts'
import { plainSiegerc, runEngine } from './engine-process.ts'
import { startHashedBodies } from './hashed-bodies.ts'

const USER_COUNT = 25
const ITERATION_COUNT = 10

for (const reactor of ['uring', 'scarce uring'] as const) {
  const obstacle = obstacleOf('uring')
  const options = obstacle === null ? {} : { skip: obstacle }
  test(`${reactor}: connections that time out spoil no others`, options, async (t) => {
    const server = await startHashedBodies(t, { stalledEvery: 5 })
    const report = await runEngine(t, {
      reactor,
      userCount: USER_COUNT,
      iterationCount: ITERATION_COUNT,
      siegerc: [...plainSiegerc, 'connection = keep-alive'],
      urls: [`${server.url}/bodies`],
      timeoutMs: 300,
    })
    assert.equal(report.completedCount + report.failedCount, USER_COUNT * ITERATION_COUNT)
    assert.ok(report.completedCount > 0 && report.failedCount > 0)
    assert.equal(report.rightBodyCount, report.completedCount)
    assert.equal(report.okCount, report.completedCount)
    for (const text of report.failures) assert.match(text, /no (?:further byte|answer) from/)
    await eventually(() => server.openConnectionCount === 0, 'all connections are closed')
  })
}
