/** What becomes of plans and options: the engine's plan, what is printed, what modules may do. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stringify } from 'yaml'
import { TargetList } from '../../src/plan/target-list.ts'
import { renderText } from '../../src/script/text-template.ts'
import { fc } from '../support/property.ts'
import { runCli } from '../support/run-cli.ts'
import { PlanFolder } from './plan-run.ts'

const URL = 'http://127.0.0.1:8080/'
let folder: PlanFolder

before(() => {
  folder = new PlanFolder()
})
after(() => folder.remove())

test('onager run URL is ten users for ten seconds', async () => {
  const { plan } = await folder.run(URL)
  assert.deepEqual(plan.load, {
    model: 'closed',
    userCount: 10,
    iterationCount: null,
    durationNs: 10e9,
    totalCount: null,
    warmUpNs: 0,
    drainNs: 10e9,
    thinkTimeNsMax: 0,
  })
  assert.equal(plan.script, undefined)
  assert.equal(plan.requestNames, undefined)
  assert.equal(plan.title, URL)
  assert.equal(plan.seed, 7)
  assert.equal(plan.tls.verify, true)
})

test('--rate is the open model with a cap of 2000, or a second of arrivals', async () => {
  const { plan } = await folder.run('--rate', '90/m', '--duration', '1m', URL)
  assert.deepEqual(plan.load, {
    model: 'open',
    userCount: 2000,
    iterationCount: null,
    durationNs: 60e9,
    totalCount: null,
    warmUpNs: 0,
    drainNs: 10e9,
    thinkTimeNsMax: 0,
    arrivals: 'even',
    stages: [{ durationNs: null, from: 1.5, to: 1.5 }],
  })
  assert.equal((await folder.run('--rate', '5000/s', URL)).plan.load.userCount, 5000)
})

test('--stages ramp from the level before, stay and jump', async () => {
  const { load } = (await folder.run('--rate', '10/s', '--stages', '30s:100/s,1m,0s:300/s,5s', URL))
    .plan
  assert.ok(load.model === 'open')
  assert.equal(load.durationNs, 95e9)
  assert.deepEqual(load.stages, [
    { durationNs: 30e9, from: 10, to: 100 },
    { durationNs: 60e9, from: 100, to: 100 },
    { durationNs: 5e9, from: 300, to: 300 },
  ])
  const longer = (await folder.run('--stages', '10s:50', '--duration', '1m', URL)).plan.load
  assert.deepEqual(longer.stages, [
    { durationNs: 10e9, from: 0, to: 50 },
    { durationNs: null, from: 50, to: 50 },
  ])
  const users = (await folder.run('--stages', '10s:50', URL)).plan.load
  assert.equal(users.model, 'closed')
  assert.equal(users.userCount, 50)
  assert.deepEqual(users.stages?.[0], { durationNs: 10e9, from: 0, to: 50 })
})

test('--think of any distribution reaches the plan', async () => {
  const uniform = (await folder.run('--think', '0s..2s', URL)).plan.load
  assert.equal(uniform.thinkTimeNsMax, 2e9)
  const { load } = (await folder.run('--think', 'exponential 2s', URL)).plan
  assert.deepEqual(load.model === 'closed' ? load.thinkTime : null, {
    kind: 'exponential',
    meanNs: 2e9,
  })
})

test('--method, --body and --header make requests of URLs', async () => {
  folder.write('b.json', '[1]')
  const { plan } = await folder.run(
    '--body',
    '{"a":1}',
    '-H',
    'accept: x/y',
    '-H',
    'X: z',
    '-H',
    'X: w',
    URL,
  )
  const targets = new TargetList(plan.targets)
  assert.equal(targets.methodOf(0), 'POST')
  assert.equal(targets.contentTypeOf(0), 'application/json')
  assert.equal(Buffer.from(targets.bodyOf(0)!).toString(), '{"a":1}')
  const fixed = plan.request.head.flatMap((field) =>
    field.kind === 'fixed' ? [`${field.name}: ${field.value}`] : [],
  )
  assert.deepEqual(fixed.slice(1), ['accept: x/y', 'X: z', 'X: w'])
  const put = new TargetList((await folder.run('-m', 'put', '-b', '@b.json', URL)).plan.targets)
  assert.equal(put.methodOf(0), 'PUT')
  assert.equal(Buffer.from(put.bodyOf(0)!).toString(), '[1]')
  assert.equal(put.contentTypeOf(0), 'application/json')
})

test('several URLs are counted by name, a line may have a method and a body', async () => {
  const { plan } = await folder.run(URL, `${URL}b POST a=1`, URL)
  assert.deepEqual(plan.requestNames, [URL, `${URL}b POST a=1`])
  assert.deepEqual([...plan.targetNameIndexes!], [0, 1, 0])
  assert.equal(new TargetList(plan.targets).methodOf(1), 'POST')
})

test("-f reads a list in siege's format, seen from where onager is started", async () => {
  folder.write('urls.txt', `HOST = 127.0.0.1\nhttp://$(HOST)/a\nhttp://$(HOST)/b POST x\n`)
  const { plan } = await folder.run('-f', 'urls.txt', '--order', 'once')
  assert.equal(plan.targets.count, 2)
  assert.equal(plan.walk, 'once')
  assert.equal(plan.load.durationNs, null)
})

test('options go over what the plan says', async () => {
  folder.write(
    'plan.yaml',
    `load: { users: 5, duration: 1m, count: 9 }
base-url: http://127.0.0.1:1
headers: { ACCEPT: a/b, X: y }
variables: { id: one, other: two }
slo: p99<1s
steps: [ "/\${id}/\${other}" ]
`,
  )
  const { plan, wishes } = await folder.run(
    ...['plan.yaml', '--rate', '5/s', '--base-url', 'http://127.0.0.1:2/p/', '--var', 'id=a/b'],
    ...['-H', 'accept: c/d', '--slo', 'errors<1%,p50<2s', '--abort-on-slo', '--threads', '2'],
  )
  assert.equal(plan.load.model, 'open')
  assert.equal(plan.load.durationNs, 60e9)
  assert.equal(plan.load.totalCount, 9)
  assert.equal(
    renderText(plan.script!.scenarios[0]!.steps[0]!.url, []),
    'http://127.0.0.1:2/p/a%2Fb/two',
  )
  assert.deepEqual(
    plan.thresholds?.map(({ text }) => text),
    ['errors<1%', 'p50<2s'],
  )
  assert.equal(wishes.abortOnSlo, true)
  assert.equal(plan.threadCount, 2)
  const values = plan.request.head.flatMap((field) => (field.kind === 'fixed' ? [field.value] : []))
  assert.deepEqual(values.slice(1), ['c/d', 'y'])
})

test('a header with a variable is sent where the variable has a value', async () => {
  folder.write(
    'plan.yaml',
    `base-url: http://127.0.0.1:1
headers: { Authorization: "Bearer \${token}", X: fixed }
steps:
  - { post: /login, body: x, extract: { token: /t } }
  - /a
  - { get: /b, headers: { authorization: none } }
`,
  )
  const { script, request } = (await folder.run('plan.yaml')).plan
  const named = script!.scenarios[0]!.steps.map((step) =>
    step.headers.map(({ name, value }) => `${name}: ${renderText(value, ['T'])}`),
  )
  assert.deepEqual(named, [
    ['Content-Type: text/plain; charset=utf-8'],
    ['Authorization: Bearer T'],
    ['authorization: none'],
  ])
  assert.ok(request.head.some((field) => field.kind === 'fixed' && field.value === 'fixed'))
})

test('paths in a plan are those of files beside it', async () => {
  mkdirSync(join(folder.path, 'sub'))
  folder.write('sub/rows.jsonl', '{"id": 1}\n')
  folder.write('sub/body.bin', 'bytes')
  folder.write(
    'sub/plan.yaml',
    `feeders: { ids: rows.jsonl }
steps: [ { put: "http://127.0.0.1/\${id}", body-file: body.bin } ]
`,
  )
  const { script } = (await folder.run('sub/plan.yaml')).plan
  assert.deepEqual(script!.feeders[0]!.rows, [['1']])
  assert.equal(Buffer.from(script!.scenarios[0]!.steps[0]!.body as Uint8Array).toString(), 'bytes')
})

test('merged parts and x- keys make plans shorter', async () => {
  folder.write(
    'plan.yaml',
    `x-step: &step { check: { status: 204 } }
steps:
  - { <<: *step, get: http://127.0.0.1/a }
  - { <<: *step, get: http://127.0.0.1/b }
`,
  )
  const { script } = (await folder.run('plan.yaml')).plan
  assert.deepEqual(
    script!.checks.map(({ nameIndex }) => nameIndex),
    [0, 1],
  )
})

test('a module gives its plan by default or by name, and only plain data', async () => {
  folder.write('plan.mjs', "export default { load: { users: 3 }, urls: ['http://127.0.0.1/'] }")
  assert.equal((await folder.run('plan.mjs')).plan.load.userCount, 3)
  folder.write('named.mjs', "export const plan = { steps: ['http://127.0.0.1/'] }")
  assert.equal((await folder.run('named.mjs')).plan.script!.scenarios.length, 1)
  const wrong: readonly [string, string, RegExp][] = [
    [
      'none.mjs',
      'export const x = 1',
      /^none.mjs: there is no plan in this file; write: export default/,
    ],
    [
      'throws.mjs',
      "throw new Error('no')",
      /^throws.mjs:1:7: the plan cannot be loaded: Error: no$/,
    ],
    ['broken.mjs', 'export default {', /^broken.mjs: the plan cannot be loaded: SyntaxError/],
    ['call.mjs', 'export default { title: () => 1 }', /^call.mjs: title: this is a function/],
    ['date.mjs', 'export default { x: [new Date(0)] }', /^date.mjs: x\[0\]: this is a Date/],
    [
      'self.mjs',
      'const a = {}; a.x = a; export default a',
      /^self.mjs: x: this is a part of itself/,
    ],
    [
      'key.mjs',
      'export default { steps: [{ gett: 1 }] }',
      /^key.mjs: steps\[0\].gett: there is no gett here; did you mean get/,
    ],
  ]
  for (const [name, text, expected] of wrong) {
    folder.write(name, text)
    assert.match((await folder.problems(name)).join('\n'), expected)
  }
})

test('a module that never comes to its end is said to do so', async () => {
  folder.write('waits.mjs', 'await new Promise(() => {})\nexport default {}')
  const { status, stderr } = await runCli('onager', ['run', join(folder.path, 'waits.mjs')])
  assert.equal(status, 2)
  assert.match(stderr, /waits.mjs: the plan cannot be loaded: Error: it waits for something that/)
})

test('a TypeScript plan runs where Node.js runs TypeScript, and says so elsewhere', async () => {
  folder.write(
    'plan.ts',
    "const users: number = 4\nexport default { load: { users }, urls: ['http://127.0.0.1/'] }",
  )
  const runsTypes = 'typescript' in process.features && Boolean(process.features.typescript)
  if (runsTypes) assert.equal((await folder.run('plan.ts')).plan.load.userCount, 4)
  else
    assert.match(
      (await folder.problems('plan.ts'))[0] ?? '',
      /^plan\.ts: Node\.js .* does not run TypeScript/,
    )
})

test('wrong options and operands are told together', async () => {
  assert.deepEqual(await folder.problems('--rte', '5', '--duration', '5', URL), [
    'unknown option --rte; did you mean --rate?',
    '--duration must be a time with its unit, such as 30s, 5m, 1h30m or 250ms, not "5"',
  ])
  assert.match((await folder.problems(URL, 'POST', 'a=1'))[0] ?? '', /^POST is a method, not a URL/)
  assert.match((await folder.problems('a.yaml', URL))[0] ?? '', /beside the plan a\.yaml/)
  assert.match((await folder.problems('a.yaml', 'b.json'))[0] ?? '', /^one plan at a time/)
  assert.match((await folder.problems('a.yaml', '--body', 'x'))[0] ?? '', /^--body is for URLs/)
  assert.match((await folder.problems('-f', 'x', URL))[0] ?? '', /^--file gives the URLs/)
  assert.match((await folder.problems('--slo', 'p99<5', URL))[0] ?? '', /^--slo must be conditions/)
  assert.deepEqual(await folder.problems(), [
    'there is nothing to request: give a URL, or a plan with steps, scenarios or urls',
  ])
})

test('an output named - is refused, as standard output carries the report', async () => {
  const problems = await folder.problems('http://h/', '--out', '-', '--html=-')
  assert.deepEqual(problems, [
    '--out -: standard output carries the report; give the name of a file',
    '--html -: standard output carries the report; give the name of a file',
  ])
})

test('outputs that cannot be written are found before the run', async () => {
  assert.deepEqual(await folder.problems('--out', 'none/r.json', '--html', '.', URL), [
    'none/r.json cannot be written: there is no such file or folder',
    '. cannot be written: it is a folder',
  ])
  assert.match(
    (await folder.problems('--out', 'r', '--html', 'r', URL))[0] ?? '',
    /would both write r/,
  )
  const { wishes } = await folder.run('--out', 'r.json', '--prometheus', '9464', '-q', URL)
  assert.equal(wishes.out, join(folder.path, 'r.json'))
  assert.deepEqual(wishes.prometheus, { host: '127.0.0.1', port: 9464 })
  assert.equal(wishes.quiet, true)
})

test('--print-plan leaves out what is secret', async () => {
  folder.write(
    'plan.yaml',
    `headers: { authorization: Bearer abc1, Cookie: sid=abc2 }
variables: { api-key: abc3, tenant: acme }
base-url: http://ann:abc4@127.0.0.1
steps:
  - post: /login?token=abc5
    form: { user: ann, password: abc6 }
    extract: { token: { cookie: token } }
  - { post: /x, json: { deep: [ { client_secret: abc7 } ], token: "\${token}" } }
  - { post: /y, body: 'a=1&password=abc8' }
  - { post: /z, body: '{"password": "abc9"}' }
`,
  )
  const printed = await folder.text('plan.yaml', '--print-plan')
  assert.doesNotMatch(printed, /abc\d/)
  for (const kept of ['acme', 'cookie: token', '${token}', 'http://ann:*****@127.0.0.1', 'a=1']) {
    assert.ok(printed.includes(kept), kept)
  }
})

test('--help and --print-schema are texts', async () => {
  assert.match(await folder.text('--help'), /onager run --rate 500\/s/)
  assert.equal(JSON.parse(await folder.text('--print-schema')).type, 'object')
})

const scalars = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const names = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
const durations = fc.constantFrom('5s', '1m30s', '250ms', '1h')
const optional: { requiredKeys: []; noNullPrototype: true } = {
  requiredKeys: [],
  noNullPrototype: true,
}
const plain = (text: fc.Arbitrary<string>) => text.map((value) => value.replaceAll('${', '$'))
const text = plain(fc.string({ minLength: 1 }))
const step = fc
  .record(
    {
      name: text,
      group: text,
      json: fc
        .jsonValue({ maxDepth: 2 })
        .map((value) => JSON.parse(JSON.stringify(value).replaceAll('${', '$'))),
      headers: fc.dictionary(names, fc.integer(), { noNullPrototype: true }),
      check: fc.record(
        { status: fc.constantFrom(200, '2xx', ['2xx', 404]), 'body-contains': text },
        optional,
      ),
      extract: fc.dictionary(names, fc.constantFrom('/a', { regex: 'x', default: '' }), {
        noNullPrototype: true,
      }),
      think: fc.constantFrom('1s', '1s..2s', 'lognormal 2s 0.5'),
      'on-error': fc.constantFrom('stop', 'continue'),
    },
    optional,
  )
  .map((parts) => ({ post: '/a', ...parts }))
const drafts = fc
  .record(
    {
      title: fc.string({ minLength: 1 }),
      load: fc.oneof(
        fc.record(
          {
            users: fc.integer({ min: 1, max: 99 }),
            duration: durations,
            count: fc.integer({ min: 1, max: 9 }),
          },
          optional,
        ),
        fc.record(
          {
            rate: fc.constantFrom('5/s', '90/m'),
            duration: durations,
            arrivals: fc.constantFrom('even', 'poisson'),
          },
          { requiredKeys: ['rate'], noNullPrototype: true },
        ),
        fc.record(
          {
            stages: fc.constant([{ duration: '5s', users: 4 }, { duration: '1m' }]),
            drain: durations,
          },
          optional,
        ),
      ),
      headers: fc.dictionary(names, fc.integer(), { noNullPrototype: true }),
      timeout: durations,
      cookies: fc.boolean(),
      resources: fc.constantFrom(true, false, { parallel: 3 }),
      threads: fc.integer({ min: 1, max: 8 }),
      seed: fc.nat(),
      variables: fc.dictionary(
        names.map((name) => `v-${name}`),
        scalars,
        { noNullPrototype: true },
      ),
      slo: fc.constantFrom('p99<1s', ['errors<1%', 'p50<5ms']),
    },
    optional,
  )
  .chain((rest) =>
    fc.oneof(
      fc
        .array(fc.oneof(fc.constantFrom('/', '/b', 'DELETE /c', 'PURGE /d'), step), {
          minLength: 1,
          maxLength: 3,
        })
        .map((steps) => ({ ...rest, steps })),
      fc
        .constantFrom<unknown>(['/a'], ['/a', '/b POST x=1'], [{ put: '/a', form: { a: [1, 2] } }])
        .map((urls) => ({ ...rest, urls })),
    ),
  )
  .map((rest) => ({ 'base-url': 'http://127.0.0.1:8080', ...rest }))

test('any plan is printed so that reading it prints the same', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, async (draft) => {
      folder.write('plan.yaml', stringify(draft))
      const printed = await folder.text('plan.yaml', '--print-plan')
      folder.write('printed.yaml', printed)
      assert.equal(await folder.text('printed.yaml', '--print-plan'), printed)
    }),
    { numRuns: 60 },
  )
})
