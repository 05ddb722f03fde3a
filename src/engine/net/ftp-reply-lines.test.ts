/** Replies in pieces of any size, replies of several lines, and what is no reply. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { FtpReplyLines } from './ftp-reply-lines.ts'

const DIALOGUE =
  '220-Welcome\r\n331 a line inside\r\n 220 this too\r\n2200\r\n220 done\r\n' +
  '331 password\r\n\r\n230\r\n211-features\n SIZE\n211 end\n'

test('FtpReplyLines gives whole lines, however they are cut', () => {
  const cuts = fc.array(fc.nat(DIALOGUE.length))
  fc.assert(
    fc.property(cuts, (places) => {
      const lines = new FtpReplyLines()
      const ends = [...places, DIALOGUE.length].sort((a, b) => a - b)
      let start = 0
      let read = ''
      for (const end of ends) {
        const whole = lines.push(DIALOGUE.slice(start, end))
        assert.ok(whole !== undefined && (whole === '' || whole.endsWith('\n')))
        read += whole
        start = end
      }
      assert.equal(read, DIALOGUE)
    }),
  )
})

test('FtpReplyLines knows what is no reply', () => {
  for (const text of [
    'HTTP/1.1 400 Bad\r\n',
    '22 x\r\n',
    '220ready\r\n',
    ' 220 x\r\n',
    '220 a\r\nb\r\n',
  ]) {
    assert.equal(new FtpReplyLines().push(text), undefined, text)
  }
  const endless = new FtpReplyLines()
  assert.equal(endless.push('2'.repeat(60_000)), '')
  assert.equal(endless.push('2'.repeat(60_000)), undefined)
})
