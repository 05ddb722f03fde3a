/** The live view on a real terminal emulator: what is in its cells, at every step. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Progress, type ProgressOptions, showProgress } from '../../src/run/live/progress.ts'
import { closedFacts, LiveRun, openFacts } from '../support/live-run.ts'
import { TestTerminal } from './terminal.ts'

const NS_PER_S = 1e9

interface Shown {
  readonly terminal: TestTerminal
  readonly progress: Progress
  /** Updates four times a second. */
  runUntil(second: number): void
}

function show(
  columns: number,
  rows: number,
  options: Partial<ProgressOptions> = {},
  errorRatio = 0,
): Shown {
  const terminal = new TestTerminal(columns, rows)
  const progress = showProgress({
    stream: terminal,
    facts: closedFacts,
    env: { TERM: 'xterm-256color', LANG: 'en_GB.UTF-8' },
    isQuiet: false,
    ...options,
  })
  const run = new LiveRun({ rateAt: () => 200, typicalMs: () => 4, errorRatio })
  let nowNs = 0
  return {
    terminal,
    progress,
    runUntil(second) {
      for (; nowNs < second * NS_PER_S; nowNs += NS_PER_S / 4) {
        progress.update(run.advance(nowNs), nowNs)
      }
    },
  }
}

test('live view is redrawn in place, below what was there', async () => {
  const { terminal, runUntil } = show(100, 30)
  terminal.write('$ onager run plan.yaml\n')
  runUntil(3)
  const early = await terminal.screen()
  runUntil(30)
  const late = await terminal.screen()
  for (const screen of [early, late]) {
    assert.equal(screen[0], '$ onager run plan.yaml')
    assert.match(
      screen[1]!,
      /^ onager {2}http:\/\/127\.0\.0\.1:8080\/shop {5,}closed model, 25 users$/,
    )
    assert.equal(screen.filter((row) => row.includes('closed model')).length, 1)
  }
  assert.match(early[2]!, /^ ━+─+ {2}0:02 of 1:00 {2}0:58 left$/)
  assert.match(late[2]!, /^ ━+─+ {2}0:29 of 1:00 {2}0:31 left$/)
  assert.equal(early.length, late.length)
  assert.deepEqual(await terminal.everything(), late)
  assert.deepEqual(await terminal.cursor(), { row: late.length, column: 0 })
})

test('live view cleared leaves what was there, and the cursor where it began', async () => {
  const { terminal, progress, runUntil } = show(100, 30)
  terminal.write('$ onager run plan.yaml\n')
  runUntil(10)
  progress.end()
  assert.deepEqual(await terminal.everything(), ['$ onager run plan.yaml'])
  assert.deepEqual(await terminal.cursor(), { row: 1, column: 0 })
  const writeCount = terminal.writes.length
  progress.end()
  runUntil(12)
  assert.equal(terminal.writes.length, writeCount)
})

test('live view at the bottom of a screen scrolls once and then stays', async () => {
  const { terminal, progress, runUntil } = show(80, 24)
  for (let line = 1; line <= 23; line++) terminal.write(`line ${line}\n`)
  runUntil(20)
  progress.end()
  const lines = Array.from({ length: 23 }, (_, index) => `line ${index + 1}`)
  assert.deepEqual(await terminal.everything(), lines)
})

test('live view lets what is said stand above it', async () => {
  const { terminal, progress, runUntil } = show(100, 30)
  runUntil(5)
  progress.say('onager: the collector does not answer')
  runUntil(10)
  const screen = await terminal.screen()
  assert.equal(screen[0], 'onager: the collector does not answer')
  assert.match(screen[1]!, /closed model/)
  progress.end()
  progress.say('The end')
  assert.deepEqual(await terminal.everything(), [
    'onager: the collector does not answer',
    'The end',
  ])
})

test('live view takes away what a person typed', async () => {
  const { terminal, runUntil } = show(100, 30)
  runUntil(5)
  terminal.write('^C')
  runUntil(6)
  assert.doesNotMatch((await terminal.screen()).join('\n'), /\^C/)
})

test('live view after a resize is one picture of the new size', async () => {
  const { terminal, progress, runUntil } = show(100, 40)
  terminal.write('$ onager run plan.yaml\n')
  runUntil(20)
  for (const [columns, rows] of [
    [60, 40],
    [40, 40],
    [140, 40],
    [140, 50],
    [80, 45],
  ] as const) {
    await terminal.resize(columns, rows)
    const screen = await terminal.everything()
    assert.equal(screen[0], '$ onager run plan.yaml')
    assert.equal(screen.filter((row) => row.includes('onager  http')).length, 1, screen.join('\n'))
    assert.ok(screen.length <= rows)
    runUntil(20 + columns / 100)
  }
  progress.end()
  assert.deepEqual(await terminal.everything(), ['$ onager run plan.yaml'])
})

test('live view in a window too low for it shows a whole picture all the same', async () => {
  const { terminal, runUntil } = show(100, 30)
  runUntil(20)
  await terminal.resize(100, 8)
  runUntil(21)
  const screen = await terminal.screen()
  assert.equal(screen.length, 7)
  assert.match(screen[0]!, /0:20 of 1:00/)
  assert.deepEqual(await terminal.cursor(), { row: 7, column: 0 })
})

test('live view hides the cursor and stops wrapping only inside a picture', () => {
  const { terminal, progress, runUntil } = show(80, 24, {}, 0.01)
  runUntil(10)
  progress.end()
  for (const text of terminal.writes) {
    assert.match(
      text,
      /^\x1b\[\?2026h\x1b\[\?25l\x1b\[\?7l[\s\S]*\x1b\[\?7h\x1b\[\?25h\x1b\[\?2026l$/,
    )
    assert.equal(text.match(/\x1b\[\?/g)?.length, 6)
  }
})

test('live view sends only lines that changed', () => {
  const { terminal, runUntil } = show(100, 30)
  runUntil(30)
  const title = terminal.writes.filter((text) => text.includes('closed model'))
  assert.equal(title.length, 1)
})

test('live view is coloured, but not with NO_COLOR', async () => {
  const coloured = show(80, 24)
  coloured.runUntil(10)
  await coloured.terminal.settled()
  assert.equal(coloured.terminal.colourAt(1, 1), 2)
  const plain = show(80, 24, { env: { TERM: 'xterm', LANG: 'C.UTF-8', NO_COLOR: '1' } })
  plain.runUntil(10)
  await plain.terminal.settled()
  assert.equal(plain.terminal.colourAt(1, 1), -1)
  assert.doesNotMatch(plain.terminal.writes.join(''), /\x1b\[[\d;]*m/)
})

test('live view judges thresholds with each update', async () => {
  const { terminal, runUntil } = show(
    100,
    30,
    {
      facts: { ...openFacts, thresholds: ['errors<5'] },
    },
    0.02,
  )
  runUntil(0.5)
  assert.match((await terminal.screen()).at(-1)!, /✓ errors<5 [0-4]$/)
  runUntil(10)
  assert.match((await terminal.screen()).at(-1)!, /✗ errors<5 \d+$/)
})

test('showProgress() without a terminal writes a plain line every few seconds', async () => {
  const piped = Object.assign(new TestTerminal(200, 30), { isTTY: false })
  const { runUntil } = show(200, 30, { stream: piped })
  runUntil(61)
  assert.equal(piped.writes.length, 12)
  assert.match(
    piped.writes[0]!,
    /^0:05 of 1:00, 200 requests\/s, p50 4\.\d\d ms, [ -~]* 0 errors\n$/,
  )
  const dumb = show(200, 30, { env: { TERM: 'dumb', LANG: 'en_GB.UTF-8' } })
  dumb.runUntil(11)
  assert.equal(dumb.terminal.writes.length, 2)
})

test('showProgress() of a long run spaces its plain lines out', () => {
  const piped = Object.assign(new TestTerminal(200, 30), { isTTY: false })
  const { runUntil } = show(200, 30, {
    stream: piped,
    facts: { ...closedFacts, durationNs: 3.6e12 },
  })
  runUntil(1201)
  assert.equal(piped.writes.length, 12 + 54 + 10)
})

test('showProgress() is silent when quiet, but for what is said', () => {
  const { terminal, progress, runUntil } = show(80, 24, { isQuiet: true })
  runUntil(20)
  progress.say('onager: the collector does not answer')
  progress.end()
  assert.deepEqual(terminal.writes, ['onager: the collector does not answer\n'])
})

test('showProgress() draws ASCII where the locale or the console knows no more', async () => {
  for (const env of [
    { TERM: 'xterm', LANG: 'C' },
    { TERM: 'linux', LANG: 'en_GB.UTF-8' },
  ]) {
    const { terminal, runUntil } = show(80, 24, { env })
    runUntil(10)
    assert.match((await terminal.screen()).join(''), /^[ -~]*$/)
  }
})
