/** Whole sieges on io_uring, against a real nginx, and where io_uring is forbidden. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blockOf, reportOf, siege } from '../cli/siege-run.ts'
import { makeCertificate } from '../support/certificate.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { type Nginx, startNginx } from '../support/nginx.ts'
import { requirePart } from '../support/real-parts.ts'
import { type RunOutcome, runProgram } from '../support/run-cli.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { timedTest } from '../support/timing.ts'

type Protocol = 'http' | 'https'

/** What the server has to answer is long enough for several buffers. */
const BODY_BYTES = 40_000

/** Undefined where the test is skipped. */
async function start(t: TestContext, protocol: Protocol): Promise<Nginx | undefined> {
  const obstacle = obstacleOf('uring')
  if (obstacle !== null) {
    assert.notEqual(process.env.CI, 'true', obstacle)
    t.skip(obstacle)
    return undefined
  }
  const path = requirePart(t, 'nginx')
  const openssl = requirePart(t, 'openssl')
  if (path === undefined || openssl === undefined) return undefined
  const server = 'location / { root html; }'
  const nginx = await startNginx(t, {
    path,
    server,
    ...(protocol === 'https' && { tls: makeCertificate(t, openssl) }),
  })
  writeFileSync(join(nginx.folder, 'html', 'file'), 'x'.repeat(BODY_BYTES))
  return nginx
}

for (const protocol of ['http', 'https'] as const) {
  for (const connection of ['keep-alive', 'close'] as const) {
    test(`siege on io_uring: 2 threads, ${protocol}, ${connection}: all is counted`, async (t) => {
      const nginx = await start(t, protocol)
      if (nginx === undefined) return
      const args = [
        '--reactor=uring',
        '--threads=2',
        '-j',
        '-b',
        '-c20',
        '-r50',
        `${nginx.url}/file`,
      ]
      const outcome = await siege(args, { rc: `connection = ${connection}\n` })
      assert.equal(outcome.status, 0)
      const report = reportOf(outcome)
      assert.equal(report.transactions, 1000)
      assert.equal(report.failed_transactions, 0)
      assert.equal(report.onager.body_bytes, 1000 * BODY_BYTES)
      assert.equal(report.onager.connections, connection === 'close' ? 1000 : 20)
      assertReactor(outcome, 'uring', null)
      const lines = await nginx.accessLogOf(1000)
      assert.equal(lines.length, 1000)
      assert.ok(lines.every(({ bodyBytes }) => bodyBytes === BODY_BYTES))
    })
  }

  timedTest(
    `siege on io_uring: 2 threads, ${protocol}: Ctrl-C ends it with its report`,
    async (t) => {
      const nginx = await start(t, protocol)
      if (nginx === undefined) return
      const args = ['--reactor=uring', '--threads=2', '-b', '-c20', '-t60S', `${nginx.url}/file`]
      const outcome = await siege(args, { signalWhen: /==>/, signal: 'SIGINT' })
      assert.equal(outcome.status, 0)
      assert.ok(outcome.elapsedMsAfterSignal! < 2000, `${outcome.elapsedMsAfterSignal} ms`)
      const figures = blockOf(outcome.stderr)
      assert.ok(figures.transactions > 0)
      assert.equal(figures.failed_transactions, 0)
    },
  )
}

test('siege takes io_uring by itself, and epoll where that is asked for or io_uring is forbidden', async (t) => {
  const nginx = await start(t, 'http')
  if (nginx === undefined) return
  const args = ['-j', '-b', '-c10', '-r20', `${nginx.url}/file`]
  assertReactor(await siege(args), 'uring', null)
  assertReactor(await siege(['--reactor=epoll', ...args]), 'epoll', null)
  const forbidden = await forbiddenSiege(t, args)
  assert.equal(forbidden.status, 0)
  assert.equal(reportOf(forbidden).transactions, 200)
  assertReactor(forbidden, 'epoll', 'io_uring is forbidden here, as in many containers (EPERM)')
})

test('siege --reactor uring says why it cannot be had where it is forbidden', async (t) => {
  const nginx = await start(t, 'http')
  if (nginx === undefined) return
  const outcome = await forbiddenSiege(t, ['--reactor=uring', '-c1', '-r1', `${nginx.url}/file`])
  assert.notEqual(outcome.status, 0)
  assert.match(outcome.stderr, /the uring reactor cannot be used: io_uring is forbidden here/)
  assert.match(outcome.stderr, /Leave --reactor out/)
  assert.equal(nginx.accessLog().length, 0)
})

function forbiddenSiege(t: TestContext, args: readonly string[]): Promise<RunOutcome> {
  const main = fileURLToPath(new URL('./uring-forbidden-main.js', import.meta.url))
  const program = join(projectRoot, 'bin', 'siege.js')
  return runProgram(process.execPath, [main, program, ...args], { home: tempFolder(t) })
}

function assertReactor(outcome: RunOutcome, name: string, reason: string | null): void {
  const { onager } = JSON.parse(outcome.stdout) as {
    readonly onager: { readonly generator: Readonly<Record<string, unknown>> }
  }
  assert.equal(onager.generator.reactor, name)
  assert.equal(onager.generator.reactor_reason, reason)
}
