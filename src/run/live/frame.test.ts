/** Pictures of runs, as they are in golden files and at every size. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertGolden } from '../../../test/support/golden.ts'
import {
  closedFacts,
  LiveRun,
  type LiveRunOptions,
  openFacts,
} from '../../../test/support/live-run.ts'
import { fc } from '../../../test/support/property.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { liveFrame } from './frame.ts'
import type { FrameInput, FrameSize } from './frame-input.ts'
import { LiveHistory } from './history.ts'
import { progressLine } from './plain-progress.ts'
import { lineText, lineWidth } from './spans.ts'
import { stageAt } from './stages.ts'
import { thresholdStates, thresholdsOf } from './threshold-states.ts'

const NS_PER_S = 1e9

function input(
  facts: PlanFacts,
  untilS: number,
  options: Partial<LiveRunOptions> = {},
): FrameInput {
  const { stages, warmUpNs } = facts.load
  const run = new LiveRun({
    rateAt: (ns) => stageAt(stages, ns)?.level ?? 500,
    typicalMs: (ns) => (ns % (20 * NS_PER_S) > 18 * NS_PER_S ? 90 : 3),
    warmUpNs,
    ...options,
  })
  const history = new LiveHistory()
  for (let atNs = 0.25 * NS_PER_S; atNs <= untilS * NS_PER_S; atNs += 0.25 * NS_PER_S) {
    history.add(run.advance(atNs), atNs)
  }
  return { figures: history.figures(), facts, thresholds: [] }
}

function drawn(frame: FrameInput, columns: number, rows: number, isUnicode = true): string {
  const lines = liveFrame(frame, { columns, rows, isUnicode })
  return `${lines.map((line) => lineText(line, false).trimEnd()).join('\n')}\n`
}

const open = input(openFacts, 61, { errorRatio: 0.003, inFlightMax: 60, startLagMs: 3 })
const slo = ['p99<50ms, errors<0.1%', 'service-p95<20ms, rate>100/s, checks>99%']
const judged: PlanFacts = { ...openFacts, thresholds: slo }
const thresholds = thresholdStates(thresholdsOf(judged), judged, open.figures)
const busy: FrameInput = { ...open, thresholds }
const closed = input(closedFacts, 33)

test('liveFrame() of an open plan with stages is as in its golden files', () => {
  assertGolden('live-open-100x30.txt', drawn(busy, 100, 30))
  assertGolden('live-open-80x24.txt', drawn(busy, 80, 24))
  assertGolden('live-open-40x24.txt', drawn(busy, 40, 24))
  assertGolden('live-open-60x12.txt', drawn(busy, 60, 12))
  assertGolden('live-open-ascii.txt', drawn(busy, 80, 24, false))
})

test('liveFrame() of a closed plan is as in its golden file', () => {
  assertGolden('live-closed-100x30.txt', drawn(closed, 100, 30))
})

test('liveFrame() colours what it says, as in its golden file', () => {
  const lines = liveFrame(busy, { columns: 80, rows: 24, isUnicode: true })
  const text = lines.map((line) => lineText(line, true).replaceAll('\x1b', '^')).join('\n')
  assertGolden('live-open-colour.txt', `${text}\n`)
})

test('liveFrame() gives rates of requests and of arrivals their units', () => {
  for (const columns of [40, 60, 80, 100, 200]) {
    assert.match(drawn(busy, columns, 30), /^ \d+ requests\/s {2}\d+ arrivals\/s( |$)/m)
    assert.match(drawn(closed, columns, 30), /^ completed \d+ requests\/s( |$)/m)
  }
})

test('liveFrame() says how long the warm-up goes on, and when a run is about to end', () => {
  const warming = { ...openFacts, load: { ...openFacts.load, warmUpNs: 10 * NS_PER_S } }
  assert.match(drawn(input(warming, 4), 100, 30), /0:04 of 2:00 {2}warming up for 6 s more/)
  const ending = input({ ...closedFacts, durationNs: 10 * NS_PER_S }, 10.25)
  assert.match(drawn(ending, 100, 30), /0:10 of 0:10 {2}ending, \d+ in flight/)
})

test('liveFrame() of a run with a count tells it, and reckons the time left', () => {
  const facts = { ...closedFacts, durationNs: null, iterationCount: 400 }
  // 500 a second of 25 users x 400.
  assert.match(drawn(input(facts, 5), 100, 30), /0:05 {2}2\d\d\d of 10000 {2}about 0:1[56] left/)
})

test('liveFrame() of a run without an end has no bar', () => {
  const facts = { ...closedFacts, durationNs: null }
  const text = drawn(input(facts, 5), 100, 30)
  assert.match(text, /0:05 {2}until it is stopped/)
  assert.doesNotMatch(text, /━/)
})

test('liveFrame() warns of a late generator and of dropped arrivals', () => {
  const text = drawn(busy, 100, 30)
  assert.match(text, /! \d+ arrivals dropped just now: 200 are under way, as many as may be/)
  assert.match(text, /! requests begin 3\.\d\d ms late at p99, held up by the generator/)
  assert.doesNotMatch(drawn(closed, 100, 30), /!/)
})

test('liveFrame() marks percentiles that rest on too few values', () => {
  const few = drawn(input({ ...closedFacts, durationNs: null }, 1), 100, 30)
  assert.match(few, /last 1 s +\S+ ms +\S+ ms +\S+ ms\* +\S+ ms\* /)
})

test("liveFrame() fits every terminal, and shows the run's progress in the smallest", () => {
  const anySize = fc.record({
    columns: fc.integer({ min: 1, max: 250 }),
    rows: fc.integer({ min: 1, max: 60 }),
    isUnicode: fc.boolean(),
  })
  fc.assert(
    fc.property(anySize, fc.constantFrom(busy, closed), (size: FrameSize, frame) => {
      const lines = liveFrame(frame, size)
      assert.ok(lines.length >= 1 && lines.length <= Math.max(size.rows - 1, 1))
      for (const line of lines) {
        assert.ok(lineWidth(line) < Math.max(size.columns, 3), lineText(line, false))
      }
      if (size.columns > 30)
        assert.match(lines.map((line) => lineText(line, false)).join(), /:\d\d of/)
      if (!size.isUnicode) {
        assert.match(lines.map((line) => lineText(line, false)).join(''), /^[\x20-\x7e]*$/)
      }
    }),
    { numRuns: 300 },
  )
})

test('thresholdStates() says of each how it stands, and what was measured', () => {
  assert.deepEqual(
    thresholds.map(({ text, isMet, measured }) => [
      text,
      isMet,
      measured('u').replace(/\d+/g, '1'),
    ]),
    [
      ['p99<50ms', false, '1 ms'],
      ['errors<0.1%', false, '1.1 %'],
      ['service-p95<20ms', false, '1 ms'],
      ['rate>100/s', true, '1/s'],
      ['checks>99%', null, ''],
    ],
  )
  assert.deepEqual(thresholdStates([], openFacts, open.figures), [])
})

test('progressLine() says the most telling figures in one line', () => {
  assert.match(
    progressLine(open.figures, openFacts),
    /^1:01 of 2:00, \d+ requests\/s, p50 \S+ ms, p99 \S+ ms, \d+ in flight, \d+ completed, \d+ errors, \d+ dropped$/,
  )
  assert.match(
    progressLine(new LiveHistory().figures(), closedFacts),
    /^0:00 of 1:00, 0 requests\/s, 0 in/,
  )
})
