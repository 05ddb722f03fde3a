/**
 * Runs one of the programs as a person would, in a process of its own, and tells what came of it.
 *
 * The environment is made from scratch, so that neither the developer's siegerc nor a variable of
 * the shell decides whether a test passes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './files.ts'

export interface RunOptions {
  /** Added to PATH, HOME and LANG; undefined takes one of them away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Standard input; without it the program reads an empty one. */
  readonly input?: string | Uint8Array
  readonly cwd?: string
  /** The home directory; without it a fresh one that is removed afterwards. */
  readonly home?: string
  /** When to kill a run that does not end by itself; the promise is rejected then. */
  readonly timeoutMs?: number
  /** When to send `signal`, counted from the start; several for several signals. */
  readonly signalAfterMs?: number | readonly number[]
  /** Sends `signal` once, as soon as what was printed (stdout or stderr) matches. */
  readonly signalWhen?: RegExp
  /** Sends `signal` once this is fulfilled: when the server has got a request, say. */
  readonly signalOnce?: Promise<unknown>
  readonly signal?: NodeJS.Signals
  /** Options of node itself, such as `--expose-gc`. */
  readonly nodeArgs?: readonly string[]
}

export interface RunOutcome {
  readonly stdout: string
  readonly stderr: string
  /** Exit status; null when a signal ended the program. */
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly elapsedMs: number
  /** From the first signal sent to the end; null when none was sent. */
  readonly elapsedMsAfterSignal: number | null
}

/** A hang is a hang; a machine that is busy makes everything else ten times as long. */
const TIMEOUT_MS = 120_000

/** Runs `bin/PROGRAM.js`. */
export function runCli(
  program: 'siege' | 'ab' | 'onager' | 'siege.config' | 'bombardment' | 'siege2csv',
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunOutcome> {
  const script = join(projectRoot, 'bin', `${program}.js`)
  return runProgram(process.execPath, [...(options.nodeArgs ?? []), script, ...args], options)
}

/** Runs any program in the same way: real siege, say, to compare with. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunOutcome> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'onager-home-'))
  try {
    return await runIn(home, command, args, options)
  } finally {
    if (options.home === undefined) rmSync(home, { recursive: true, force: true })
  }
}

function runIn(
  home: string,
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunOutcome> {
  const startMs = performance.now()
  const child = spawn(command, args, {
    cwd: options.cwd ?? home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const signals = scheduleSignals(child, options)
  const watch = options.signalWhen === undefined ? undefined : signals.printed
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  let isTimedOut = false
  const killer = setTimeout(() => {
    isTimedOut = true
    child.kill('SIGKILL')
  }, timeoutMs)

  const stdout = collect(child.stdout, watch)
  const stderr = collect(child.stderr, watch)
  // A program that ends without reading its input is no fault of the test.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')

  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(killer)
      signals.stop()
      reject(error)
    })
    child.once('close', (status, signal) => {
      clearTimeout(killer)
      signals.stop()
      const endMs = performance.now()
      if (isTimedOut) {
        const said = `stdout: ${stdout()}\nstderr: ${stderr()}`
        reject(new Error(`${command} ${args.join(' ')} ran for ${timeoutMs} ms\n${said}`))
        return
      }
      resolve({
        stdout: stdout(),
        stderr: stderr(),
        status,
        signal,
        elapsedMs: endMs - startMs,
        elapsedMsAfterSignal: signals.sentMs === null ? null : endMs - signals.sentMs,
      })
    })
  })
}

interface SignalSchedule {
  /** When the first was sent. */
  sentMs: number | null
  printed(text: string): void
  stop(): void
}

function scheduleSignals(child: ChildProcess, options: RunOptions): SignalSchedule {
  const afterMs = options.signalAfterMs ?? []
  const timers = (typeof afterMs === 'number' ? [afterMs] : afterMs).map((ms) =>
    setTimeout(send, ms),
  )
  let waitsFor = options.signalWhen
  const schedule: SignalSchedule = {
    sentMs: null,
    printed(text) {
      if (waitsFor === undefined || !waitsFor.test(text)) return
      waitsFor = undefined
      send()
    },
    stop: () => timers.forEach(clearTimeout),
  }
  void options.signalOnce?.then(send)
  function send(): void {
    schedule.sentMs ??= performance.now()
    child.kill(options.signal ?? 'SIGINT')
  }
  return schedule
}

function collect(
  stream: NodeJS.ReadableStream,
  watch: ((textSoFar: string) => void) | undefined,
): () => string {
  const chunks: Buffer[] = []
  const text = () => Buffer.concat(chunks).toString('utf8')
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    watch?.(text())
  })
  return text
}
