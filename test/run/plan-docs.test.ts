/**
 * Every plan in docs/plan.md is read, printed and read again, and those with steps are walked
 * through against the practice site, checks and extractions included. The schema for editors is the
 * one that onager itself goes by.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts'
import { type LoadedPlan, loadPlan } from '../../src/run/load-plan.ts'
import { jsonSchemaText } from '../../src/run/plan-file/json-schema.ts'
import { projectRoot } from '../support/files.ts'
import { walkScenarios } from './plan-session.ts'

const text = readFileSync(join(projectRoot, 'docs', 'plan.md'), 'utf8')
const blocks = (kind: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!)

let folder = ''
let site: PracticeSite

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onager-plan-docs-'))
  writeFileSync(join(folder, 'authors.csv'), blocks('csv')[0] ?? '')
  site = await startPracticeSite({ port: 0 })
})

after(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

function load(...argv: string[]): Promise<LoadedPlan> {
  return loadPlan(argv, { folder, environment: () => undefined, randomSeed: 1 })
}

const plans = blocks('yaml')

test('docs/plan.md shows plans', () => {
  assert.ok(plans.length >= 5, `${plans.length}`)
})

for (const [index, yaml] of plans.entries()) {
  test(`plan ${index + 1} of docs/plan.md runs against the practice site`, async () => {
    writeFileSync(join(folder, 'plan.yaml'), yaml)
    const loaded = await load('plan.yaml', '--base-url', site.url)
    assert.ok(loaded.kind === 'run')
    const { script, targets } = loaded.plan
    if (script === undefined) {
      assert.ok(targets.count > 0)
      return
    }
    const statuses = await walkScenarios(script)
    assert.ok(statuses.length > 0)
    assert.ok(!statuses.some((status) => status >= 400), `${statuses}`)
  })

  test(`plan ${index + 1} of docs/plan.md is printed so that it reads the same`, async () => {
    writeFileSync(join(folder, 'plan.yaml'), yaml)
    const printed = await load('plan.yaml', '--print-plan')
    assert.ok(printed.kind === 'text')
    writeFileSync(join(folder, 'printed.yaml'), printed.text)
    assert.deepEqual(await load('printed.yaml', '--print-plan'), printed)
  })
}

test('docs/schema/plan.schema.json is what scripts/generate-docs.mjs writes', () => {
  const kept = readFileSync(join(projectRoot, 'docs', 'schema', 'plan.schema.json'), 'utf8')
  assert.equal(kept, jsonSchemaText(z))
})
