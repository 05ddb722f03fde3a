/** Result files: what goes in comes out, and whatever is wrong with one is said. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../test/support/files.ts'
import { fixedOnagerRuns } from '../../test/support/fixed-onager-runs.ts'
import { fixedRuns } from '../../test/support/fixed-runs.ts'
import { nodePacking } from '../../test/support/packing.ts'
import { fc } from '../../test/support/property.ts'
import { anyResult } from '../../test/support/random-results.ts'
import { encodeHdr } from '../metrics/hdr-v2.ts'
import { brokenLaws } from '../metrics/laws.ts'
import { decodeResult, encodeResult, FORMAT_VERSION } from './result-file.ts'
import type { RunResult } from './run-result.ts'

const encode = (result: RunResult) => encodeResult(result, nodePacking)
const decode = (text: string) => decodeResult(text, nodePacking)

function problemOf(text: string): string {
  const reading = decode(text)
  assert.ok('problem' in reading, 'something is wrong')
  return reading.problem
}

test('decodeResult() gives back exactly what encodeResult() was given', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      assert.deepEqual(brokenLaws(result.snapshot), [], 'the sample is sound')
      assert.deepEqual(decode(encode(result)), { result })
    }),
    { numRuns: 60 },
  )
})

test('decodeResult() gives back the fixed runs, several threads among them', () => {
  for (const makeResult of Object.values(fixedRuns)) {
    const result = makeResult()
    assert.deepEqual(decode(encode(result)), { result })
  }
})

test('encodeResult() writes a head that is read without the rest, one part a line', () => {
  const lines = encode(fixedRuns.mixed()).split('\n')
  assert.deepEqual(lines.slice(0, 3), [
    '{"format":"onager-result",',
    '"formatVersion":1,',
    '"onagerVersion":"0.1.0",',
  ])
  assert.equal(lines.at(-1), '')
})

const text = encode(fixedRuns.mixed())

test('docs/result-file.md names every field', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'result-file.md'), 'utf8')
  const file = JSON.parse(encode(fixedOnagerRuns.stalled()))
  const { counts } = file
  for (const part of [file, counts, counts.responseTime, counts.phases, counts.warmUp]) {
    for (const name of Object.keys(part)) assert.ok(page.includes(`\`${name}\``), name)
  }
  for (const name of Object.keys(counts.intervals)) assert.ok(page.includes(`\`${name}\``), name)
  assert.ok(page.includes(`| ${FORMAT_VERSION}; raised`))
})

test('decodeResult() says of a file cut short anywhere that it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length - 3 }), (length) => {
      assert.match(problemOf(text.slice(0, length)), /^this file is cut short after \d+ characters/)
    }),
  )
})

test('decodeResult() says what a file is that is no result', () => {
  for (const [content, problem] of [
    ['', /^this file is empty$/],
    [' \n', /^this file is empty$/],
    ['Transactions: 5 hits', /^this file is no result of a run, such as onager run --out FILE/],
    ['\x1f\x8b\x08\0', /^this file is no result of a run/],
    ['[1, 2]', /^this file is no result of a run/],
    ['{"transactions": 5}', /^this file is JSON, but no result of a run/],
    ['{"format": "onager-result"}', /^this file is JSON, but no result of a run/],
    ['{"a": 1,\n"b": nonsense}', /^this file is no result of a run.*: its JSON is broken/],
    [`${text}${text}`, /its JSON is broken/],
  ] as const) {
    assert.match(problemOf(content), problem)
  }
})

test('decodeResult() reads a file with a byte order mark', () => {
  assert.ok('result' in decode(`\uFEFF${text}`))
})

/** The text of the file with one part changed. */
function changed(change: (file: Record<string, never>) => void): string {
  const file = JSON.parse(text)
  change(file)
  return JSON.stringify(file)
}

test('decodeResult() names the version that a newer file needs', () => {
  const newer = changed((file: Record<string, unknown>) => {
    file.formatVersion = FORMAT_VERSION + 1
    file.onagerVersion = '9.8.7'
    delete file.counts
  })
  assert.match(problemOf(newer), /written by onager 9\.8\.7.*use onager 9\.8\.7 or newer$/)
})

const tooMany = encodeHdr(
  { digits: 3, indexes: Uint32Array.of(1, 2), counts: Float64Array.of(2 ** 53 - 1, 2 ** 53 - 1) },
  nodePacking,
)

test('decodeResult() names the place of what cannot be', () => {
  const damaged = (place: string) => `this file is damaged, or was changed: ${place}`
  for (const [path, value, problem] of [
    ['counts', null, 'counts is no object'],
    ['counts.startedCount', -1, 'counts.startedCount is -1, below 0'],
    ['counts.startedCount', 1e300, 'counts.startedCount is 1e+300, no whole number'],
    ['counts.startedCount', '5', 'counts.startedCount is no number'],
    ['counts.startedCount', undefined, 'counts has no "startedCount"'],
    ['counts.statusCounts', { '2000': 1 }, 'counts.statusCounts.2000 is no status'],
    ['counts.statusCounts', { '\x1b[2J': 1 }, 'counts.statusCounts.?[2J is no status'],
    ['counts.statusCounts', [], 'counts.statusCounts is no object'],
    ['counts.failureExamples.0.kind', 'bad', /^.*failureExamples\[0\]\.kind is none of dns, /],
    ['counts.responseTime.hdr', 'AAAA', 'counts.responseTime is no histogram: it is cut short'],
    ['counts.responseTime.hdr', tooMany, /responseTime holds more values than can be counted$/],
    ['counts.responseTime.minNs', 1e18, /minimum, maximum and sum that disagree$/],
    ['counts.intervals.widthNs', 3e9, 'counts.intervals.widthNs is not 1, 2, 4, 8 ... seconds'],
    ['counts.intervals.widthNs', 0, 'counts.intervals.widthNs is not 1, 2, 4, 8 ... seconds'],
    ['counts.intervals.endNs', 0, /responseTimes goes on behind the end/],
    ['counts.intervals.bodyBytes', [1], /intervals\.bodyBytes has 1 entries beside \d+ of/],
    ['counts.names', [{}], 'counts.names[0] has no "startedCount"'],
    ['plan.requestNames', 'a', 'plan.requestNames is no list'],
    ['plan.load.model', 'half-open', 'plan.load.model is none of closed, open'],
    ['plan.keepAlive', 1, 'plan.keepAlive is not true or false'],
    ['threads.0.busyRatio', null, 'threads[0].busyRatio is no number'],
    ['endedBy', 'boredom', 'endedBy is none of count, time, failures, threshold, signal'],
    ['startedAtMs', 1e300, 'startedAtMs is 1e+300, no moment'],
    ['onagerVersion', '\x1b[2J', 'onagerVersion is no version'],
    ['watched', [{ label: 1 }], 'watched[0].label is no text'],
  ] as const) {
    const found = problemOf(
      changed((file) => {
        const names = path.split('.')
        const last = names.pop()!
        let holder: Record<string, unknown> = file
        for (const name of names) holder = holder[name] as Record<string, unknown>
        holder[last] = value
      }),
    )
    if (typeof problem === 'string') assert.equal(found, damaged(problem))
    else assert.match(found, problem)
  }
})

test('decodeResult() gives a result or a sentence for any JSON put anywhere into a file', () => {
  const file: unknown = JSON.parse(text)
  const paths = pathsOf(file)
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
      const copy = structuredClone(file) as Record<string, unknown>
      let holder = copy
      for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>
      holder[path.at(-1)!] = value
      const reading = decode(JSON.stringify(copy))
      if ('problem' in reading) assert.match(reading.problem, /^this file [^\n]+$/)
    }),
    { numRuns: 500 },
  )
})

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))
  return path.length === 0 ? below : [path, ...below]
}

test('decodeResult() survives deep nesting and a name that objects have by nature', () => {
  assert.match(problemOf(`{"format":${'['.repeat(500_000)}`), /cut short/)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const nested = `{"format":"onager-result","onagerVersion":"1","formatVersion":${deep}}`
  assert.match(problemOf(nested), /is no number/)
  assert.match(problemOf('{"__proto__":{"format":"onager-result"}}'), /no result/)
})
