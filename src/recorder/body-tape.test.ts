/** Bodies are whole whatever their length, and long ones are not in memory. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BodyTape, TAPE_BYTES_MAX } from './body-tape.ts'

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onager-tape-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'body')
}

test('BodyTape keeps a short body at hand and moves a long one to its file', (t) => {
  const path = fileIn(t)
  const tape = new BodyTape(() => path)
  const half = Buffer.alloc(TAPE_BYTES_MAX / 2, 'ab')
  tape.append(half)
  tape.append(half)
  assert.equal(tape.bytes()?.length, TAPE_BYTES_MAX)
  assert.ok(!existsSync(path))
  tape.append(Buffer.from('c'))
  assert.equal(tape.bytes(), null)
  assert.equal(readFileSync(path).length, TAPE_BYTES_MAX + 1)
  tape.append(Buffer.from('d'))
  assert.deepEqual(tape.finish(), { kind: 'file', path })
  assert.ok(readFileSync(path).equals(Buffer.concat([half, half, Buffer.from('cd')])))
  tape.discard()
  assert.ok(existsSync(path), 'a finished file belongs to the list')
})

test('BodyTape leaves no file behind for a body that is discarded, nor without a name', (t) => {
  const path = fileIn(t)
  const long = Buffer.alloc(TAPE_BYTES_MAX + 1)
  const tape = new BodyTape(() => path)
  tape.append(long)
  tape.discard()
  tape.append(long)
  assert.ok(!existsSync(path))
  const nameless = new BodyTape(null)
  nameless.append(long)
  assert.equal(nameless.bytes(), null)
  assert.equal(new BodyTape(null).finish(), null)
})
