/** What is wrong with a plan is told in plain words, at its line and column, all at once. */
import assert from 'node:assert/strict'
import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PlanFolder } from './plan-run.ts'

let folder: PlanFolder

before(() => {
  folder = new PlanFolder()
})
after(() => folder.remove())

const STEPS = 'steps: [ http://127.0.0.1:8080/ ]\n'

/** The one thing that is wrong. */
async function problemOf(yaml: string | Uint8Array): Promise<string> {
  const problems = await folder.problemsOf(yaml)
  assert.equal(problems.length, 1, problems.join('\n'))
  return problems[0]!
}

test('a plan with many mistakes tells all of them with their places', async () => {
  const problems = await folder.problemsOf(`load: { users: 5o, duraton: 3s, rate: 500 }
timeout: 10
headers: [a]
scenaros: 1
steps:
  - { gett: /, check: { status: [200, 7] } }
  - 5
`)
  assert.deepEqual(problems.sort(), [
    'plan.yaml:1:16: users must be a whole number from 1 to 1000000, not "5o"',
    'plan.yaml:1:20: there is no duraton here; did you mean duration?',
    'plan.yaml:1:39: rate must be a number per second, minute or hour, such as 500/s, 90/m or 3600/h, not 500',
    'plan.yaml:2:10: timeout must be a time with its unit, such as 30s, 5m, 1h30m or 250ms, not 10',
    'plan.yaml:3:10: headers must be names with values, each on its own line, not a list',
    'plan.yaml:4:1: there is no scenaros here; did you mean scenarios?',
    'plan.yaml:6:39: status[1] must be a status such as 200, a class such as 2xx, or a range such as 200-299, not 7',
    'plan.yaml:6:7: there is no gett here; did you mean get?',
    'plan.yaml:7:5: steps[1] must be a URL or a step such as { get: /cart }, not 5',
  ])
})

test('a JSON plan has places too, indented with tabs or not', async () => {
  folder.write('plan.json', '{\n\t"load": {\n\t\t"users": 0\n\t},\n\t"steps": ["http://h/"]\n}\n')
  assert.deepEqual(await folder.problems('plan.json'), [
    'plan.json:3:12: users must be a whole number from 1 to 1000000, not 0',
  ])
})

const wrongPlans: readonly [string, string, RegExp][] = [
  ['nothing to request', 'title: x', /^plan.yaml:1:1: there is nothing to request/],
  ['no steps', 'scenarios: [{ name: a }]', /1:13: steps is missing; it must be a list of steps/],
  ['two forms', `${STEPS}urls: [a]`, /2:1: a plan has steps or urls, not both/],
  [
    'users and rate',
    `load: { users: 5, rate: 5/s }\n${STEPS}`,
    /1:9: users go on when they are done/,
  ],
  [
    'users in stages of a rate',
    `load: { rate: 5/s, stages: [{ duration: 1s, users: 5 }] }\n${STEPS}`,
    /1:45: users go on/,
  ],
  [
    'arrivals of users',
    `load: { users: 5, arrivals: even }\n${STEPS}`,
    /1:19: arrivals belong to a rate/,
  ],
  [
    'think at a rate',
    `load: { rate: 5/s }\nthink: 1s\n${STEPS}`,
    /2:1: at a rate iterations begin by the clock/,
  ],
  [
    'a warm-up of all',
    `load: { duration: 5s, warm-up: 5s }\n${STEPS}`,
    /1:32: the warm-up is as long as the run/,
  ],
  [
    'no time at all',
    `load: { duration: 0s }\n${STEPS}`,
    /1:19: the run would be over before it begins/,
  ],
  [
    'a path without a base',
    'steps: [ /x ]',
    /1:10: \/x is no whole URL, and the plan has no base-url/,
  ],
  ['a bad URL', 'steps: [ "http://h:99999/" ]', /1:10: .*port/],
  ['ftp', 'steps: [ "ftp://h/" ]', /1:10: plans speak http and https/],
  [
    'two URLs',
    'steps: [ { get: http://h/, post: http://h/ } ]',
    /1:10: a request has one URL, not get and post/,
  ],
  ['no URL', 'steps: [ { name: x } ]', /1:10: what to request is missing/],
  [
    'two bodies',
    'steps: [ { post: http://h/, body: a, json: 1 } ]',
    /1:10: a request has one body, not json and body/,
  ],
  [
    'an unknown variable',
    'steps:\n  - get: http://h/${usr}\nvariables: { user: x }',
    /2:19: there is no variable usr; did you mean user\?/,
  ],
  [
    'a variable in quotes',
    "steps:\n  - get: 'http://h/${usr}'\nvariables: { user: x }",
    /2:20: there is no variable usr/,
  ],
  [
    'a variable in a base',
    'base-url: http://${hst}\nsteps: [ /x ]',
    /1:18: there is no variable hst/,
  ],
  [
    'a variable in JSON',
    'steps:\n  - post: http://h/\n    json: { a: ["${x}"] }',
    /3:17: there is no variable x/,
  ],
  [
    'a variable too early',
    'steps:\n  - get: http://h/${id}\n    extract: { id: /id }',
    /2:19: id has no value yet here/,
  ],
  [
    'a broken placeholder',
    'steps: [ "http://h/${1+1}" ]',
    /1:20: after "\$\{" comes the name of a variable/,
  ],
  [
    'a variable that nothing gives',
    `headers: { X: "\${nope}" }\n${STEPS}`,
    /1:15: there is no variable nope/,
  ],
  [
    'an extraction of a constant',
    'variables: { id: 1 }\nsteps: [ { get: http://h/, extract: { id: /id } } ]',
    /2:39: id has a fixed value under variables/,
  ],
  [
    'no source',
    'steps: [ { get: http://h/, extract: { id: {} } } ]',
    /1:43: say from where id comes/,
  ],
  [
    'two sources',
    'steps: [ { get: http://h/, extract: { id: { json: /a, header: b } } } ]',
    /1:43: say from one place, not from json and header/,
  ],
  [
    'a bad pointer',
    'steps: [ { get: http://h/, extract: { id: /a~2 } } ]',
    /1:43: "\/a~2" is no JSON pointer/,
  ],
  [
    'a bad pattern',
    'steps: [ { get: http://h/, check: { body-matches: "(" } } ]',
    /1:51: this is no regular expression/,
  ],
  [
    'bad flags',
    'steps: [ { get: http://h/, check: { body-matches: { regex: a, flags: q } } } ]',
    /this is no regular expression: .*flags/,
  ],
  [
    'a bad field',
    'steps: [ { get: http://h/, headers: { "a b": c } } ]',
    /1:39: "a b" is no name of a header field/,
  ],
  [
    'a field of ours',
    `headers: { Content-Length: 5 }\n${STEPS}`,
    /1:12: Content-Length follows from the body/,
  ],
  [
    'an unknown feeder',
    'scenarios: [ { steps: [ http://h/ ], feeders: [acounts] } ]\nfeeders: { accounts: { rows: [ { a: 1 } ] } }',
    /1:48: there is no feeder acounts; did you mean accounts\?/,
  ],
  ['an empty feeder', `feeders: { a: { rows: [] } }\n${STEPS}`, /1:23: there is no row of values/],
  [
    'a missing value',
    `feeders: { a: { rows: [ { x: 1 }, { y: 1 } ] } }\n${STEPS}`,
    /1:35: x is missing in this row/,
  ],
  [
    'a strange feeder',
    `feeders: { a: x.txt }\n${STEPS}`,
    /1:15: .*x\.txt is no feeder by its name/,
  ],
  [
    'a feeder that is not there',
    `feeders: { a: x.csv }\n${STEPS}`,
    /1:15: the feeder file .*x\.csv cannot be read: there is no such file/,
  ],
  [
    'a body that is not there',
    'steps: [ { post: http://h/, body-file: b.bin } ]',
    /1:40: the body file .*b\.bin cannot be read/,
  ],
  [
    'feeders of urls',
    'urls: [ http://h/ ]\nfeeders: { a: { rows: [ { x: 1 } ] } }',
    /2:1: feeders belong to steps or scenarios/,
  ],
  [
    'two scenarios alike',
    'scenarios: [ { name: a, steps: [ http://h/ ] }, { name: a, steps: [ http://h/ ] } ]',
    /1:57: there are two scenarios a/,
  ],
  ['a wrong condition', `slo: [ p99<200ms, p99<200 ]\n${STEPS}`, /1:23: a unit is missing/],
  [
    'a condition on nothing',
    `slo: [ "login:p99<200ms" ]\n${STEPS}`,
    /1:8: .*no request is called 'login'/,
  ],
  ['a key without a cert', `key: k.pem\n${STEPS}`, /a key belongs to a cert/],
]

for (const [what, yaml, expected] of wrongPlans) {
  test(`a plan with ${what} is refused at its place`, async () => {
    assert.match((await folder.problemsOf(yaml)).join('\n'), expected)
  })
}

test('a feeder file with a row too short is told by its own line', async () => {
  folder.write('short.csv', 'user,password\nann,x\nbob\n')
  const problem = await problemOf(`feeders: { a: short.csv }\n${STEPS}`)
  assert.match(problem, /short\.csv:3: there is 1 value for 2 columns; password is missing$/)
})

test('a column of two feeders asks which one is meant', async () => {
  const problem = await problemOf(
    'feeders: { a: { rows: [ { id: 1 } ] }, b: { rows: [ { id: 2 } ] } }\nsteps: [ "http://h/${id}" ]',
  )
  assert.match(problem, /2:20: id is a column of a and b: name the one to use/)
})

test('a plan that expands without end, or is a part of itself, is refused', async () => {
  const names = 'abcdefghij'
  const lines = [...names].map((name, index) => {
    const entry = index === 0 ? 'x' : `*${names[index - 1]}`
    return `x-${name}: &${name} [${Array(9).fill(entry).join(',')}]`
  })
  assert.match(await problemOf(lines.join('\n')), /more than 100000 values/)
  assert.equal(
    await problemOf('x-a: &a [*a]'),
    'plan.yaml:1:10: this refers to something that it is a part of',
  )
})

test('a plan of a million entries, or nested without end, is refused soon', async () => {
  const before = process.cpuUsage()
  assert.match(await problemOf(`urls: [${'x,'.repeat(1_000_000)}]`), /more than 100000 values/)
  assert.match(await problemOf(`urls: ${'['.repeat(50_000)}`), /nested more than 64 deep/)
  assert.match(await problemOf(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`), /more than 64 deep/)
  assert.match(await problemOf(`title: ${'x'.repeat(5_000_000)}`), /at most 4 MiB are read/)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 10e6, `${user + system} us`)
})

test('a file that is no YAML, no text or no file is refused', async () => {
  assert.match(await problemOf('a: [1'), /^plan.yaml:1:6: this is not valid YAML: /)
  assert.equal(await problemOf('title: a\ntitle: b'), 'plan.yaml:2:1: this name is there twice')
  assert.equal(
    await problemOf('load:\n\tusers: 5'),
    'plan.yaml:2:1: indent with blanks, not with tabs',
  )
  assert.equal(
    await problemOf('title: a\n---\ntitle: b'),
    'plan.yaml:2:1: a second document begins here; a file holds one plan',
  )
  assert.match(await problemOf('load: { users: .nan }'), /users must be .*, not NaN$/m)
  assert.match(await problemOf('steps: []'), /at least one step, not an empty list$/m)
  assert.equal(await problemOf(''), 'plan.yaml: there is no plan in this file')
  assert.match(await problemOf('- a'), /a plan must be settings with names/)
  assert.equal(
    await problemOf(Uint8Array.of(0x61, 0xff)),
    'plan.yaml: the file is not text in UTF-8',
  )
  assert.match(await problemOf(Uint8Array.of(0xff, 0xfe, 0x61, 0)), /UTF-16/)
  assert.deepEqual(await folder.problems('none.yaml'), [
    'none.yaml: the plan cannot be read: there is no such file or folder',
  ])
  mkdirSync(join(folder.path, 'folder.yaml'))
  assert.deepEqual(await folder.problems('folder.yaml'), [
    'folder.yaml: the plan cannot be read: it is a folder',
  ])
})

test('a value that is missing in JSON is told with its place, before what its key is', async () => {
  const places = [
    ['{"a":}', '1:6: a value is missing here, that of "a"'],
    [
      '{\n  "steps": ["http://h/"],\n  "title":,\n  "threads": 1\n}',
      '3:11: a value is missing here, that of "title"',
    ],
    ['{"load": {"users": }}', '1:20: a value is missing here, that of "users"'],
    ['{"steps"}', '1:9: a value is missing here, that of "steps"'],
  ] as const
  for (const [json, expected] of places) {
    folder.write('plan.json', json)
    assert.deepEqual(await folder.problems('plan.json'), [`plan.json:${expected}`], json)
  }
  folder.write('plan.json', '{"a": null}')
  assert.match((await folder.problems('plan.json')).join(), /there is no a here/)
})

test('a feeder of 200 MB is refused without being read', async () => {
  folder.write('huge.csv', 'a\n')
  truncateSync(join(folder.path, 'huge.csv'), 200_000_000)
  const problem = await problemOf(`feeders: { a: huge.csv }\n${STEPS}`)
  assert.match(problem, /huge\.csv cannot be read: it has 191 MiB, and at most 64 MiB are read$/)
})

test('a list of URLs tells its own mistakes by line', async () => {
  folder.write('urls.txt', 'http://h/a\nhttp://h:x/\n')
  const problem = await problemOf('urls: urls.txt')
  assert.match(problem, /urls\.txt:2:\d+: /)
})
