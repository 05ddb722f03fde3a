/** docs/differences.md: every row has its test, and every mask of the comparison its row. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { rules as abRules, hostileRules } from '../ab/rules.ts'
import { projectRoot } from '../support/files.ts'
import { rules as siegeRules } from './rules.ts'

/** Of both comparisons; their names do not clash. */
const rules: readonly { readonly name: string }[] = [...siegeRules, ...abRules, ...hostileRules]

const document = readFileSync(join(projectRoot, 'docs', 'differences.md'), 'utf8')

/** Cells of the rows of all tables, headings left out; `\|` is a bar within a cell. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:---|(?:siege|ab) \| onager \|)/.test(line))
  .map((line) => {
    const cells = line.slice(2, -1).split(/(?<!\\)\|/)
    return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
  })

/** Text of the tests by name of their file, as in `siege-options`. */
function testTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const folder of ['src', 'test']) {
    for (const path of readdirSync(join(projectRoot, folder), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!path.endsWith('.test.ts')) continue
      const name = basename(path, '.test.ts')
      const text = readFileSync(join(projectRoot, folder, path), 'utf8')
      texts.set(name, (texts.get(name) ?? '') + text)
    }
  }
  return texts
}

test('docs/differences.md has rows of four cells, of which only the reason may be empty', () => {
  assert.ok(rows.length > 80)
  for (const cells of rows) {
    assert.equal(cells.length, 4, cells.join(' | '))
    const [siege, onager, , proof] = cells
    for (const cell of [siege, onager, proof]) assert.notEqual(cell, '', cells.join(' | '))
  }
})

test('docs/differences.md names a test or rule that exists in every row', () => {
  const texts = testTexts()
  for (const [what = '', , , proof = ''] of rows) {
    const words = /^`(.*)`$/.exec(proof)?.[1] ?? ''
    const rule = /^rule (\S+)$/.exec(words)?.[1]
    if (rule !== undefined) {
      assert.ok(
        rules.some(({ name }) => name === rule),
        `${what}: no rule ${rule}`,
      )
      continue
    }
    const [, file = '', title = ''] = /^([\w-]+): ?(.*)$/.exec(words) ?? []
    const text = texts.get(file)
    assert.ok(text !== undefined, `${what}: no ${file}.test.ts`)
    assert.ok(text.replaceAll("\\'", "'").includes(title), `${what}: no "${title}" in ${file}`)
  }
})

test('every rule of the comparisons with real siege and real ab is a row of docs/differences.md', () => {
  for (const { name } of rules) {
    assert.ok(
      rows.some((cells) => cells[3] === `\`rule ${name}\``),
      name,
    )
  }
})
