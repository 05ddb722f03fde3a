/** Texts compared with files in `test/golden`; `UPDATE_GOLDEN=1` rewrites them. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './files.ts'

const folder = join(projectRoot, 'test', 'golden')

export function assertGolden(name: string, text: string): void {
  const path = join(folder, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, text)
  }
  assert.ok(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`)
  assert.equal(text, readFileSync(path, 'utf8'), `${name} differs; UPDATE_GOLDEN=1 rewrites it`)
}
