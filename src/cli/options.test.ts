/** Every way to give an option of onager's own commands, right and wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../base/errors.ts'
import { mustBeWhole, type OptionTable, optionHelp, readOptions } from './options.ts'

const table: OptionTable = {
  port: { valueName: 'N', help: 'a port', mustBe: mustBeWhole(0, 10) },
  'long-name': { valueName: 'TEXT', help: 'a text', mustBe: () => null },
}

test('readOptions() takes values after a blank or an equals sign, the last one wins', () => {
  const values = readOptions(table, ['--port', '1', '--port=2', '--long-name', '--a=b', '--port=3'])
  assert.deepEqual(Object.fromEntries(values), { port: '3', 'long-name': '--a=b' })
  assert.equal(readOptions(table, ['--long-name=']).get('long-name'), '')
})

test('readOptions() tells everything that is wrong at once', () => {
  assert.throws(
    () => readOptions(table, ['--prot=1', '--port=11', 'x', '--toString', '-p', '--port']),
    (error) => {
      assert.ok(error instanceof UsageError)
      assert.deepEqual(
        error.problems.map(({ text }) => text),
        [
          "unknown option '--prot=1'; did you mean --port?",
          "--port must be a whole number from 0 to 10, not '11'",
          "unexpected argument 'x'",
          "unknown option '--toString'",
          "unknown option '-p'",
          '--port must be followed by N',
        ],
      )
      return true
    },
  )
})

test('optionHelp() aligns', () => {
  assert.equal(optionHelp(table), '  --port N          a port\n  --long-name TEXT  a text')
})
