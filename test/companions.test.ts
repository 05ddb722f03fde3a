/** siege.config, bombardment and siege2csv as a person meets them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPracticeSite } from '../src/practice/site.ts'
import { siegercTemplate } from '../src/siege/siegerc-template.ts'
import { projectRoot, tempFolder } from './support/files.ts'
import { freePort } from './support/ports.ts'
import { requirePart } from './support/real-parts.ts'
import { runCli, runProgram } from './support/run-cli.ts'
import type { Scope } from './support/scope.ts'
import { eventually, timedTest } from './support/timing.ts'

test('the companions teach with --help, on stdout, and exit 0', async () => {
  for (const program of ['siege.config', 'bombardment', 'siege2csv'] as const) {
    const { status, stdout, stderr } = await runCli(program, ['--help'])
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, new RegExp(`Usage: ${program.replace('.', '\\.')}`))
    assert.ok(stdout.split('\n').every((line) => line.length <= 90))
    const same = await runCli('onager', [program, '--help'])
    assert.equal(same.stdout, stdout)
  }
})

test('siege.config writes the template once, and never touches what is there', async (t) => {
  const home = tempFolder(t)
  const path = join(home, '.siege', 'siege.conf')
  const first = await runCli('siege.config', [], { home })
  assert.deepEqual([first.status, first.stderr], [0, ''])
  assert.match(first.stdout, /^New configuration template added to .*\/\.siege\n.*siege -C/)
  assert.equal(readFileSync(path, 'utf8'), siegercTemplate())
  assert.equal(statSync(join(home, '.siege')).mode & 0o777, 0o750)

  writeFileSync(path, 'concurrent = 7\n')
  const second = await runCli('siege.config', [], { home })
  assert.deepEqual([second.status, second.stderr], [0, ''])
  assert.match(second.stdout, /is there already and stays as it is: .*\/\.siege\/siege\.conf\n$/)
  assert.equal(readFileSync(path, 'utf8'), 'concurrent = 7\n')
})

test('siege.config says in one sentence why it cannot write, and exits 2', async (t) => {
  const home = tempFolder(t)
  writeFileSync(join(home, '.siege'), '')
  const { status, stdout, stderr } = await runCli('siege.config', [], { home })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^siege\.config: cannot write .*siege\.conf: .*\.siege is not a folder\n$/)
  const wrong = await runCli('siege.config', ['x', '-y'])
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /-y\n[\s\S]*"x"/)
})

/** A list of two pages of a practice site of its own. */
async function listOf(scope: Scope) {
  const site = await startPracticeSite({ port: 0 })
  scope.after(() => site.close())
  const cwd = tempFolder(scope)
  writeFileSync(
    join(cwd, 'urls.txt'),
    `# a list\n${site.url}/api/articles\n${site.url}/slow?ms=5\n`,
  )
  return { site, cwd }
}

/** Rows by heading. The fields of these tables hold neither quotes nor commas. */
function readTable(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at] ?? '', cell])))
}

test('bombardment lays a siege of the right size each time, and its figures are true', async (t) => {
  const { site, cwd } = await listOf(t)
  const args = ['urls.txt', '2', '3', '3', '0', '--csv', 'out.csv', '--', '-b']
  const { status, stdout, stderr } = await runCli('bombardment', args, { cwd })
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^Starting run number 1\nStarting run number 2\nStarting run number 3\n\n/)
  assert.match(stdout, /\nrun +users +trans .*\n +1 +2 +4 .*\n +2 +5 +10 .*\n +3 +8 +16 /)
  const rows = readTable(readFileSync(join(cwd, 'out.csv'), 'utf8'))
  assert.deepEqual(
    rows.map((row) => [row.Users, row.Transactions, row['Failed Transactions'], row['Ended By']]),
    [
      ['2', '4', '0', 'count'],
      ['5', '10', '0', 'count'],
      ['8', '16', '0', 'count'],
    ],
  )
  assert.equal(site.counts.requestCount, 4 + 10 + 16)
  for (const row of rows) assert.ok(Number(row['Longest Transaction (s)']) >= 0.005)
})

timedTest(
  'bombardment --time ends each run by the clock; the CSV has a name of its own',
  async (t) => {
    const { cwd } = await listOf(t)
    const args = ['--time', '0.3S', 'urls.txt', '1', '1', '2', '0']
    const { status, stdout } = await runCli('bombardment', args, { cwd })
    assert.equal(status, 0)
    const name = readdirSync(cwd).find((file) => file.endsWith('.csv')) ?? ''
    assert.match(name, /^siege\.\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}\.csv$/)
    assert.ok(stdout.endsWith(`All figures are in ${name}.\n`))
    for (const row of readTable(readFileSync(join(cwd, name), 'utf8'))) {
      assert.equal(row['Ended By'], 'time')
      assert.ok(Math.abs(Number(row['Elapsed Time (s)']) - 0.3) < 0.2)
    }
  },
)

timedTest(
  'bombardment ends at Ctrl-C with what was measured, and leaves no siege behind',
  async (t) => {
    const { site, cwd } = await listOf(t)
    const args = ['--time', '20S', '--csv', 'out.csv', 'urls.txt', '1', '1', '5', '0']
    const { status, stdout, elapsedMsAfterSignal } = await runCli('bombardment', args, {
      cwd,
      signalOnce: eventually(() => site.counts.requestCount > 20, 'the first run is under way'),
    })
    assert.equal(status, 0)
    assert.ok((elapsedMsAfterSignal ?? Infinity) < 3000, `${elapsedMsAfterSignal} ms`)
    assert.match(stdout, /^Starting run number 1\n\nrun [\s\S]*\n +1 +1 +\d+ /)
    const [row, ...others] = readTable(readFileSync(join(cwd, 'out.csv'), 'utf8'))
    assert.deepEqual([row?.['Ended By'], others.length], ['signal', 0])
    const before = site.counts.requestCount
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(site.counts.requestCount, before)
  },
)

test('bombardment hears Ctrl-C of a terminal, which all its processes would get, only once', async (t) => {
  const { cwd, site } = await listOf(t)
  const script = join(projectRoot, 'bin', 'bombardment.js')
  const args = ['--time', '20S', '--csv', 'out.csv', 'urls.txt', '1', '1', '2', '0']
  // Its own process group stands for that of a terminal.
  const child = spawn(process.execPath, [script, ...args], { cwd, detached: true })
  t.after(() => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await eventually(() => site.counts.requestCount >= 20, 'the first run is under way')
  process.kill(-(child.pid ?? 0), 'SIGINT')
  assert.deepEqual(await closed, [0, null])
  const [row] = readTable(readFileSync(join(cwd, 'out.csv'), 'utf8'))
  assert.equal(row?.['Ended By'], 'signal')
})

test('bombardment exits 1 when a run has no success, and tells an error only once', async (t) => {
  const cwd = tempFolder(t)
  writeFileSync(join(cwd, 'urls.txt'), `http://127.0.0.1:${await freePort()}/\n`)
  const args = ['--csv', 'out.csv', 'urls.txt', '1', '0', '2', '0']
  const { status, stderr } = await runCli('bombardment', args, { cwd })
  assert.equal(status, 1)
  assert.equal(stderr.match(/connection refused/g)?.length, 1)
  const rows = readTable(readFileSync(join(cwd, 'out.csv'), 'utf8'))
  assert.deepEqual(
    rows.map((row) => [row.Transactions, row['Response Time (s)']]),
    [
      ['0', ''],
      ['0', ''],
    ],
  )
})

test('bombardment names everything that is wrong at once, exit 2, and sends nothing', async (t) => {
  const { site, cwd } = await listOf(t)
  for (const [args, expected] of [
    [[], [/URLFILE, CLIENTS, INCREMENT, TRIALS are missing: bombardment URLFILE/]],
    [
      ['nope', '0', 'x', '1.5', '-q', 'y', '--tme', '3'],
      [
        /CLIENTS must be .* "0"/,
        /INCREMENT must be .*"x"/,
        /TRIALS must be .*"1\.5"/,
        /nope/,
        /-q/,
      ],
    ],
    [['urls.txt', '1', '1', '1', 'z'], [/DELAY must be seconds from 0 to 86400, not "z"/]],
    [
      ['urls.txt', '1', '1', '1', '-t', '5Q', '--reps', '0'],
      [/5Q/, /--reps must be/],
    ],
    [['urls.txt', '1', '1', '1', '-t', '5S', '--reps', '1'], [/give one of them/]],
    [['urls.txt', '999999', '5', '9'], [/last run would have 1000039 users/]],
    [
      ['urls.txt', '1', '1', '1', '--csv', '/no/such/x'],
      [/cannot write \/no\/such\/x/, /--csv/],
    ],
    [['urls.txt', '1', '1', '1', '--csv', 'x', '--', '--bogus'], [/unknown option --bogus/]],
  ] as const) {
    const { status, stderr } = await runCli('bombardment', args, { cwd })
    assert.equal(status, 2, args.join(' '))
    for (const pattern of expected) assert.match(stderr, pattern)
  }
  assert.equal(site.counts.requestCount, 0)
})

test('siege2csv writes FILE.csv, or all files into one, or to standard output', async (t) => {
  const cwd = tempFolder(t)
  const golden = (name: string) => readFileSync(join(projectRoot, 'test', 'golden', name), 'utf8')
  const json = golden('siege-mixed.json.txt')
  writeFileSync(join(cwd, 'text'), golden('siege-mixed.txt'))
  writeFileSync(join(cwd, 'json'), json + json)
  const each = await runCli('siege2csv', ['text', 'json'], { cwd })
  assert.deepEqual([each.status, each.stdout, each.stderr], [0, '', ''])
  const [fromText] = readTable(readFileSync(join(cwd, 'text.csv'), 'utf8'))
  const fromJson = readTable(readFileSync(join(cwd, 'json.csv'), 'utf8'))
  assert.equal(fromJson.length, 2)
  assert.deepEqual(fromJson[0], fromJson[1])
  // What both tell is the same, but for the digits that the text has not.
  const told = Object.entries(fromText ?? {}).filter(([, cell]) => cell !== '')
  assert.ok(told.length > 20)
  for (const [heading, cell] of told) {
    const precise = Number(fromJson[0]?.[heading])
    assert.ok(Math.abs(precise - Number(cell)) <= 0.005, `${heading}: ${cell} and ${precise}`)
  }
  const all = await runCli('siege2csv', ['-o', '-', 'text', 'json', '-'], { cwd, input: json })
  assert.equal(readTable(all.stdout).length, 4)
  const piped = await runCli('siege2csv', ['-'], { cwd, input: json })
  assert.deepEqual(readTable(piped.stdout), fromJson.slice(0, 1))
  await runCli('siege2csv', ['--output=all.csv', 'text', 'json'], { cwd })
  assert.equal(readTable(readFileSync(join(cwd, 'all.csv'), 'utf8')).length, 3)
})

test('siege2csv says in one sentence each what it cannot use, exits 2, writes nothing', async (t) => {
  const cwd = tempFolder(t)
  writeFileSync(join(cwd, 'good'), '{"transactions": 1}')
  writeFileSync(join(cwd, 'other'), 'hello\n')
  mkdirSync(join(cwd, 'folder'))
  const { status, stdout, stderr } = await runCli(
    'siege2csv',
    ['good', 'other', 'folder', 'nope', '--outptu=x'],
    { cwd },
  )
  assert.deepEqual([status, stdout], [2, ''])
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'siege2csv: unknown option --outptu; did you mean --output?',
    'siege2csv: there is no run of siege in other',
    'siege2csv: cannot read folder: it is a folder',
    'siege2csv: cannot read nope: there is no such file or folder',
  ])
  assert.deepEqual(readdirSync(cwd).sort(), ['folder', 'good', 'other'])
  assert.equal((await runCli('siege2csv', [])).status, 2)
})

test('siege2csv reads what real siege prints and logs', async (t) => {
  const siege = requirePart(t, 'siege')
  if (siege === undefined) return
  const { site, cwd } = await listOf(t)
  const rc = 'verbose = true\nlogging = true\nlogfile = siege.log\nprotocol = HTTP/1.1\n'
  writeFileSync(join(cwd, 'rc'), rc)
  const args = ['-R', 'rc', '-c3', '-r4', '-b', `${site.url}/api/articles`]
  const text = await runProgram(siege, args, { cwd })
  const json = await runProgram(siege, ['-j', ...args], { cwd })
  writeFileSync(join(cwd, 'all'), text.stdout + text.stderr + json.stdout)
  const { status } = await runCli('siege2csv', ['all', 'siege.log'], { cwd })
  assert.equal(status, 0)
  const rows = readTable(readFileSync(join(cwd, 'all.csv'), 'utf8'))
  assert.deepEqual(
    rows.map((row) => [row.Users, row.Transactions, row['Successful Transactions']]),
    [
      ['3', '12', '12'],
      ['', '12', '12'],
    ],
  )
  const log = readTable(readFileSync(join(cwd, 'siege.log.csv'), 'utf8'))
  assert.deepEqual(
    log.map((row) => row.Transactions),
    ['12', '12'],
  )
})
