/** The HTML report in a real browser, opened from the disk: charts, table, themes, phone, paper. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { htmlReport } from '../src/fleet/html-file.ts'
import type { RunResult } from '../src/result/run-result.ts'
import { type BrowserPage, startBrowser, type View } from './support/browser.ts'
import { tempFolder } from './support/files.ts'
import { fixedRuns } from './support/fixed-runs.ts'
import { requirePart } from './support/real-parts.ts'
import { hostileNames, hostileRun, richRun, shopRun } from './support/rich-run.ts'
import type { Scope } from './support/scope.ts'

const cleanUps: (() => unknown)[] = []
// What is called in a test would end with it; this lives as long as the file.
const file: Scope = { after: (cleanUp) => cleanUps.unshift(cleanUp) }
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})
const folder = tempFolder(file)
let running: Promise<BrowserPage> | undefined
let reportCount = 0

/** In the one browser of this file; undefined where there is none. */
async function openReport(
  context: TestContext,
  result: RunResult,
  view: View,
): Promise<BrowserPage | undefined> {
  const chromium = requirePart(context, 'chromium')
  if (chromium === undefined) return undefined
  running ??= startBrowser(file, chromium)
  const page = await running
  const path = join(folder, `report-${++reportCount}.html`)
  writeFileSync(path, htmlReport(result))
  await page.open(pathToFileURL(path).href, view)
  assert.deepEqual(page.complaints, [])
  for (const url of page.requestedUrls) assert.match(url, /^(?:file|data):/)
  return page
}

let richResult: RunResult | undefined

/** Made once: it takes a while. */
function rich(): RunResult {
  richResult ??= richRun(shopRun)
  return richResult
}

const desktop = { widthPx: 1280, heightPx: 900 }
const phone = { widthPx: 390, heightPx: 844 }

/** Colours of a canvas that are neither empty nor only one. */
const DRAWN_COLOURS = `[...document.querySelectorAll('.live canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const seen = new Set()
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 200) seen.add(data[at] + ',' + data[at + 1] + ',' + data[at + 2])
  }
  return seen.size
})`

const NAMES = `[...document.querySelectorAll('#names tbody tr')]
  .filter((row) => !row.hidden).map((row) => row.cells[0].textContent)`

for (const theme of ['light', 'dark'] as const) {
  test(`the report draws its charts in the ${theme} theme`, async (context) => {
    const page = await openReport(context, rich(), { ...desktop, theme })
    if (page === undefined) return
    const colours = await page.evaluate(DRAWN_COLOURS)
    assert.ok(Array.isArray(colours) && colours.length === 5, `${colours}`)
    for (const count of colours) assert.ok(count > 3, `${colours}`)
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    assert.equal(ground, theme === 'dark' ? 'rgb(17, 21, 26)' : 'rgb(245, 246, 248)')
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('#rate .still')).display`),
      'none',
    )
  })
}

test('the table of requests sorts by mouse and keyboard, and filters', async (context) => {
  const page = await openReport(context, rich(), { ...desktop, theme: 'light' })
  if (page === undefined) return
  const inOrder = shopRun.names.map(({ name }) => name)
  assert.deepEqual(await page.evaluate(NAMES), inOrder)
  const head = (column: number) => `document.querySelectorAll('#names thead th')[${column}]`
  await page.evaluate(`${head(8)}.querySelector('button').click()`)
  const p99 = `[...document.querySelectorAll('#names tbody tr')].map((row) => Number(row.cells[8].textContent))`
  const falling = (await page.evaluate(p99)) as number[]
  assert.deepEqual(
    falling,
    falling.toSorted((a, b) => b - a),
  )
  assert.equal(await page.evaluate(`${head(8)}.getAttribute('aria-sort')`), 'descending')

  await page.evaluate(`${head(0)}.querySelector('button').focus()`)
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter })
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
  const sorted = (await page.evaluate(NAMES)) as string[]
  assert.deepEqual(sorted.toSorted(), inOrder.toSorted())
  assert.equal(sorted[0], 'GET /')
  assert.equal(await page.evaluate(`${head(0)}.getAttribute('aria-sort')`), 'ascending')
  assert.equal(await page.evaluate(`${head(8)}.getAttribute('aria-sort')`), null)

  await page.evaluate(`document.getElementById('filter').focus()`)
  await page.send('Input.insertText', { text: 'post /C' })
  assert.deepEqual(await page.evaluate(NAMES), ['POST /cart', 'POST /checkout'])
  const told = await page.evaluate(`document.getElementById('shown-count').textContent`)
  assert.equal(String(told).replace('\u00a0', ' '), '2 of 7 names')
  assert.deepEqual(page.complaints, [])
})

test('one cursor reads all charts, by mouse and by keyboard', async (context) => {
  const page = await openReport(context, rich(), { ...desktop, theme: 'light' })
  if (page === undefined) return
  const values = `[...document.querySelectorAll('#over-time output')].map((one) => one.textContent)`
  assert.ok(((await page.evaluate(values)) as string[]).every((text) => text === ''))
  await page.evaluate(`document.querySelector('#rate').scrollIntoView({ behavior: 'instant' })`)
  const box = `JSON.stringify(document.querySelector('#rate .u-over').getBoundingClientRect())`
  const { x, y, width } = JSON.parse(String(await page.evaluate(box)))
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + width / 2, y: y + 40 })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')
  const read = (await page.evaluate(values)) as string[]
  assert.equal(read.length, 8)
  assert.match(read[0]!, /^29\d.*\/s at 2:\d\d$|^30\d.*\/s at 2:\d\d$/)
  assert.ok(
    read.every((text) => text !== ''),
    `${read}`,
  )

  await page.evaluate(`document.querySelector('#times .live').focus()`)
  const end = { key: 'End', code: 'End', windowsVirtualKeyCode: 35 }
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...end })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')
  assert.match(((await page.evaluate(values)) as string[])[2]!, / ms at 4:59$/)
  assert.deepEqual(page.complaints, [])
})

test('the button goes through the themes, and the charts follow', async (context) => {
  const page = await openReport(context, rich(), { ...desktop, theme: 'light' })
  if (page === undefined) return
  const ground = 'getComputedStyle(document.body).backgroundColor'
  const press = `document.getElementById('theme').click()`
  const seen: unknown[] = []
  for (let round = 0; round < 3; round++) {
    await page.evaluate(press)
    seen.push(await page.evaluate(`document.getElementById('theme').textContent.trim()`))
    seen.push(await page.evaluate(ground))
  }
  const [light, dark] = ['rgb(245, 246, 248)', 'rgb(17, 21, 26)']
  assert.deepEqual(seen, ['Theme: light', light, 'Theme: dark', dark, 'Theme: auto', light])
  const colours = (await page.evaluate(DRAWN_COLOURS)) as number[]
  assert.equal(colours.length, 5, 'no chart is left over from before')
})

test('the report fits a phone, and paper shows drawings instead of charts', async (context) => {
  const page = await openReport(context, rich(), { ...phone, theme: 'dark' })
  if (page === undefined) return
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.widthPx)
  await page.send('Emulation.setEmulatedMedia', {
    media: 'print',
    features: [{ name: 'prefers-color-scheme', value: 'dark' }],
  })
  const display = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).display`)
  assert.equal(await display('#rate .still'), 'block')
  assert.equal(await display('#rate .live'), 'none')
  assert.equal(
    await page.evaluate('getComputedStyle(document.body).backgroundColor'),
    'rgb(255, 255, 255)',
  )
})

test('hostile names run nothing and fit a phone', async (context) => {
  const page = await openReport(context, hostileRun(), { ...phone, theme: 'light' })
  if (page === undefined) return
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.widthPx)
  const shown = (await page.evaluate(NAMES)) as string[]
  assert.equal(shown[0], hostileNames[0])
})

test('runs that failed, were short or did nothing open without complaint', async (context) => {
  for (const name of ['all-failed', 'one', 'nothing', 'pages'] as const) {
    const page = await openReport(context, fixedRuns[name](), { ...desktop, theme: 'light' })
    if (page === undefined) return
    assert.match(String(await page.evaluate('document.title')), /onager/)
  }
})
