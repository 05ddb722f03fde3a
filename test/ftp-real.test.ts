/** The built siege against a real FTP server, Debian's vsftpd: our counts against its log. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DaemonPlace, isRoot, startDaemon } from './support/daemon.ts'
import { requirePart } from './support/real-parts.ts'
import { siege } from './support/siege-run.ts'
import { timedTest } from './support/timing.ts'

const BIG_BYTES = 3_000_000

interface Vsftpd {
  readonly url: string
  readonly uploads: string
  /** How many lines of its log match. */
  readonly logged: (pattern: RegExp) => number
}

async function startVsftpd(t: TestContext): Promise<Vsftpd | undefined> {
  const path = requirePart(t, 'vsftpd')
  if (path === undefined) return undefined
  if (!isRoot) {
    t.skip('vsftpd is started as root only')
    return undefined
  }
  const { folder, port } = await startDaemon(t, {
    path,
    prepare: (place) => {
      makeFiles(place.folder)
      writeFileSync(join(place.folder, 'vsftpd.conf'), config(place))
      return [join(place.folder, 'vsftpd.conf')]
    },
  })
  return {
    url: `ftp://127.0.0.1:${port}`,
    uploads: join(folder, 'root/up'),
    logged: (pattern) =>
      readFileSync(join(folder, 'log'), 'latin1')
        .split('\n')
        .filter((line) => pattern.test(line)).length,
  }
}

function makeFiles(folder: string): void {
  for (const name of ['root/pub', 'root/up', 'empty']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  writeFileSync(join(folder, 'root/pub/f.txt'), 'hello')
  writeFileSync(join(folder, 'root/pub/big'), Buffer.alloc(BIG_BYTES, 7))
  chmodSync(join(folder, 'root/up'), 0o777)
}

function config({ folder, port }: DaemonPlace): string {
  return `listen=YES
listen_address=127.0.0.1
listen_port=${port}
background=NO
anonymous_enable=YES
local_enable=NO
anon_root=${folder}/root
anon_upload_enable=YES
anon_other_write_enable=YES
anon_umask=022
write_enable=YES
secure_chroot_dir=${folder}/empty
xferlog_enable=YES
vsftpd_log_file=${folder}/log
log_ftp_protocol=YES
seccomp_sandbox=NO
max_clients=8
`
}

test('siege downloads from vsftpd as often as its log says', async (t) => {
  const server = await startVsftpd(t)
  if (server === undefined) return
  const list = [`${server.url}/pub/f.txt`, `${server.url}/pub/big`, `${server.url}/none`]
  const run = await siege(['-c4', '-r6', '--threads', '2', '-j'], { list })
  assert.equal(run.status, 0, run.stderr)
  assert.equal(server.logged(/OK DOWNLOAD/), 16)
  assert.equal(server.logged(/OK DOWNLOAD.* 3000000 bytes/), 8)
  assert.equal(server.logged(/FAIL DOWNLOAD/), 8)
  assert.equal(server.logged(/OK LOGIN/), 24)
  const json = JSON.parse(run.stdout) as Record<string, number>
  assert.equal(json.transactions, 16)
  assert.equal(json.failed_transactions, 8)
  assert.ok(Math.abs(json.data_transferred! - (8 * (BIG_BYTES + 5)) / 2 ** 20) < 0.01)
})

test('siege uploads to vsftpd, asks for sizes and deletes', async (t) => {
  const server = await startVsftpd(t)
  if (server === undefined) return
  const body = 'y'.repeat(400_000)
  const upload = await siege(['-c3', '-r2', '--threads', '3'], {
    list: [`${server.url}/up/a.bin PUT ${body}`],
  })
  assert.equal(upload.successful, 6, upload.stderr)
  const names = ['a-0-1', 'a-0-2', 'a-1-1', 'a-1-2', 'a-2-1', 'a-2-2'].map((name) => `${name}.bin`)
  assert.deepEqual(readdirSync(server.uploads).sort(), names)
  for (const name of names) assert.equal(statSync(join(server.uploads, name)).size, body.length)
  assert.equal(server.logged(/OK UPLOAD/), 6)
  const first = `${server.url}/up/a-0-1.bin`
  const rest = await siege(['-r3'], { list: [`${first} HEAD`, `${first} DELETE`, `${first} HEAD`] })
  assert.deepEqual(rest.lines, [
    '213 HEAD /up/a-0-1.bin',
    `250 DELETE ${first}`,
    '550 HEAD /up/a-0-1.bin',
  ])
  assert.deepEqual([rest.successful, rest.failed], [2, 1])
  assert.equal(readdirSync(server.uploads).length, 5)
})

timedTest('siege counts the users that vsftpd has no room for, and ends at its time', async (t) => {
  const server = await startVsftpd(t)
  if (server === undefined) return
  const run = await siege(['-c20', '-t4s', `${server.url}/pub/big`], { rc: ['reps = 1000000'] })
  assert.ok(run.elapsedMs < 10_000, `${run.elapsedMs} ms`)
  assert.ok(run.lines.includes('421 GET /pub/big'), run.stderr)
  assert.ok(run.successful > 0)
  assert.equal(run.lines.filter((line) => line.startsWith('150')).length, run.successful)
  assert.equal(run.lines.length - run.successful, run.failed)
  assert.doesNotMatch(run.stderr, /do not add up/)
})

test('siege gives vsftpd a login it does not know, and counts the rejection', async (t) => {
  const server = await startVsftpd(t)
  if (server === undefined) return
  const run = await siege([`${server.url}/pub/f.txt`], { rc: ['ftp-login = joe:wrong'] })
  assert.deepEqual(run.lines, ['530 GET /pub/f.txt'])
  assert.match(run.stderr, /credentials missing or rejected/)
})
