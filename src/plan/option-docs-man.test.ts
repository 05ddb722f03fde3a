/** Manual pages are made of any text without a character that roff would take for its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { manText } from './option-docs-man.ts'
import type { OptionRow } from './option-table.ts'

const row: OptionRow<unknown> = {
  short: 'l',
  long: 'log',
  longAliases: ['log-file'],
  argument: 'optional-attached',
  argumentName: 'FILE',
  directives: ['logfile', 'log_file'],
  default: 'a.log',
  read: (raw) => ({ value: raw }),
  group: 'Log',
  help: 'append to a log; -q does not matter',
  details: 'It is never cut.',
}

function pageOf(...blocks: Parameters<typeof manText>[0]['parts'][number]['blocks']): string {
  const parts = [{ heading: 'Description', blocks }]
  return manText({ name: 'a-b', section: 1, summary: 'do', parts, seeAlso: [] }, 'onager 1')
}

test('manText() lays out options with every spelling, and directives with what they default to', () => {
  const lines = pageOf({ options: [row] }, { directives: [row] }).split('\n')
  assert.ok(
    lines.includes(
      '\\fB\\-l\\fR[\\fIFILE\\fR], \\fB\\-\\-log\\fR[=\\fIFILE\\fR], \\fB\\-\\-log\\-file\\fR[=\\fIFILE\\fR]',
    ),
  )
  assert.ok(lines.includes('Append to a log; \\-q does not matter.'))
  const text = lines.join(' ')
  assert.match(
    text,
    /Also written \\fBlog_file\\fR\. Default: \\fBa\.log\\fR\. Option: \\fB\\-l\\fR\./,
  )
})

test('manText() shows literal text as it is to be typed, at the start of a line too', () => {
  const text = pageOf({ example: ".hidden -a 'b' \\n ~/x ^ `c`" }, '.x `-a "b"`')
  assert.match(text, /\n\\&\.hidden \\-a \\\(aqb\\\(aq \\en \\\(ti\/x \\\(ha \\\(gac\\\(ga\n/)
  assert.match(text, /\n\\&\.x \\fB\\-a \\\(dqb\\\(dq\\fR\n/)
})

test('manText() makes no requests and no long lines of any text', () => {
  const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      const text = words.join(' ').replaceAll('`', '')
      fc.pre(text.trim() !== '')
      const lines = pageOf(text).split('\n').slice(5)
      for (const line of lines) {
        assert.doesNotMatch(line, /^[.']/)
        // A word of twenty characters may be escaped to eighty.
        assert.ok(line.length <= 160, line)
        assert.doesNotMatch(line, /\\(?![e&-]|\((?:aq|ga|ha|ti|dq)|f[BR])/)
      }
    }),
  )
})
