/** Help and reference tell of every option, and the page in docs is fresh. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPart } from '../../test/support/real-parts.ts'
import { defaultSettings, keysOf, SettingsDraft } from '../plan/option-table.ts'
import { helpText, referenceText } from './help.ts'
import { siegeOptions } from './options.ts'
import { readSiegerc } from './siegerc.ts'
import { siegercTemplate } from './siegerc-template.ts'

const root = join(import.meta.dirname, '../../..')

/** Every name a table row may have is there once. */
function duplicatesOf(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

test('siegeOptions has every option and directive of siege', () => {
  const rows = Object.values(siegeOptions)
  const shorts = rows.flatMap((row) => row.short ?? [])
  assert.equal(shorts.sort().join(''), 'ACDFHNRTVbcdfghijlmpqrtv')
  const directives = new Set(rows.flatMap((row) => row.directives ?? []))
  const siegeDirectives =
    'verbose color quiet debug json_output show-logfile logging logfile gmethod parser nofollow csv ' +
    'timestamp fullurl display-id limit protocol chunked cache connection concurrent time reps file ' +
    'url delay timeout expire-session cookies failures internet benchmark user-agent ' +
    'accept-encoding url-escaping login login-url auth-url attempts ftp-login proxy-host proxy-port ' +
    'proxy-login unique header follow-location zero-data-ok ssl-cert ssl-key ssl-timeout ' +
    'ssl-ciphers spinner'
  assert.deepEqual(
    siegeDirectives.split(' ').filter((name) => !directives.has(name)),
    [],
  )
})

test('siegeOptions has each name once and no option without a value to set', () => {
  const rows = Object.values(siegeOptions)
  const longs = rows.flatMap((row) => [row.long ?? [], row.longAliases ?? []].flat())
  const directives = rows.flatMap((row) => row.directives ?? [])
  assert.deepEqual(duplicatesOf(longs), [])
  assert.deepEqual(duplicatesOf(directives), [])
  assert.deepEqual(duplicatesOf(rows.flatMap((row) => row.short ?? [])), [])
  for (const row of rows) {
    assert.equal(
      row.flagValue === undefined,
      row.argument === undefined || row.argument === 'required',
    )
  }
})

test('helpText names every option and fits a terminal', () => {
  for (const row of Object.values(siegeOptions)) {
    if (row.long !== undefined) assert.ok(helpText.includes(`--${row.long}`), row.long)
  }
  const lines = helpText.split('\n')
  assert.ok(lines.length <= 64, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  )
})

test('docs/reference-siege.md is what the option table says', () => {
  const page = readFileSync(join(root, 'docs/reference-siege.md'), 'utf8')
  assert.equal(page, referenceText, 'run: node scripts/generate-docs.mjs')
})

test('siegercTemplate() reads as the defaults', () => {
  const { lines, problems, warnings } = readSiegerc({ path: 'rc', text: siegercTemplate() }, {})
  assert.deepEqual([problems, warnings], [[], []])
  const draft = new SettingsDraft(siegeOptions)
  for (const { key, name, value, line } of lines) {
    draft.read(key, name, value, { kind: 'file', file: 'rc', line })
  }
  assert.deepEqual(draft.problems, [])
  assert.deepEqual(draft.settings(), defaultSettings(siegeOptions))
})

test('siegercTemplate() shows every directive, and what it shows can be read', () => {
  const text = siegercTemplate().replaceAll(/^# ([\w-]+ = )/gm, '$1')
  const { lines, problems } = readSiegerc({ path: 'rc', text }, {})
  assert.deepEqual(problems, [])
  const shown = new Set(lines.map((line) => line.key))
  const withDirective = keysOf(siegeOptions).filter((key) => siegeOptions[key].directives)
  assert.deepEqual(
    withDirective.filter((key) => !shown.has(key)),
    [],
  )
  const draft = new SettingsDraft(siegeOptions)
  for (const { key, name, value, line } of lines) {
    draft.read(key, name, value, { kind: 'file', file: 'rc', line })
  }
  assert.deepEqual(draft.problems, [])
})

test("real siege's own configuration file reads without a problem", (context) => {
  if (findPart('siege') === undefined) {
    context.skip('siege is not installed (Debian package siege)')
    return
  }
  const path = '/etc/siege/siegerc'
  const { lines, problems, warnings } = readSiegerc({ path, text: readFileSync(path, 'utf8') }, {})
  assert.deepEqual([problems, warnings], [[], []])
  const draft = new SettingsDraft(siegeOptions)
  for (const { key, name, value, line } of lines) {
    draft.read(key, name, value, { kind: 'file', file: path, line })
  }
  assert.deepEqual(draft.problems, [])
})
