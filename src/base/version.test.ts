/** The version that programs print is that of the package. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ONAGER_VERSION } from './version.ts'

test('ONAGER_VERSION is the version of the package', () => {
  const packageFile = join(import.meta.dirname, '../../../package.json')
  assert.equal(ONAGER_VERSION, JSON.parse(readFileSync(packageFile, 'utf8')).version)
})
