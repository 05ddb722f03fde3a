/**
 * Every form of ab's report for fixed runs, compared with the files in `test/golden`.
 * `UPDATE_GOLDEN=1` rewrites them; the difference is then read like any other change.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../../src/base/random.ts'
import type { RowColumns } from '../../src/metrics/exchange-rows.ts'
import { abAddition, abSentence } from '../../src/report/ab-addition.ts'
import { GnuplotLines, percentileCsv } from '../../src/report/ab-files.ts'
import { abHtml } from '../../src/report/ab-html.ts'
import { type AbReportFacts, abText } from '../../src/report/ab-text.ts'
import { type AbFigures, type AbRows, abFigures } from '../../src/result/ab-figures.ts'
import { summarize } from '../../src/result/summary.ts'
import { projectRoot } from '../support/files.ts'
import { type FixedRunName, fixedRuns } from '../support/fixed-runs.ts'

function compare(name: string, text: string): void {
  const path = join(projectRoot, 'test', 'golden', name)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, text)
  assert.ok(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`)
  assert.equal(text, readFileSync(path, 'utf8'), `${name} differs; UPDATE_GOLDEN=1 rewrites it`)
}

/** Times between 1 and 40 ms, most of them short. */
function rowsOf(count: number): RowColumns {
  const random = seededRandom(7, 0)
  const rows = {
    count,
    startMs: new Uint32Array(count),
    connectUs: new Uint32Array(count),
    waitUs: new Uint32Array(count),
    totalUs: new Uint32Array(count),
  }
  for (let index = 0; index < count; index++) {
    const totalUs = 1000 + Math.floor(39_000 * random.uniform() ** 6)
    rows.startMs[index] = index
    rows.totalUs[index] = totalUs
    rows.connectUs[index] = Math.floor(totalUs / 5)
    rows.waitUs[index] = Math.floor(totalUs / 2)
  }
  return rows
}

function keptOf(count: number): AbRows {
  return {
    rows: rowsOf(count),
    histograms: null,
    differingLengthCount: 2,
    keptConnectionCount: count,
    firstBodyBytes: count === 0 ? null : 612,
    server: count === 0 ? null : 'nginx/1.22.1 (Debian)',
  }
}

const plain: AbReportFacts = {
  hostname: 'localhost',
  port: 8080,
  path: '/a?b=<c>&d',
  concurrency: 25,
  keepAlive: false,
  hasBody: false,
  isLengthFree: true,
  hidesConfidence: false,
  hidesPercentiles: false,
  tls: null,
  serverName: null,
}

const everything: AbReportFacts = {
  ...plain,
  keepAlive: true,
  hasBody: true,
  isLengthFree: false,
  tls: {
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    keyBits: 2048,
    cipherBits: 256,
    temporaryKey: 'X25519 253 bits',
  },
  serverName: 'localhost',
}

function figuresOf(name: FixedRunName, facts: AbReportFacts): AbFigures {
  const result = fixedRuns[name]()
  return abFigures(result, keptOf(result.snapshot.completedCount), facts.isLengthFree)
}

for (const name of Object.keys(fixedRuns) as FixedRunName[]) {
  test(`ab's text for the run "${name}" is as in its golden file`, () => {
    const figures = figuresOf(name, plain)
    const summary = summarize(fixedRuns[name]())
    const text = abSentence(summary) + abText(figures, plain) + abAddition(figures, summary)
    compare(`ab-${name}.txt`, text)
  })
}

test("ab's text with every line there is, and with -S and -d, is as in its golden file", () => {
  const figures = figuresOf('mixed', everything)
  const short = { ...everything, hidesConfidence: true, hidesPercentiles: true }
  compare('ab-everything.txt', abText(figures, everything) + abText(figures, short))
})

test("ab's tables are as in their golden file", () => {
  const attributes = { table: 'border=1', row: '', cell: 'bgcolor=white' }
  compare('ab-everything.html.txt', abHtml(figuresOf('mixed', everything), everything, attributes))
})

test("ab's percentiles as CSV are as in their golden file", () => {
  compare('ab-percentiles.csv.txt', percentileCsv(figuresOf('clean', plain)))
})

test("ab's rows for gnuplot are as in their golden file", () => {
  const rows = rowsOf(12)
  const startedAtMs = Date.UTC(2026, 10, 30, 20, 56, 18)
  let text = ''
  // So little memory that it is handed over more than once.
  const lines = new GnuplotLines((bytes) => (text += Buffer.from(bytes).toString('latin1')), 300)
  for (let index = 0; index < rows.count; index++) {
    lines.write(startedAtMs + index * 150_000, {
      connectUs: rows.connectUs[index]!,
      waitUs: rows.waitUs[index]!,
      totalUs: rows.totalUs[index]!,
    })
  }
  lines.flush()
  // Local time: what the zone makes of it stands in the second column as well.
  const zoneless = text.replace(/^\w{3} \w{3} \d\d \d\d:(\d\d:\d\d \d{4})/gm, 'DAY HH:$1')
  compare('ab-rows.tsv.txt', zoneless)
})
