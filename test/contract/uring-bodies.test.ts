/**
 * Every byte that arrives and every byte that is sent, checked by hashes at both ends, while the
 * memory around it is collected and moved, buffers are written over as soon as they are given back,
 * and queues and buffers run out. Counts equal the server's.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { obstacleOf } from '../support/siege-run.ts'
import type { EngineReport, EngineTask } from './engine-main.ts'
import { plainSiegerc, runEngine } from './engine-process.ts'
import { type HashedBodies, hashOf, startHashedBodies } from './hashed-bodies.ts'

const USER_COUNT = 25
const ITERATION_COUNT = 10
const PAGE_USER_COUNT = 10

const jobs: readonly (readonly [EngineTask['reactor'], 'keep-alive' | 'close' | 'pages'])[] = [
  ['epoll', 'keep-alive'],
  ['uring', 'keep-alive'],
  ['uring', 'close'],
  ['poisoned uring', 'keep-alive'],
  ['poisoned uring', 'pages'],
  ['scarce uring', 'close'],
  ['scarce uring', 'pages'],
]

for (const [reactor, job] of jobs) {
  const obstacle = obstacleOf(reactor === 'epoll' ? 'epoll' : 'uring')
  const options = obstacle === null ? {} : { skip: obstacle }
  test(`${reactor}, ${job}: all that is sent and received is right`, options, (t) =>
    job === 'pages' ? checkPages(t, reactor) : checkBodies(t, reactor, job),
  )
}

async function checkBodies(
  t: TestContext,
  reactor: EngineTask['reactor'],
  connection: 'keep-alive' | 'close',
): Promise<void> {
  const server = await startHashedBodies(t)
  const posted = Array.from({ length: 4 }, (_, index) =>
    randomBytes(10 + index * 5000).toString('hex'),
  )
  const report = await runEngine(t, {
    reactor,
    userCount: USER_COUNT,
    iterationCount: ITERATION_COUNT,
    siegerc: [...plainSiegerc, `connection = ${connection}`],
    urls: [
      `${server.url}/bodies`,
      ...posted.map((body) => `${server.url}/post/${hashOf(body)} POST ${body}`),
    ],
    timeoutMs: 20_000,
  })
  const count = USER_COUNT * ITERATION_COUNT
  assertAllRight(report, server, count)
  assert.equal(report.rightBodyCount, count)
  assert.equal(report.connectionCount, connection === 'close' ? count : USER_COUNT)
}

async function checkPages(t: TestContext, reactor: EngineTask['reactor']): Promise<void> {
  const server = await startHashedBodies(t)
  const report = await runEngine(t, {
    reactor,
    userCount: PAGE_USER_COUNT,
    iterationCount: 2,
    siegerc: ['parser = true', 'connection = keep-alive', 'accept-encoding = gzip'],
    urls: [`${server.url}/page`],
    timeoutMs: 20_000,
  })
  // Each page has four resources.
  assertAllRight(report, server, PAGE_USER_COUNT * 2 * 5)
}

function assertAllRight(report: EngineReport, server: HashedBodies, count: number): void {
  assert.deepEqual(report.failures, [])
  assert.deepEqual(server.wrongRequests, [])
  assert.equal(report.completedCount, count)
  assert.equal(report.okCount, count)
  assert.equal(report.inFlightCount, 0)
  assert.equal(server.answerCount, count)
  assert.equal(report.completedBodyBytes, server.bodyBytes)
  assert.equal(report.connectionCount, server.connectionCount)
  assert.ok(report.collectionCount > 0)
}
