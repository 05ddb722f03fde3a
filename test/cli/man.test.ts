/** The manual pages: fresh, complete, clean for real man, and opened by `onager man`. */
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { abOptions } from '../../src/ab/options.ts'
import { manFileName, manPages, manSource } from '../../src/cli/man-pages.ts'
import { spellings } from '../../src/plan/option-docs.ts'
import type { OptionRow } from '../../src/plan/option-table.ts'
import { siegeOptions } from '../../src/siege/options.ts'
import { projectRoot } from '../support/files.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli } from '../support/run-cli.ts'

const folder = join(projectRoot, 'docs', 'man')
const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANPAGER: 'cat' }

test('docs/man holds what the option tables say, and nothing else', () => {
  assert.deepEqual(readdirSync(folder).sort(), manPages.map(manFileName).sort())
  for (const page of manPages) {
    const text = readFileSync(join(folder, manFileName(page)), 'utf8')
    assert.equal(text, manSource(page), 'run: node scripts/generate-docs.mjs')
  }
})

test('package.json names every manual page', () => {
  const { man } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  assert.deepEqual(man.toSorted(), manPages.map((page) => `./docs/man/${manFileName(page)}`).sort())
})

test('manual pages are ASCII and refer only to pages that are there', () => {
  const known = manPages.map(({ name, section }) => `${name}(${section})`)
  for (const page of manPages) {
    assert.match(manSource(page), /^[\n\x20-\x7e]*$/)
    const references = JSON.stringify(page).match(/[a-z][\w.-]*\([15]\)/g) ?? []
    assert.deepEqual(
      references.filter((reference) => !known.includes(reference)),
      [],
    )
  }
})

test('siege(1) and ab(1) have every option and siegerc(5) every directive, as man shows them', (context) => {
  const man = requirePart(context, 'man')
  if (man === undefined) return
  const rows: OptionRow<unknown>[] = Object.values(siegeOptions)
  const options = shown(man, 'siege.1')
  for (const row of rows.filter(({ argument }) => argument !== undefined)) {
    for (const spelling of spellings(row)) {
      assert.match(options, new RegExp(`^ +(.*, )?${spelling}(?![\\w-])`, 'm'))
    }
  }
  const abOptionsShown = shown(man, 'ab.1')
  for (const spelling of Object.values(abOptions).flatMap((row) => spellings(row))) {
    assert.match(abOptionsShown, new RegExp(`^ +${spelling}(?![\\w-])`, 'm'))
  }
  const directives = shown(man, 'siegerc.5')
  for (const name of rows.flatMap((row) => row.directives?.[0] ?? [])) {
    assert.match(directives, new RegExp(`^ +${name}\\b`, 'm'))
  }
})

test('man renders every page without a warning', (context) => {
  const man = requirePart(context, 'man')
  if (man === undefined) return
  for (const page of manPages) {
    const { stdout, stderr, status } = rendered(man, manFileName(page))
    assert.equal(stderr, '', page.name)
    assert.equal(status, 0, page.name)
    assert.match(stdout, /User Commands|File Formats/)
  }
})

test('onager man opens the page of a program, of a command, and its own', async (context) => {
  if (requirePart(context, 'man') === undefined) return
  for (const [args, title] of [
    [['siege'], /^SIEGE\(1\)/],
    [['record'], /^ONAGER-RECORD\(1\)/],
    [['urls.txt.5'], /^URLS\.TXT\(5\)/],
    [[], /^ONAGER\(1\)/],
  ] as const) {
    const { status, stdout, stderr } = await runCli('onager', ['man', ...args])
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout.replaceAll(/.\x08/g, ''), title)
  }
})

test('onager man says where the page is when there is no man, exit 3', async () => {
  const options = { env: { PATH: '/nonexistent' } }
  const { status, stderr } = await runCli('onager', ['man', 'siege'], options)
  assert.equal(status, 3)
  assert.match(stderr, /^onager: the program man.*cannot be run\n {2}the page is \/.*siege\.1\n$/)
})

function rendered(man: string, file: string): SpawnSyncReturns<string> {
  const args = ['--warnings=w', '-l', '-Tutf8', join(folder, file)]
  return spawnSync(man, args, { encoding: 'utf8', env })
}

/** A page without the marks of bold type. */
function shown(man: string, file: string): string {
  const { stdout } = rendered(man, file)
  return stdout.replaceAll(/.\x08/g, '').replaceAll(/\x1b\[[\d;]*m/g, '')
}
