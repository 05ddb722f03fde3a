/** Plans of `onager run` from a file to the server and back: sessions, modules, threads. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { onagerRun, runForJson, siteCounts, startSite } from './onager-run.ts'

const session = `
title: Writing and reading
feeders:
  authors: { file: authors.csv }
scenarios:
  - name: write
    weight: 3
    steps:
      - name: write
        group: article
        post: /api/articles
        json: { title: "By \${author}", age: "\${raw:age}" }
        check: { status: 201, header: { Content-Type: json }, json: { /title: "By \${author}" } }
        extract: { id: /id, place: { header: Location } }
      - name: read
        group: article
        get: \${place}
        check: { status: 200, body-contains: "By \${author}" }
      - name: remove
        group: article
        delete: /api/articles/\${id}
        check: { status: 204 }
  - name: log in
    steps:
      - name: stranger
        get: /account
        check: { status: 302 }
      - name: log in
        post: /login
        form: { user: ada, password: lovelace }
        check: { status: 303, header: { Location: ^/account$ } }
        extract: { session: { cookie: practice_session } }
      - name: account
        get: /account
        check: { status: 200, body-matches: session \\d+ }
`
const authors = 'author,age\n"Lovelace, Ada",36\nGrace Hopper,85\nZoë \'Z\' Ångström,4\n'

for (const load of [
  ['--users', '5'],
  ['--users', '5', '--threads', '2'],
  ['--rate', '200/s', '--reactor', 'node'],
]) {
  test(`a session with login, feeder, extraction and two scenarios agrees with the server by name: ${load.join(' ')}`, async (t) => {
    const site = await startSite(t)
    const cwd = tempFolder(t)
    writeFileSync(join(cwd, 'session.yaml'), session)
    writeFileSync(join(cwd, 'authors.csv'), authors)
    const args = ['session.yaml', '--base-url', site.url, '--count', '120', '--seed', '1', ...load]
    const { status, stderr, summary } = await runForJson(args, { cwd })
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(summary.requests.errors, 0)
    assert.equal(summary.iterations.count, 120)
    const counts = Object.fromEntries(summary.names.map(({ name, completed }) => [name, completed]))
    assert.deepEqual(siteCounts(site), {
      '/api/articles 201': counts['article/write'],
      '/api/articles/N 200': counts['article/read'],
      '/api/articles/N 204': counts['article/remove'],
      // Each iteration is a new visitor: nobody is logged in from the last one.
      '/account 302': counts.stranger,
      '/login 303': counts['log in'],
      '/account 200': counts.account,
    })
    const [writes = 0, logins = 0] = [counts['article/write'], counts['log in']]
    assert.equal(writes + logins, 120)
    assert.ok(writes > 75 && writes < 105, `${writes} of 120, at a weight of 3 to 1`)
    for (const { passed, failed } of summary.checks) assert.ok(passed > 0 && failed === 0)
  })
}

test('one thread and two give the same totals for a count, with users and at a rate', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const rows = Array.from({ length: 60 }, (_, index) => ({ id: (index % 10) + 1 }))
  const plan = {
    'base-url': site.url,
    feeders: { ids: { rows } },
    steps: [{ get: '/api/articles/${id}', name: 'article' }, '/plain'],
  }
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  for (const load of [
    ['--users', '4'],
    ['--rate', '300/s'],
  ]) {
    for (const threads of ['1', '2']) {
      const before = site.counts.requestCount
      const args = ['plan.json', '--count', '60', '--threads', threads, ...load]
      const { status, summary } = await runForJson(args, { cwd })
      assert.equal(status, 0)
      const counts = summary.names.map(({ completed }) => completed)
      assert.deepEqual([summary.iterations.count, counts], [60, [60, 60]], `${threads} ${load}`)
      assert.equal(site.counts.requestCount - before, 120)
    }
  }
  // Each row was used equally often, whoever took it.
  const articles = Object.entries(site.counts.byPath).filter(([path]) => /\d$/.test(path))
  const atRate = articles.map(([, statuses]) => statuses[200])
  assert.equal(atRate.length, 10)
  assert.equal(
    atRate.reduce((sum, count = 0) => (sum ?? 0) + count, 0),
    240,
  )
})

test("a module's plan imports from 'onager', wherever it lies", async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  writeFileSync(
    join(cwd, 'plan.mjs'),
    `import { definePlan } from 'onager'
export default definePlan({
  load: { users: 2, count: 6 },
  'base-url': '${site.url}',
  steps: ['/plain', '/empty'],
})
`,
  )
  const { status, stderr, summary } = await runForJson(['plan.mjs'], { cwd })
  assert.deepEqual([status, stderr, summary.title], [0, '', 'plan.mjs'])
  assert.deepEqual(siteCounts(site), { '/plain 200': 6, '/empty 200': 6 })
})

test('rows of a unique feeder are used once each, by more users than rows and by several threads', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const rows = Array.from({ length: 9 }, (_, index) => ({ id: index + 1 }))
  const plan = {
    load: { users: 20, duration: '60s' },
    'base-url': site.url,
    feeders: { ids: { rows, order: 'unique' } },
    steps: ['/api/articles/${id}'],
  }
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  for (const threads of ['1', '4']) {
    const { summary } = await runForJson(['plan.json', '--threads', threads], { cwd })
    assert.deepEqual([summary.ended_by, summary.requests.completed], ['count', 9])
    const ranOut = summary.warnings.filter(({ kind }) => kind === 'feeder-used-up')
    assert.deepEqual(summary.used_up_feeders, [{ name: 'ids', rows: 9 }])
    assert.match(ranOut[0]!.text, /^The feeder ids ran out after 9 rows: /)
  }
  for (const { id } of rows) {
    assert.deepEqual(site.counts.byPath[`/api/articles/${id}`], { 200: 2 }, `${id}`)
  }
})

test('line ends and NULs never get into a header field', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const values = ['ok', 'a\r\nX-Evil: 1', 'ünï', '', 'x\u0000y']
  const plan = {
    load: { users: 1, count: values.length },
    'base-url': site.url,
    feeders: { values: { rows: values.map((value) => ({ value })) } },
    steps: [
      {
        get: '/headers',
        headers: { 'X-Value': '${value}' },
        check: { status: 200, 'body-matches': { regex: '^(?![^]*"x-evil")', flags: 'i' } },
      },
    ],
  }
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  const { status, summary } = await runForJson(['plan.json'], { cwd })
  assert.deepEqual([status, summary.requests.completed, summary.requests.errors], [0, 5, 0])
})

test('addresses that cannot be requested fail by themselves, and the run goes on', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const hosts = ['http://[::1', 'javascript:', '', 'http://127.0.0.1:99999', site.url]
  const plan = {
    load: { users: 1, count: hosts.length },
    feeders: { hosts: { rows: hosts.map((host) => ({ host })) } },
    steps: [{ name: 'host', get: '${host}/plain' }],
  }
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  const { status, summary } = await runForJson(['plan.json'], { cwd })
  assert.deepEqual([status, summary.requests.failed, summary.requests.completed], [0, 4, 1])
  assert.deepEqual(siteCounts(site), { '/plain 200': 1 })
})

test('what is wrong with a plan is told before anything is sent, status 2', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  writeFileSync(join(cwd, 'plan.yaml'), `load: { users: 5o }\nsteps: [ { get: /a, chek: 1 } ]\n`)
  const { status, stdout, stderr } = await onagerRun(['plan.yaml', '--base-url', site.url], { cwd })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^onager: plan\.yaml:1:16: users must be a whole number/m)
  assert.match(stderr, /^onager: plan\.yaml:2:21: there is no chek here; did you mean check\?$/m)
  for (const args of [
    ['--rate', '0/s'],
    ['--stages', '1s:0'],
    ['--count', '99999999999'],
  ]) {
    assert.equal((await onagerRun([`${site.url}/plain`, ...args])).status, 2, args.join(' '))
  }
  assert.equal(site.counts.requestCount, 0)
})
