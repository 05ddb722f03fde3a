/** Diagnostics: siege's mark, the bound on how many are told, nothing that harms a terminal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureKind } from '../metrics/outcome.ts'
import { diagnosticLine, FailureLines } from './siege-failures.ts'

test('diagnosticLine() marks the word as siege does, coloured only if asked', () => {
  assert.equal(diagnosticLine('error', 'what', true), '[\x1b[1;33merror\x1b[0m] what\n')
  assert.equal(diagnosticLine('alert', 'what', false), '[alert] what\n')
})

test('diagnosticLine() lets no control character of a server through', () => {
  assert.equal(
    diagnosticLine('error', 'got \x1b[2J\n\x9b', false),
    '[error] got \\x1b[2J\\x0a\\x9b\n',
  )
})

test('FailureLines tells the first of each kind, then once that it stops', () => {
  const lines = new FailureLines({ colour: false, lineCountMax: 2 })
  const told: (string | null)[] = []
  for (let i = 0; i < 5; i++) told.push(lines.lineFor(FailureKind.connect, () => `refused ${i}`))
  told.push(lines.lineFor(FailureKind.reset, () => 'reset'))
  assert.deepEqual(told, [
    '[error] refused 0\n',
    '[error] refused 1\n',
    '[error] connection refused or unreachable: more of these are counted, no longer shown\n',
    null,
    null,
    '[error] reset\n',
  ])
})

test('FailureLines makes no text that nobody sees', () => {
  const lines = new FailureLines({ colour: false, lineCountMax: 1 })
  let madeCount = 0
  for (let i = 0; i < 100; i++) lines.lineFor(FailureKind.tls, () => `${++madeCount}`)
  assert.equal(madeCount, 1)
  assert.equal(lines.wants(FailureKind.tls), false)
  assert.equal(lines.wants(FailureKind.dns), true)
})
