/** A server with known delays: what we measure is what it did, within stated tolerances. */
import assert from 'node:assert/strict'
import { siegeJson } from '../cli/siege-run.ts'
import { answering, startRawServer } from '../support/raw-server.ts'
import type { Scope } from '../support/scope.ts'
import { timedTest } from '../support/timing.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/**
 * How far above the server's own figure ours may be: connecting and scheduling of two busy
 * processes come on top of what the server can see. How late its own timers were tells how long a
 * process waits for its turn here; a response takes a few turns. Never below, save for rounding.
 */
function assertNear(actualMs: number, serverMs: number, lateMs: number, what: string): void {
  const slackMs = Math.max(15, serverMs * 0.1) + 3 * lateMs
  assert.ok(actualMs >= serverMs - 2, `${what}: ${actualMs} ms, below the server's ${serverMs} ms`)
  assert.ok(actualMs <= serverMs + slackMs, `${what}: ${actualMs} ms, the server ${serverMs} ms`)
}

interface DelayServer {
  readonly url: string
  /** How long each answer really took here, from the whole request to the last byte handed over. */
  readonly servedMs: number[]
  /** By how much that was longer than it should have been. */
  readonly lateMs: number[]
}

async function startDelays(scope: Scope, delaysMs: readonly number[]): Promise<DelayServer> {
  const servedMs: number[] = []
  const lateMs: number[] = []
  let count = 0
  const server = await startRawServer(scope, async (connection) => {
    while ((await connection.request()) !== null) {
      const startMs = performance.now()
      const delayMs = delaysMs[count++ % delaysMs.length]!
      await connection.pause(delayMs)
      servedMs.push(performance.now() - startMs)
      lateMs.push(servedMs.at(-1)! - delayMs)
      await connection.send(OK)
    }
  })
  return { url: server.url, servedMs, lateMs }
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(q * sorted.length) - 1]!
}

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length

timedTest(
  'percentiles, mean, shortest and longest are those of a 10, 50 and 200 ms schedule',
  async (t) => {
    // Six of ten take 10 ms, three 50 ms, one 200 ms.
    const schedule = [10, 10, 50, 10, 200, 10, 50, 10, 50, 10]
    for (const rc of ['connection = close\n', 'connection = keep-alive\n']) {
      const server = await startDelays(t, schedule)
      const { report } = await siegeJson(['-c4', '-r15', server.url], { rc })
      const times = report.onager.response_time_ms!
      assert.equal(times.count, 60)
      const lateMs = quantile(server.lateMs, 0.9)
      const near = (actualMs: number, serverMs: number, what: string) =>
        assertNear(actualMs, serverMs, lateMs, what)
      near(times.p50, quantile(server.servedMs, 0.5), 'p50')
      // The 90th is the slowest of those of 50 ms: one that was late would stand for all.
      near(times.p75, quantile(server.servedMs, 0.75), 'p75')
      near(times.p99, quantile(server.servedMs, 0.99), 'p99')
      near(times.mean, mean(server.servedMs), 'mean')
      near(times.min, Math.min(...server.servedMs), 'min')
      near(times.max, Math.max(...server.servedMs), 'max')
      assert.equal(report.response_time, Math.round(times.mean / 10) / 100, 'siege rounds to 10 ms')
      assert.equal(report.longest_transaction, Math.round(times.max / 10) / 100)
      assert.equal(report.shortest_transaction, Math.round(times.min / 10) / 100)
    }
  },
)

timedTest('elapsed time, rate and concurrency are those of users that wait together', async (t) => {
  const server = await startDelays(t, [400])
  const { report } = await siegeJson(['-c3', '-r2', server.url])
  const elapsedMs = report.onager.elapsed_time_s * 1000
  assert.ok(elapsedMs >= 798 && elapsedMs < 1000, `${elapsedMs} ms`)
  assert.equal(report.elapsed_time, Math.round(elapsedMs / 10) / 100)
  assert.ok(Math.abs(report.transaction_rate - 6000 / elapsedMs) < 0.011)
  assert.ok(report.concurrency > 2.7 && report.concurrency <= 3, `${report.concurrency}`)
})

timedTest(
  'waiting for a server that serves one at a time still counts as concurrency',
  async (t) => {
    let queue: Promise<void> = Promise.resolve()
    const server = await startRawServer(t, async (connection) => {
      while ((await connection.request()) !== null) {
        queue = queue.then(() => connection.pause(20))
        await queue
        await connection.send(OK)
      }
    })
    const { report } = await siegeJson(['-c5', '-r10', server.url])
    assert.ok(report.concurrency > 4 && report.concurrency <= 5, `${report.concurrency}`)
  },
)

timedTest('-t lasts exactly its time, however slow the answers are', async (t) => {
  const fast = await startRawServer(t, answering(OK))
  const slow = await startDelays(t, [700])
  for (const url of [fast.url, slow.url]) {
    for (const seconds of [1, 0.3]) {
      const { report } = await siegeJson(['-c2', `-t${seconds}S`, url])
      const elapsedS = report.onager.elapsed_time_s
      assert.ok(elapsedS >= seconds && elapsedS < seconds + 0.15, `${seconds} s: ${elapsedS} s`)
    }
  }
})

timedTest(
  'think time is between 0 and -d, in the elapsed time and not in response times',
  async (t) => {
    const arrivalsMs: number[] = []
    const server = await startRawServer(t, async (connection) => {
      while ((await connection.request()) !== null) {
        arrivalsMs.push(performance.now())
        await connection.send(OK)
      }
    })
    const args = ['-c1', '-r21', '-d0.15', '--seed=5', '-H', 'Connection: keep-alive', server.url]
    const { report } = await siegeJson(args)
    const gapsMs = arrivalsMs.slice(1).map((atMs, index) => atMs - arrivalsMs[index]!)
    assert.equal(gapsMs.length, 20)
    assert.ok(Math.max(...gapsMs) < 250, `${Math.max(...gapsMs)} ms`)
    // The mean of twenty uniform pauses is 75 ms, give or take 3 x 9.7 ms; wide for a busy machine.
    assert.ok(mean(gapsMs) > 35 && mean(gapsMs) < 140, `${mean(gapsMs)} ms`)
    assert.ok(new Set(gapsMs.map((ms) => Math.round(ms / 5))).size > 5, 'they differ')
    const sumMs = arrivalsMs.at(-1)! - arrivalsMs[0]!
    assert.ok(report.onager.elapsed_time_s * 1000 >= sumMs - 2, 'elapsed time has the pauses in it')
    // No pause behind the last request, and none in what is measured.
    assert.ok(report.onager.elapsed_time_s * 1000 < sumMs + 300)
    assert.ok(report.onager.response_time_ms!.p90 < 30)
  },
)
