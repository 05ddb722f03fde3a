/** The session of docs/plan.md, run by the engine itself against the practice site. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type FinishedRun, startPlan } from '../../src/fleet/run-plan.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts'
import { projectRoot } from '../support/files.ts'
import { PlanFolder } from './plan-run.ts'

let folder: PlanFolder
let site: PracticeSite

before(async () => {
  folder = new PlanFolder()
  site = await startPracticeSite({ port: 0 })
})

after(async () => {
  folder.remove()
  await site.close()
})

function runOf(plan: Plan): Promise<FinishedRun> {
  const nothing = () => {}
  return startPlan(plan, {
    lines: null,
    wire: 'nothing',
    takeLines: nothing,
    failureSeen: nothing,
  }).finished
}

test('the session of docs/plan.md has no error, and its scenarios the shares of their weights', async () => {
  const text = readFileSync(join(projectRoot, 'docs', 'plan.md'), 'utf8')
  const yaml = /```yaml\n(title: Writing and reading\n.*?)```/s.exec(text)?.[1] ?? ''
  const csv = /```csv\n(.*?)```/s.exec(text)?.[1] ?? ''
  folder.write('plan.yaml', yaml.replace(/^ *think: .*\n/gm, ''))
  folder.write('authors.csv', csv)
  const { plan } = await folder.run(
    ...['plan.yaml', '--base-url', site.url, '--count', '40', '--users', '4', '--reactor', 'node'],
  )
  const { snapshot } = (await runOf(plan)).result
  assert.equal(snapshot.errorCount, 0)
  const counts = snapshot.names.map(({ completedCount }) => completedCount)
  assert.deepEqual(plan.requestNames, [
    'article/write',
    'article/read',
    'article/remove',
    'POST /login',
    'GET /account',
  ])
  const [writes = 0, reads, removes, logins = 0, visits] = counts
  assert.equal(writes + logins, 40)
  assert.ok(Math.abs(writes - 30) <= 2, `${writes}`)
  assert.deepEqual([reads, removes, visits], [writes, writes, logins])
  for (const { passedCount, failedCount } of snapshot.checks) {
    assert.ok(passedCount > 0)
    assert.equal(failedCount, 0)
  }
})

test('rows of a unique feeder are sent once each, over two threads', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => `{ id: ${index + 1} }`)
  folder.write(
    'plan.yaml',
    `base-url: ${site.url}
load: { users: 3, duration: 20s }
feeders:
  ids: { rows: [ ${rows.join(', ')} ], order: unique }
steps: [ "/api/articles/\${id}" ]
`,
  )
  const before = site.counts.byPath
  assert.equal(before['/api/articles/7'], undefined)
  const { plan } = await folder.run('plan.yaml', '--threads', '2', '--reactor', 'node')
  const { snapshot, endedBy, usedUpFeeders } = (await runOf(plan)).result
  assert.equal(endedBy, 'count')
  assert.equal(snapshot.completedCount, 9)
  assert.deepEqual(usedUpFeeders, [{ name: 'ids', rowCount: 9 }])
  for (let id = 1; id <= 9; id++) {
    assert.deepEqual(site.counts.byPath[`/api/articles/${id}`], { 200: 1 }, `${id}`)
  }
})
