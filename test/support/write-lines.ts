/**
 * A program that writes as many lines to standard output as its argument says, as fast as it may,
 * and reports on standard error at the end or at SIGINT. On descriptor 3 it says when it is full.
 *
 * It is apart from the tests because `node:test` makes standard output non-blocking by itself.
 */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { OutputWriter, openOutput, writeAllSync } from '../../src/fleet/output-writer.ts'

const REPORT_WAIT_MS = 200
const lineCount = Number(process.argv[2])
const line = Buffer.from(`${'x'.repeat(99)}\n`)

const output = openOutput(1, process.stdout)
let resume = (): void => {}
const writer = new OutputWriter(output.sink, {
  whenFull: output.whenFull,
  waitingBytesMax: output.waitingBytesMax,
  onDrain: () => resume(),
  onFailure: (text) => process.stderr.write(`${text}\n`),
})

function report(): void {
  const text = `report: ${writer.writtenLineCount} ${writer.droppedLineCount}\n`
  process.exit(writeAllSync(2, text, REPORT_WAIT_MS) === null ? 0 : 3)
}
process.on('SIGINT', report)

const isStuck = (): boolean => writer.isFull || writer.droppedLineCount > 0
let hasSaid = false
for (let i = 0; i < lineCount; i++) {
  writer.write(line, 1)
  if (!hasSaid && isStuck()) {
    fs.writeSync(3, `full ${process.pid}\n`)
    hasSaid = true
  }
  // Where lines are dropped nothing makes it wait, and it would never see a signal.
  if (output.whenFull === 'drop' && i % 1000 === 999) await pause(1)
  if (!writer.isFull) continue
  const alive = setTimeout(() => {}, 60_000)
  await new Promise<void>((resolve) => {
    resume = resolve
  })
  clearTimeout(alive)
}
await writer.drained()
report()
