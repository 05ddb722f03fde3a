/**
 * Loaded before a program: sends signals to all threads of the process, by name, all the time, and
 * writes at the end into STORM_FILE how many there were.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { loadKoffi } from '../../src/engine/net/libc.ts'

const PERIOD_MS = 1
/**
 * Signals that do nothing where nobody handles them: at its end Node takes its handlers away while
 * a signal may still be on its way to a thread that has not run since.
 */
const names = ['SIGURG', 'SIGWINCH'] as const

if (isMainThread) {
  // Not every libc has a name for it.
  const syscall = loadKoffi().load(null).func('long syscall(long, int, int, int)')
  const number = process.arch === 'arm64' ? 131 : 234
  let sentCount = 0
  for (const name of names) process.on(name, () => {})
  setInterval(() => {
    for (const task of readdirSync('/proc/self/task')) {
      const name = names[sentCount % names.length]!
      const result = syscall(number, process.pid, Number(task), constants.signals[name])
      if (result === 0) sentCount++
    }
  }, PERIOD_MS).unref()
  process.on('exit', () => writeFileSync(process.env.STORM_FILE!, `${sentCount}`))
}
