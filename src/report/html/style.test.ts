/** Colours can be read in both themes: WCAG's contrast of 4.5 for text and 3 for what is drawn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageStyle } from './style.ts'

type Theme = 0 | 1

function colourOf(name: string, theme: Theme): string {
  const pair = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(pageStyle)
  assert.ok(pair !== null, name)
  return pair[1 + theme]!
}

/** Relative luminance, 0 to 1. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

function assertContrast(names: readonly string[], grounds: readonly string[], least: number): void {
  for (const theme of [0, 1] as const) {
    for (const name of names) {
      for (const ground of grounds) {
        const found = contrast(colourOf(name, theme), colourOf(ground, theme))
        const where = `${name} on ${ground}, ${theme === 0 ? 'light' : 'dark'}`
        assert.ok(found >= least, `${where}: ${found.toFixed(2)}`)
      }
    }
  }
}

test('pageStyle has text that can be read on whatever it stands', () => {
  assertContrast(['ink', 'quiet'], ['page', 'surface', 'raised'], 4.5)
  assertContrast(['accent', 'pass', 'warn', 'fail'], ['surface', 'raised', 'page'], 4.5)
  for (const tone of ['pass', 'warn', 'fail']) {
    assertContrast([tone, 'ink'], [`${tone}-ground`], 4.5)
    assertContrast(['surface'], [tone], 4.5)
  }
  for (const phase of ['dns', 'connect', 'tls', 'first', 'transfer']) {
    assertContrast(['on-phase'], [phase], 4.5)
  }
})

test('pageStyle has lines that stand out from their ground', () => {
  const tones = ['done', 'offered', 'p50', 'p90', 'p99', 'service', 'flight', 'error', 'dropped']
  assertContrast([...tones, 'watched'], ['surface'], 3)
})

test('pageStyle asks for nothing from outside', () => {
  assert.doesNotMatch(pageStyle, /url\(|@import|https?:/)
})
