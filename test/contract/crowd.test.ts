/**
 * Eighteen thousand connections at once, as many as a usual descriptor limit allows, against a
 * server in C: each is opened, carries its requests and is counted.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startCannedServer } from '../../bench/macro/canned.ts'
import { isThere } from '../../bench/macro/peers.ts'
import { reportOf, siege } from '../cli/siege-run.ts'
import { obstacleOf } from '../support/siege-run.ts'

const USER_COUNT = 18_000
/** What a process has open besides. */
const OTHER_COUNT = 200

/** Of this process, which those it starts inherit. */
function descriptorLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0)
}

for (const reactor of ['uring', 'epoll'] as const) {
  test(`siege keeps ${USER_COUNT} connections busy at once on ${reactor}`, async (t) => {
    const obstacle = obstacleOf(reactor)
    const limit = descriptorLimit()
    if (obstacle !== null) return t.skip(obstacle)
    for (const program of ['cc', 'taskset']) {
      if (!isThere(program)) return t.skip(`no ${program} here`)
    }
    if (limit < USER_COUNT + OTHER_COUNT) return t.skip(`no more than ${limit} descriptors here`)
    const server = await startCannedServer(0)
    t.after(() => server.stop())
    const options = ['-j', '-b', `-c${USER_COUNT}`, '-r2', server.url]
    const rc = `limit = ${USER_COUNT}\nconnection = keep-alive\nparser = false\ntimeout = 110\n`
    const report = reportOf(await siege([`--reactor=${reactor}`, ...options], { rc }))
    assert.equal(report.transactions, 2 * USER_COUNT)
    assert.equal(report.failed_transactions, 0)
    assert.equal(report.onager.connections, USER_COUNT)
  })
}
