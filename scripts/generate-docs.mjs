// Writes the pages of docs/ that are made from the option tables, after a build.
// A test fails while a page differs from what this writes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { root } from './install.mjs'

build({ onlyIfStale: true })
const { referenceText } = await import('../dist/src/siege/help.js')
mkdirSync(join(root, 'docs'), { recursive: true })
writeFileSync(join(root, 'docs', 'reference-siege.md'), referenceText)
