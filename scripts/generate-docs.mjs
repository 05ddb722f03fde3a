// Writes the files that are made from the option tables, after a build: reference pages, manual
// pages, completions, and the schema of plans. A test fails while a file differs from this.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { root } from './install.mjs'

build({ onlyIfStale: true })
const { referenceText } = await import('../dist/src/siege/help.js')
const { abReferenceText } = await import('../dist/src/ab/usage.js')
const { manFileName, manPages, manSource } = await import('../dist/src/cli/man-pages.js')
const { completionFiles } = await import('../dist/src/cli/completions.js')
const { jsonSchemaText } = await import('../dist/src/run/plan-file/json-schema.js')
const { z } = await import('zod')

write('docs', 'reference-siege.md', referenceText)
write('docs', 'reference-ab.md', abReferenceText)
write('docs/schema', 'plan.schema.json', jsonSchemaText(z))
for (const page of manPages) write('docs/man', manFileName(page), manSource(page))
for (const { name, text } of Object.values(completionFiles)) write('completions', name, text())

function write(folder, name, text) {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, name), text)
}
