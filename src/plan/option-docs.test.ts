/** What a value can be completed to, told from its row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueDocs } from './option-docs.ts'
import type { OptionRow } from './option-table.ts'

function kindOf(argumentName: string, words?: readonly string[]): string {
  const row: OptionRow<string> = {
    long: 'a',
    argument: 'required',
    argumentName,
    default: '',
    read: (raw) => ({ value: raw }),
    group: 'G',
    help: 'h',
    ...(words === undefined ? {} : { words }),
  }
  const value = valueDocs(row)
  return value.kind === 'words' ? value.words.join(' ') : value.kind
}

test('valueDocs() tells files and words by the name of the argument, or takes the words given', () => {
  for (const name of ['FILE', 'postfile', 'filename']) assert.equal(kindOf(name), 'file')
  assert.equal(kindOf('NUM|once'), 'once')
  assert.equal(kindOf('auto|epoll|node'), 'auto epoll node')
  for (const name of ['NUM', 'NUM[S|M|H]', 'requests', '"Name: value"']) {
    assert.equal(kindOf(name), 'free')
  }
  assert.equal(kindOf('VERSION', ['1.2', '1.3']), '1.2 1.3')
})
