/** The built programs `onager` and `ab` as a person meets them, and what surrounds any program. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ONAGER_VERSION } from '../../src/base/version.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { freePort } from '../support/ports.ts'
import { answering, startRawServer } from '../support/raw-server.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { timedTest } from '../support/timing.ts'

test('onager --help teaches on stdout, --version is one line, both exit 0', async () => {
  const help = await runCli('onager', ['--help'])
  assert.equal(help.status, 0)
  assert.match(help.stdout, /onager serve/)
  assert.equal(help.stderr, '')
  const version = await runCli('onager', ['--version'])
  assert.deepEqual([version.stdout, version.status], [`onager ${ONAGER_VERSION}\n`, 0])
})

test('onager names what it does not know and the nearest word, and exits 2', async () => {
  for (const [args, message] of [
    [['sevre'], "onager: unknown command 'sevre'; did you mean serve?\n"],
    [['frobnicate'], "onager: unknown command 'frobnicate'; onager --help lists them\n"],
    [['--verson'], "onager: unknown option '--verson'; did you mean --version?\n"],
    [['serve', '--prot', '1'], /unknown option --prot; did you mean --port\?/],
    [['serve', '--port=x'], 'onager: --port must be a whole number from 0 to 65535, not "x"\n'],
    [['serve', '--port'], 'onager: -p (--port) needs a value: --port NUM\n'],
    [['serve', '8080'], 'onager: there is no use for "8080" here\n'],
    [['man', 'sige'], "onager: there is no page 'sige'; did you mean siege?\n"],
    [['man', 'siege', 'ab'], 'onager: there is no use for "ab" here\n'],
    [['completions'], 'onager: name a shell: onager completions bash, zsh or fish\n'],
    [['completions', 'bsh'], "onager: there are no completions for 'bsh'; did you mean bash?\n"],
    [[], /^onager: a command is missing\n\n/],
  ] as const) {
    const { status, stdout, stderr } = await runCli('onager', args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    if (typeof message === 'string') assert.equal(stderr, message)
    else assert.match(stderr, message)
  }
})

timedTest('onager serve prints its address, serves, and ends cleanly on INT and TERM', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { status, stdout, stderr, elapsedMsAfterSignal } = await runCli(
      'onager',
      ['serve', '--port', '0'],
      { signalWhen: /Ctrl-C/, signal },
    )
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Practice site at http:\/\/127\.0\.0\.1:\d+\/\n/)
    assert.ok(stdout.split('\n').length < 40, 'one screen')
    assert.ok((elapsedMsAfterSignal ?? Infinity) < 1000)
  }
})

test('onager serve says which port is taken and what to do, and exits 3', async (t) => {
  const { port } = await startRawServer(t, answering(''))
  const { status, stdout, stderr } = await runCli('onager', ['serve', '--port', String(port)])
  assert.deepEqual([status, stdout], [3, ''])
  assert.equal(
    stderr,
    `onager: port ${port} of 127.0.0.1 is taken\n` +
      '  choose another port with --port N, or a free one with --port 0\n',
  )
})

test('onager serve says when an address is none of this machine, and exits 3', async () => {
  const port = String(await freePort())
  const args = ['serve', '--host', '192.0.2.1', '--port', port]
  const { status, stderr } = await runCli('onager', args)
  assert.equal(status, 3)
  assert.match(stderr, /cannot listen on port \d+ of 192\.0\.2\.1: .*\n {2}choose an address/)
})

test('onager ab is the program ab', async () => {
  for (const run of [runCli('ab', ['-V']), runCli('onager', ['ab', '-V'])]) {
    const { status, stdout } = await run
    assert.equal(status, 0)
    assert.match(stdout, /^This is ApacheBench, Version 2\.3 <\$Revision\$>\nas onager /)
  }
})

test('a program that is not built says how to build, exit 3', async (t) => {
  const root = tempFolder(t)
  cpSync(join(projectRoot, 'bin'), join(root, 'bin'), { recursive: true })
  mkdirSync(join(root, 'dist'))
  for (const program of ['siege', 'ab', 'onager']) {
    const script = join(root, 'bin', `${program}.js`)
    const { status, stdout, stderr } = await runProgram(process.execPath, [script])
    assert.deepEqual([status, stdout], [3, ''])
    assert.equal(stderr, `${program} is not built yet: run "npm run build" in ${root}/\n`)
  }
})

test('runMain() shows a bug with its stack and how to report it, exit 70', async () => {
  const runMainUrl = new URL('../../src/cli/run-main.js', import.meta.url)
  for (const body of [
    'throw new Error("broken")',
    'setTimeout(() => { throw new Error("broken") })',
  ]) {
    const script = `import { runMain } from '${runMainUrl}'
      await runMain('siege', async () => { ${body}; await new Promise((r) => setTimeout(r, 9e4)) })`
    const args = ['--input-type=module', '-e', script]
    const { status, stdout, stderr } = await runProgram(process.execPath, args)
    assert.deepEqual([status, stdout], [70, ''])
    assert.match(stderr, /^Error: broken\n {4}at /)
    assert.match(stderr, /report it.*\nonager \d+\.\d+\.\d+, Node\.js v/)
  }
})

test('runMain() ends quietly when nobody reads stdout, and says when it is full', async () => {
  const script = join(projectRoot, 'bin', 'onager.js')
  // By the time it writes, `true` has long closed the pipe.
  const late = `{ sleep 0.3; '${process.execPath}' '${script}' --help; } | true`
  const piped = await runProgram('bash', ['-c', `${late}; echo "\${PIPESTATUS[0]}"`])
  assert.deepEqual([piped.stdout, piped.stderr], ['141\n', ''])
  const toFull = `'${process.execPath}' '${script}' --help >/dev/full`
  const full = await runProgram('bash', ['-c', toFull])
  assert.equal(full.status, 3)
  assert.match(full.stderr, /^onager: cannot write the output: .*ENOSPC.*\n$/)
})
