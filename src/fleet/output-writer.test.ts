/**
 * The writer against sinks that the test holds back, and as a program whose reader is slow, stands
 * still or leaves. What must hold: nothing lost silently, and an end that nothing can hold up.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { timedTest } from '../../test/support/timing.ts'
import { type ByteSink, fileSink, OutputWriter, streamSink } from './output-writer.ts'

interface HeldWrite {
  readonly text: string
  readonly done: (error: Error | null) => void
}

/** A sink that holds every write until the test lets it go. */
function heldSink(): { sink: ByteSink; writes: HeldWrite[] } {
  const writes: HeldWrite[] = []
  const sink: ByteSink = {
    write: (bytes, done) => writes.push({ text: Buffer.from(bytes).toString(), done }),
  }
  return { sink, writes }
}

function writerOn(sink: ByteSink, whenFull: 'wait' | 'drop', waitingBytesMax = 10) {
  const told: string[] = []
  const writer = new OutputWriter(sink, {
    whenFull,
    waitingBytesMax,
    onDrain: () => told.push('drain'),
    onFailure: (text) => told.push(text),
  })
  return { writer, told }
}

const lines = (text: string) => Buffer.from(text)
const withCode = (code: string) => Object.assign(new Error(`${code}: what happened`), { code })

test('OutputWriter writes one chunk at a time, in order, small ones joined', () => {
  const { sink, writes } = heldSink()
  const { writer } = writerOn(sink, 'wait')
  writer.write(lines('a\n'), 1)
  writer.write(lines('b\n'), 1)
  writer.write(lines('c\nd\n'), 2)
  assert.deepEqual(
    writes.map((write) => write.text),
    ['a\n'],
  )
  writes[0]!.done(null)
  assert.deepEqual(
    writes.map((write) => write.text),
    ['a\n', 'b\nc\nd\n'],
  )
  assert.equal(writer.writtenLineCount, 1)
  writes[1]!.done(null)
  assert.equal(writer.writtenLineCount, 4)
  assert.equal(writer.droppedLineCount, 0)
})

test('OutputWriter is full at its bound and drains at half of it', () => {
  const { sink, writes } = heldSink()
  const { writer, told } = writerOn(sink, 'wait')
  writer.write(lines('12345678\n'), 1)
  assert.equal(writer.isFull, false)
  writer.write(lines('9\n'), 1)
  assert.equal(writer.isFull, true)
  assert.deepEqual(told, [])
  writes[0]!.done(null)
  assert.equal(writer.isFull, false)
  assert.deepEqual(told, ['drain'])
})

test('OutputWriter that may drop counts the lines and never asks to wait', () => {
  const { sink, writes } = heldSink()
  const { writer } = writerOn(sink, 'drop')
  writer.write(lines('123456789\n'), 1)
  writer.write(lines('a\nb\n'), 2)
  assert.equal(writer.isFull, false)
  assert.equal(writer.droppedLineCount, 2)
  writes[0]!.done(null)
  writer.write(lines('c\n'), 1)
  assert.equal(writes[1]!.text, 'c\n')
})

test('OutputWriter tells of a full disk once, lets the run go on and counts what is lost', () => {
  const { sink, writes } = heldSink()
  const { writer, told } = writerOn(sink, 'wait')
  writer.write(lines('123456789\n'), 1)
  writer.write(lines('a\nb\n'), 2)
  writes[0]!.done(withCode('ENOSPC'))
  assert.match(told[0]!, /no space left on the device; the run goes on without them$/)
  assert.equal(told[1], 'drain')
  writer.write(lines('c\n'), 1)
  assert.equal(writes.length, 1)
  assert.equal(writer.isFull, false)
  assert.equal(writer.droppedLineCount, 4)
})

test('OutputWriter takes a reader that left for no news', () => {
  const { sink, writes } = heldSink()
  const { writer, told } = writerOn(sink, 'wait')
  writer.write(lines('1\n'), 1)
  writes[0]!.done(withCode('EPIPE'))
  assert.deepEqual(told, [])
  assert.equal(writer.droppedLineCount, 1)
})

test('OutputWriter drained() settles when nothing waits', async () => {
  const { sink, writes } = heldSink()
  const { writer } = writerOn(sink, 'wait')
  await writer.drained()
  writer.write(lines('1\n'), 1)
  let isDrained = false
  const drained = writer.drained().then(() => {
    isDrained = true
  })
  await Promise.resolve()
  assert.equal(isDrained, false)
  writes[0]!.done(null)
  await drained
  assert.equal(isDrained, true)
})

test('OutputWriter abandon() gives up what waits and lets the write under way end', async () => {
  const { sink, writes } = heldSink()
  const { writer } = writerOn(sink, 'wait')
  writer.write(lines('1\n'), 1)
  writer.write(lines('2\n3\n'), 2)
  assert.equal(writer.abandon(), 2)
  const drained = writer.drained()
  writes[0]!.done(null)
  await drained
  assert.equal(writes.length, 1)
  assert.equal(writer.writtenLineCount, 1)
  assert.equal(writer.droppedLineCount, 2)
})

test('fileSink() writes the whole through partial writes, /dev/full is a failure', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'onager-')), 'out')
  const fd = fs.openSync(file, 'w')
  const { writer } = writerOn(fileSink(fd, 7), 'wait', 1e9)
  for (let i = 0; i < 1000; i++) writer.write(lines(`line ${i}\n`), 1)
  await writer.drained()
  fs.closeSync(fd)
  const text = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('')
  assert.equal(fs.readFileSync(file, 'utf8'), text)

  const full = fs.openSync('/dev/full', 'w')
  const broken = writerOn(fileSink(full, 7), 'wait')
  broken.writer.write(lines('x\n'), 1)
  await broken.writer.drained()
  fs.closeSync(full)
  assert.match(broken.told[0]!, /no space left/)
})

test('streamSink() reports the error of a write and never throws it', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(withCode('EPIPE')) })
  const { writer } = writerOn(streamSink(stream), 'wait')
  writer.write(lines('x\n'), 1)
  await writer.drained()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(writer.droppedLineCount, 1)
})

interface ChildEnd {
  readonly code: number
  /** What it wrote to stderr, and to fd 3 where the two are not the same. */
  readonly stderr: string
  /** From the signal, or the start if there was none, to the end of the process. */
  readonly exitMs: number
}

/**
 * Runs `write-lines.ts` in a shell that gives it a real pipe: Node's own are sockets. The
 * child says on fd 3 who it is and when it has filled the pipe, the shell says there how it ended.
 */
async function runChild(
  lineCount: number,
  reader: string,
  options: { interrupts?: boolean; sharesPipe?: boolean; onTerminal?: boolean } = {},
): Promise<ChildEnd> {
  const file = fileURLToPath(new URL('../../test/support/write-lines.js', import.meta.url))
  const redirection = options.sharesPipe === true ? '2>&1' : '2>&3'
  const program = `${process.execPath} ${file} ${lineCount} ${redirection}; echo "exit $?" >&3`
  const command = options.onTerminal === true ? `script -qc '${program}' /dev/null` : program
  const shell = spawn('sh', ['-c', `exec 3>&2; { ${command}; } | ${reader}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let stderr = ''
  let beganAtMs = performance.now()
  const killer = setTimeout(() => process.kill(-shell.pid!, 'SIGKILL'), 60_000)
  const ended = new Promise<number>((resolve, reject) => {
    shell.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString()
      const code = /exit (\d+)/.exec(stderr)
      if (code !== null) resolve(Number(code[1]))
    })
    shell.once('close', () => reject(new Error(`the child did not end: ${stderr}`)))
  })
  if (options.interrupts === true) {
    const pid = await waitFor(() => /full (\d+)/.exec(stderr)?.[1])
    await sleep(200)
    beganAtMs = performance.now()
    process.kill(Number(pid), 'SIGINT')
  }
  const code = await ended
  const exitMs = performance.now() - beganAtMs
  clearTimeout(killer)
  shell.removeAllListeners('close')
  if (options.interrupts === true) process.kill(-shell.pid!, 'SIGKILL')
  return { code, stderr, exitMs }
}

async function waitFor<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await sleep(5)
  }
}

timedTest('OutputWriter on a pipe nobody reads: the report and the end come at once', async () => {
  const { code, stderr, exitMs } = await runChild(1e9, 'sleep 60', { interrupts: true })
  assert.equal(code, 0)
  assert.match(stderr, /report: \d+ 0\n/)
  assert.ok(exitMs < 500, `${exitMs} ms`)
})

test('OutputWriter on a pipe that is read loses nothing', async () => {
  const counted = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'onager-')), 'counted')
  const { code, stderr } = await runChild(50_000, `wc -lc >'${counted}'`)
  assert.equal(code, 0)
  assert.match(stderr, /report: 50000 0\n/)
  await waitFor(() => fs.statSync(counted).size || undefined)
  assert.match(fs.readFileSync(counted, 'utf8'), /^ *50000 +5000000\n$/)
})

test('OutputWriter on a pipe whose reader left goes on in silence', async () => {
  const { code, stderr } = await runChild(50_000, 'head -1 >&3')
  assert.equal(code, 0)
  assert.match(stderr, /report: \d+ \d{4,}\n/)
  assert.doesNotMatch(stderr, /cannot write/)
})

timedTest('writeAllSync() gives up on a pipe that nobody reads, after its time', async () => {
  const { code, exitMs } = await runChild(1e9, 'sleep 60', { interrupts: true, sharesPipe: true })
  assert.equal(code, 3)
  assert.ok(exitMs > 190 && exitMs < 800, `${exitMs} ms`)
})

timedTest(
  'OutputWriter on a stopped terminal: lines are dropped, the end comes at once',
  async (t) => {
    if (spawnSync('script', ['--version']).status !== 0) return t.skip('script is not installed')
    const options = { interrupts: true, onTerminal: true }
    const { code, stderr, exitMs } = await runChild(1e9, 'sleep 60', options)
    assert.equal(code, 0)
    assert.match(stderr, /report: \d+ \d{3,}\n/)
    assert.ok(exitMs < 500, `${exitMs} ms`)
  },
)
