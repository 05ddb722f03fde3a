/** What one verbose line costs: each form siege knows, and a list too long to keep ready. */
import { performance } from 'node:perf_hooks'
import { Exchange } from '../../src/metrics/exchange.ts'
import { type LineOptions, type LineTargets, LineWriter } from '../../src/report/siege-line.ts'

export const smokeIterationCount = 10_000
export const iterationCount = 10_000_000

const ROUND_COUNT = 5
const NS_BETWEEN_ENDS = 20_000

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

const plain: LineOptions = {
  csv: false,
  fullUrl: false,
  displayId: false,
  timestamp: false,
  mark: null,
  colour: false,
  startedAtMs: 1_796_000_000_000,
  zone: () => 60,
}

const targets: LineTargets = {
  origins: [{ scheme: 'http', host: '127.0.0.1', port: 8080, authority: '127.0.0.1:8080' }],
  originIndexOf: () => 0,
  methodOf: () => 'GET',
  requestTargetOf: (index) => `/products/${index}?page=2`,
}

export function bench(count: number): { hash: number; rows: Row[] } {
  let hash = 0
  const perRound = Math.ceil(count / ROUND_COUNT)

  /** The best of the rounds, in ns for each line. */
  function measure(name: string, options: Partial<LineOptions>, targetCount: number): Row {
    const writer = new LineWriter({ ...plain, ...options }, targets, (bytes) => {
      hash = (hash * 31 + bytes.length + bytes[bytes.length >> 1]!) | 0
    })
    const exchange = new Exchange()
    let nsPerOpMin = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const startMs = performance.now()
      for (let index = 0; index < perRound; index++) {
        exchange.reset(index % targetCount, index * NS_BETWEEN_ENDS)
        exchange.endNs = exchange.startNs + 3_000_000 + (index & 0xfff_ff)
        exchange.status = (index & 63) === 0 ? 404 : 200
        exchange.bodyBytes = 612 + (index & 0xfff)
        exchange.userId = index % 50
        writer.write(exchange)
      }
      writer.flush()
      nsPerOpMin = Math.min(nsPerOpMin, ((performance.now() - startMs) * 1e6) / perRound)
    }
    return { name, nsPerOp: Math.round(nsPerOpMin) }
  }

  const rows = [
    measure('text, one target', {}, 1),
    measure('text, user, colour, 100 targets', { displayId: true, colour: true }, 100),
    measure('text, stamp', { timestamp: true }, 1),
    measure('CSV, stamp, mark, 100 targets', { csv: true, timestamp: true, mark: 'a,b' }, 100),
    measure('text, 100,000 targets in order', {}, 100_000),
  ]
  return { hash: hash >>> 0, rows }
}
