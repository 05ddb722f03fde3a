/**
 * The reports of `onager run`: those of fixed runs as in their golden files, those of any run within
 * their rules.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { percentileDistribution } from '../src/report/hgrm.ts'
import { junitXml } from '../src/report/junit.ts'
import { printable } from '../src/report/printable.ts'
import { namesCsv, seriesCsv } from '../src/report/run-csv.ts'
import { runJson } from '../src/report/run-json.ts'
import { runMarkdown } from '../src/report/run-markdown.ts'
import { runText } from '../src/report/run-text.ts'
import type { RunResult } from '../src/result/run-result.ts'
import { summarize } from '../src/result/summary.ts'
import { verdictsOf } from '../src/result/verdicts.ts'
import { projectRoot } from './support/files.ts'
import { fixedOnagerRuns } from './support/fixed-onager-runs.ts'
import { assertGolden } from './support/golden.ts'
import { schemaProblems } from './support/json-schema.ts'
import { fc } from './support/property.ts'
import { anyResult } from './support/random-results.ts'

const schema = JSON.parse(
  readFileSync(join(projectRoot, 'docs', 'schema', 'summary.schema.json'), 'utf8'),
)

/** Every format, by the end of its golden files' names. */
const formats: Readonly<Record<string, (result: RunResult) => string>> = {
  txt: (result) => runText(summarize(result), verdictsOf(result), { colour: false, zone: () => 0 }),
  'json.txt': (result) => runJson(summarize(result), verdictsOf(result)),
  'md.txt': (result) => runMarkdown(summarize(result), verdictsOf(result)),
  'junit.txt': (result) => junitXml(summarize(result), verdictsOf(result)),
  'series.csv.txt': ({ snapshot }) => seriesCsv(snapshot.intervals),
  'names.csv.txt': (result) => namesCsv(summarize(result)),
  'hgrm.txt': ({ snapshot }) => percentileDistribution(snapshot.responseTime),
}

/** A thousand names make large files that nobody reads: of that run the text alone is kept. */
const kept = (run: string, format: string) => run !== 'names' || format === 'txt'

for (const [run, makeResult] of Object.entries(fixedOnagerRuns)) {
  test(`the reports of the run "${run}" are as in their golden files`, () => {
    const result = makeResult()
    for (const [format, render] of Object.entries(formats)) {
      if (kept(run, format)) assertGolden(`onager-${run}.${format}`, render(result))
    }
  })

  test(`runText() of the run "${run}" fits into 80 columns`, () => {
    for (const line of formats.txt!(makeResult()).split('\n')) {
      assert.ok([...line].length <= 80, line)
    }
  })

  test(`runJson() of the run "${run}" is as its schema says`, () => {
    assert.deepEqual(schemaProblems(JSON.parse(formats['json.txt']!(makeResult())), schema), [])
  })
}

test('schemaProblems() finds what is missing, superfluous and of another kind', () => {
  const json = JSON.parse(formats['json.txt']!(fixedOnagerRuns.users()))
  delete json.title
  json.extra = 1
  json.load.model = 'open-ended'
  json.response_time_ms.p50 = null
  json.statuses.abc = 1
  json.requests.failed = -1
  assert.deepEqual(schemaProblems(json, schema), [
    'the document has no title',
    '.load.model is none of closed,open',
    '.requests.failed < 0',
    '.response_time_ms.p50 is no number',
    '.statuses.abc is in no schema',
    '.extra is in no schema',
  ])
  assert.match(schemaProblems(1, { pattern: 'x' })[0] ?? '', /'pattern', which this does not know/)
})

test('every report of any run is made, without NaN, Infinity or control characters', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const named = { ...result, plan: { ...result.plan, thresholds: ['p99<1s', 'errors<1%'] } }
      for (const [format, render] of Object.entries(formats)) {
        const text = render(named)
        // Names are anybody's: what they say themselves is theirs.
        assert.doesNotMatch(withoutNames(text, named), /\bNaN\b|\bInfinity\b/, format)
        assert.doesNotMatch(text, /[\x00-\x08\x0b\x0c\x0e-\x1f]/, format)
      }
      assert.deepEqual(schemaProblems(JSON.parse(formats['json.txt']!(named)), schema), [])
      assertWellFormed(formats['junit.txt']!(named))
    }),
    { numRuns: 60 },
  )
})

function withoutNames(text: string, { plan }: RunResult): string {
  return plan.requestNames.some((name) => /NaN|Infinity/.test(name)) ? '' : text
}

/** Tags that match, attributes in quotes, no bare `<` or `&`. */
function assertWellFormed(xml: string): void {
  const open: string[] = []
  const attribute = '\\s[a-z]+="(?:[^<&"]|&(?:[a-z]+|#\\d+);)*"'
  const tag = new RegExp(`<(/?)([a-z-]+)((?:${attribute})*)\\s*(/?)>`, 'gy')
  let at = xml.indexOf('?>') + 2
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const text = /[^<]*/y
      text.lastIndex = at
      const found = text.exec(xml)![0]
      assert.doesNotMatch(found, /&(?!(?:[a-z]+|#\d+);)/)
      at += found.length
      continue
    }
    tag.lastIndex = at
    const found = tag.exec(xml)
    assert.ok(found, `no tag at ${xml.slice(at, at + 60)}`)
    if (found[1] === '/') assert.equal(open.pop(), found[2])
    else if (found[4] === '') open.push(found[2]!)
    at = tag.lastIndex
  }
  assert.deepEqual(open, [])
}

test('namesCsv() has a line for each name and all columns in each, whatever names are like', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const text = namesCsv(summarize(result))
      const rows = parseCsv(text)
      assert.ok(rows.every((row) => row.length === rows[0]!.length))
      assert.deepEqual(
        rows.slice(1).map(([name]) => name),
        result.snapshot.names.length === 0 ? [''] : result.plan.requestNames.map(printable),
      )
    }),
    { numRuns: 60 },
  )
})

function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  for (let found = field.exec(text); found !== null; found = field.exec(text)) {
    const [, raw = '', end] = found
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('runMarkdown() lets no name become markup', () => {
  const result = fixedOnagerRuns.steady()
  const names = ['`a` | <b>', '@someone', '**']
  const hostile = { ...result.plan, requestNames: names, title: '[x](http://a/) <img> @me #1' }
  const text = runMarkdown(summarize({ ...result, plan: hostile }), [])
  assert.match(text, /^### \u2705 DONE: \\\[x\\\]\\\(http:\/\/a\/\\\) \\<img\\> @\u200bme \\#1$/m)
  assert.match(text, /^\| `` `a` \\\| <b> `` \| /m)
  assert.match(text, /^\| `@someone` \| /m)
})

test('runJson() tells dropped arrivals that the generator came too late for from the others', () => {
  const stalled = fixedOnagerRuns.stalled()
  const snapshot = { ...stalled.snapshot, overdueCount: 7 }
  const json = JSON.parse(formats['json.txt']!({ ...stalled, snapshot }))
  assert.equal(json.arrivals.dropped, snapshot.droppedCount)
  assert.equal(json.arrivals.overdue, 7)
})

test('runText() and runJson() say which feeder ran out and after how many rows', () => {
  const usedUpFeeders = [{ name: 'accounts', rowCount: 1000 }]
  const result = { ...fixedOnagerRuns.users(), usedUpFeeders }
  assert.match(formats.txt!(result), /feeder accounts ran out after 1000 rows/)
  const json = JSON.parse(formats['json.txt']!(result))
  assert.deepEqual(json.used_up_feeders, [{ name: 'accounts', rows: 1000 }])
  assert.deepEqual(schemaProblems(json, schema), [])
})

test('runText() does not call a generator idle that came too late for what was due', () => {
  const stalled = { ...fixedOnagerRuns.stalled(), threads: fixedOnagerRuns.steady().threads }
  const { droppedCount } = stalled.snapshot
  const textOf = (overdueCount: number) =>
    formats.txt!({ ...stalled, snapshot: { ...stalled.snapshot, overdueCount } })
  assert.ok(droppedCount > 0)
  assert.match(textOf(0), /\n {2}Limit +the target or the plan; /)
  assert.match(
    textOf(droppedCount),
    /\n {2}Limit +the generator; it came too late for \d+ arrivals\n/,
  )
})
