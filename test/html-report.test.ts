/**
 * The HTML report as a file, without a browser: well-formed, complete in itself, and harmless
 * whatever a plan or a server calls its things.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5'
import { htmlReport } from '../src/fleet/html-file.ts'
import { brokenLaws } from '../src/metrics/laws.ts'
import type { RunResult } from '../src/result/run-result.ts'
import { fixedRuns } from './support/fixed-runs.ts'
import { hostileRun, longRun, richRun, shopRun } from './support/rich-run.ts'
import { cpuMsOf } from './support/timing.ts'

type Element = DefaultTreeAdapterMap['element']
type Node = DefaultTreeAdapterMap['childNode']

const BYTES_MAX = 1_000_000
const GENERATED_MS_MAX = 2000

function* elementsOf(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    yield node
    yield* elementsOf(node.childNodes)
  }
}

function attribute({ attrs }: Element, wanted: string): string | undefined {
  return attrs.find(({ name }) => name === wanted)?.value
}

function textOf(element: Element): string {
  return element.childNodes
    .map((node) => {
      if (defaultTreeAdapter.isTextNode(node)) return node.value
      return defaultTreeAdapter.isElementNode(node) ? textOf(node) : ''
    })
    .join('')
}

interface ParsedReport {
  readonly text: string
  readonly elements: readonly Element[]
  named(name: string): Element[]
}

/** Parses the report and checks what holds for every one. */
function parsed(result: RunResult): ParsedReport {
  const text = htmlReport(result)
  const mistakes: string[] = []
  const document = parse(text, { onParseError: ({ code }) => mistakes.push(code) })
  assert.deepEqual(mistakes, [])
  const elements = [...elementsOf(document.childNodes)]
  const report = {
    text,
    elements,
    named: (name: string) => elements.filter(({ tagName }) => tagName === name),
  }
  assertSelfContained(report)
  assertAccessible(report)
  return report
}

function assertSelfContained({ elements, named }: ParsedReport): void {
  for (const element of elements) {
    for (const { name, value } of element.attrs) {
      assert.ok(!name.startsWith('on') && name !== 'style' && name !== 'src', name)
      if (name === 'href') assert.match(value, /^(?:#|data:,$)/)
    }
  }
  const policies = named('meta').filter((meta) => attribute(meta, 'http-equiv') !== undefined)
  assert.equal(policies.length, 1)
  const policy = attribute(policies[0]!, 'content') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'sha256-/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  const programs = named('script').filter(
    (script) => attribute(script, 'type') !== 'application/json',
  )
  assert.equal(programs.length, 4)
  for (const element of [...programs, ...named('style')]) {
    const hash = createHash('sha256').update(textOf(element)).digest('base64')
    assert.ok(policy.includes(`'sha256-${hash}'`), `${element.tagName} is not in the policy`)
  }
}

function assertAccessible({ elements, named }: ParsedReport): void {
  const ids = elements.flatMap((element) => attribute(element, 'id') ?? [])
  assert.equal(new Set(ids).size, ids.length, 'ids are unique')
  for (const link of named('a')) {
    assert.ok(ids.includes((attribute(link, 'href') ?? '').slice(1)), attribute(link, 'href'))
  }
  assert.equal(named('h1').length, 1)
  for (const table of named('table')) {
    const [caption] = table.childNodes.filter((node) => node.nodeName === 'caption')
    assert.ok(caption !== undefined, 'a table has a caption')
  }
  for (const cell of named('th')) assert.match(attribute(cell, 'scope') ?? '', /^(?:row|col)$/)
  for (const element of elements) {
    if (attribute(element, 'role') === 'img') assert.ok(attribute(element, 'aria-label') !== '')
  }
  // What a script reads is checked by itself, and a script may well know the word.
  const visible = elements
    .filter(({ tagName }) => tagName !== 'script' && tagName !== 'style')
    .flatMap(({ attrs, childNodes }) => [
      ...attrs.map(({ value }) => value),
      ...childNodes.flatMap((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : [])),
    ])
  for (const text of visible) {
    assert.doesNotMatch(text, /\bNaN\b|\bInfinity\b|\bundefined\b|\bnull\b|\[object /)
  }
}

for (const [name, run] of Object.entries(fixedRuns)) {
  test(`htmlReport() is sound for the run '${name}'`, () => {
    parsed(run())
  })
}

test('htmlReport() tells of a rich run all there is to tell', () => {
  const run = richRun(shopRun)
  assert.deepEqual(brokenLaws(run.snapshot), [])
  const { named, elements } = parsed(run)
  const headings = named('h2').map(textOf)
  for (const heading of ['Over time', 'Distribution of times', 'Where the time goes']) {
    assert.ok(headings.includes(heading), heading)
  }
  for (const id of ['rate', 'times', 'in-flight', 'errors', 'heat', 'curve', 'watched-0']) {
    assert.ok(
      elements.some((element) => attribute(element, 'id') === id),
      id,
    )
  }
  const names = named('section').find((section) => attribute(section, 'id') === 'names')!
  const rows = [...elementsOf(names.childNodes)].filter(({ tagName }) => tagName === 'tr')
  assert.equal(rows.length, 1 + shopRun.names.length)
  const [verdict] = elements.filter((element) =>
    /\bverdict\b/.test(attribute(element, 'class') ?? ''),
  )
  assert.match(
    textOf(verdict!),
    /1 of 3 thresholds broken.*600 arrivals\/s.*Wanted errors<1%, measured 1/s,
  )
})

test('htmlReport() embeds numbers of the same run as its tables', () => {
  const run = richRun(shopRun)
  const { named } = parsed(run)
  const [data] = named('script').filter((one) => attribute(one, 'type') === 'application/json')
  const { charts } = JSON.parse(textOf(data!)) as {
    charts: { id: string; edgesS: number[]; series: { name: string; values: number[] }[] }[]
  }
  const rate = charts.find(({ id }) => id === 'rate')!
  const completed = rate.series.find(({ name }) => name === 'completed')!
  assert.equal(rate.edgesS.length, completed.values.length + 1)
  const sum = completed.values.reduce((total, value) => total + value, 0)
  assert.equal(sum, run.snapshot.completedCount)
})

test('htmlReport() is harmless with hostile names', () => {
  const { text, named } = parsed(hostileRun())
  assert.equal(named('img').length, 0)
  assert.equal(named('script').length, 5)
  assert.ok(Buffer.byteLength(text) < 300_000, 'long names are cut')
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/)
})

test('htmlReport() of an hour with a thousand names is small, and quickly made', () => {
  const run = richRun(longRun(60))
  let text = ''
  const cpuMs = cpuMsOf(() => {
    text = htmlReport(run)
  })
  assert.ok(Buffer.byteLength(text) < BYTES_MAX, `${Buffer.byteLength(text)} bytes`)
  assert.ok(cpuMs < GENERATED_MS_MAX, `${cpuMs.toFixed(0)} ms`)
})
