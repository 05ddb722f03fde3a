/** The built program `onager record`: what it says, what it leaves behind, how it ends. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { answering, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { rawClient } from '../support/recording.ts'
import { runCli } from '../support/run-cli.ts'
import type { Scope } from '../support/scope.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

interface RunningRecorder {
  readonly port: number
  readonly greeting: string
  /** Interrupts it and tells how it ended. */
  stop(): Promise<{ status: number; stdout: string; stderr: string }>
}

async function startRecord(
  scope: Scope,
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningRecorder> {
  const script = join(projectRoot, 'bin', 'onager.js')
  const child = spawn(process.execPath, [script, 'record', '--port', '0', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
  })
  scope.after(() => child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('Ctrl-C')) resolve()
    })
    child.once('close', () => reject(new Error(`ended: ${stdout}${stderr}`)))
  })
  const greeting = stdout
  return {
    port: Number(/127\.0\.0\.1:(\d+) as the proxy/.exec(stdout)?.[1]),
    greeting,
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGINT')
      const [status] = await closed
      return { status: Number(status), stdout: stdout.slice(greeting.length), stderr }
    },
  }
}

test('onager record appends to its list, shows lines with -v, and sums up at Ctrl-C', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const home = tempFolder(t)
  writeFileSync(join(home, 'list'), 'http://before/')
  const recorder = await startRecord(t, home, ['-o', 'list', '-v', '--no-https', '--unique'])
  assert.match(recorder.greeting, /^Recording to list\.\nSet 127\.0\.0\.1:\d+ as the proxy/)
  assert.match(recorder.greeting, /HTTPS passes through unread/)
  const client = await rawClient(t, recorder.port)
  const requests = [
    `GET ${server.url}/a HTTP/1.1\r\n`,
    `GET ${server.url}/a HTTP/1.1\r\n`,
    'GET http://before/ HTTP/1.1\r\n',
    `PROPFIND ${server.url}/dav HTTP/1.1\r\n`,
    `POST ${server.url}/b HTTP/1.1\r\nContent-Length: 2\r\n`,
  ]
  for (const [index, head] of requests.entries()) {
    client.send(`${head}Host: x\r\n\r\n${head.startsWith('POST') ? '\n\n' : ''}`)
    await client.until(new RegExp(`(HTTP/1\\.1 (?:200|502)[\\s\\S]*){${index + 1}}\\n?$`))
  }
  await client.until(/(?:ok[\s\S]*){4}$/)
  const { status, stdout, stderr } = await recorder.stop()
  assert.deepEqual([status, stderr], [0, ''])
  const lines = [`${server.url}/a`, `${server.url}/b POST < list.bodies/0001.bin`]
  assert.equal(
    stdout,
    `${lines.join('\n')}\n2 requests recorded to list.\n` +
      '1 request had been there before (--unique).\n' +
      '1 request left out: siege has no way to send them.\n',
  )
  assert.equal(readFileSync(join(home, 'list'), 'utf8'), `http://before/\n${lines.join('\n')}\n`)
  assert.equal(readFileSync(join(home, 'list.bodies', '0001.bin'), 'utf8'), '\n\n')
  assert.deepEqual(readdirSync(home).sort(), ['list', 'list.bodies'], 'the home is left alone')
})

test('onager record makes its authority once, and verifies servers as Node does', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const certificate = makeCertificate(t, openssl)
  const server = await startRawServer(t, answering(OK), { tls: certificate })
  const home = tempFolder(t)
  const get = `GET https://localhost:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`
  const caFile = join(home, '.onager', 'ca.pem')
  for (const [args, env, expected, words] of [
    [[], {}, / 502 [\s\S]*could not be verified/, 'made just now'],
    [['--insecure'], {}, / 200 OK[\s\S]*ok$/, 'from the last time'],
    [[], { NODE_EXTRA_CA_CERTS: certificate.certFile }, / 200 OK[\s\S]*ok$/, 'from the last time'],
  ] as const) {
    const recorder = await startRecord(t, home, args, env)
    assert.ok(recorder.greeting.includes(`${caFile} (${words}`), recorder.greeting)
    const client = await rawClient(t, recorder.port)
    client.send(get)
    await client.until(expected)
    assert.equal((await recorder.stop()).status, 0)
  }
  assert.ok(existsSync(caFile))
  assert.equal(
    readFileSync(join(home, 'urls.txt'), 'utf8'),
    `https://localhost:${server.port}/\n`.repeat(2),
  )
})

test('onager record teaches with --help, and names all that is wrong at once', async (t) => {
  const help = await runCli('onager', ['record', '--help'])
  assert.deepEqual([help.status, help.stderr], [0, ''])
  assert.match(help.stdout, /^Records what a browser requests[\s\S]*--no-resources/)
  assert.ok(help.stdout.split('\n').every((line) => line.length <= 90))
  const args = ['--method', 'GET,FETCH', '--prot=1', '-p', 'x', '--host-only', 'http://h/', 'list']
  const wrong = await runCli('onager', ['record', ...args])
  assert.deepEqual([wrong.status, wrong.stdout], [2, ''])
  for (const pattern of [
    /--method must be a list of GET, .* not "GET,FETCH"/,
    /unknown option --prot; did you mean --port\?/,
    /-p must be a whole number from 0 to 65535, not "x"/,
    /--host-only must be a host, .* not "http:\/\/h\/"/,
    /no use for "list" here; the list is named with --output FILE/,
  ]) {
    assert.match(wrong.stderr, pattern)
  }
  const home = tempFolder(t)
  const stdout = await runCli('onager', ['record', '-o', '-', '--no-https'], { home })
  assert.deepEqual([stdout.status, stdout.stdout], [2, ''])
  assert.match(stdout.stderr, /--output -: the list cannot go to standard output/)
  const folder = await runCli('onager', ['record', '-o', home, '--no-https'], { home })
  assert.equal(folder.status, 3)
  assert.match(folder.stderr, /cannot write to .*: it is a folder\n {2}name another file/)
  const { port } = await startRawServer(t, answering(OK))
  const taken = await runCli('onager', ['record', '-p', String(port), '--no-https'], { home })
  assert.equal(taken.status, 3)
  assert.match(taken.stderr, /port \d+ of 127\.0\.0\.1 is taken\n {2}choose another port/)
})

test('onager record ends when its list cannot be written any more, and says so', async (t) => {
  const server = await startRawServer(t, answering(OK))
  if (!existsSync('/dev/full')) return t.skip('there is no /dev/full')
  const home = tempFolder(t)
  const script = join(projectRoot, 'bin', 'onager.js')
  const args = [script, 'record', '-p', '0', '--no-https', '-o', '/dev/full']
  const child = spawn(process.execPath, args, { cwd: home, env: { HOME: home } })
  t.after(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const closed = once(child, 'close')
  const [greeting] = await once(child.stdout, 'data')
  const client = await rawClient(t, Number(/127\.0\.0\.1:(\d+) as/.exec(String(greeting))?.[1]))
  client.send(`GET ${server.url}/a HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [status] = await closed
  assert.equal(status, 3)
  assert.match(said, /cannot write to \/dev\/full: there is no space left on the device/)
})
