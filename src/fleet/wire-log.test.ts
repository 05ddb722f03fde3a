/** What is shown of the wire, when several connections speak at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wire } from '../engine/observer.ts'
import { WireLog } from './wire-log.ts'
import { WirePrinter } from './wire-printer.ts'

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** Two connections, each of whose messages comes in the middle of the other's. */
function interleave(wire: Wire): void {
  const [first, second] = [wire.observer(), wire.observer()]
  const head = (status: number) => bytes(`HTTP/1.1 ${status} Words\r\n\r\n`)
  first.requestSent(bytes('GET /1 HTTP/1.1\r\n\r\n'))
  first.headReceived(head(404), 0, head(404).length)
  first.bodyReceived(bytes('one '), 0, 4)
  second.requestSent(bytes('GET /2 HTTP/1.1\r\n\r\n'))
  second.headReceived(head(200), 0, head(200).length)
  second.bodyReceived(bytes('two '), 0, 4)
  first.bodyReceived(bytes('more'), 0, 4)
  first.responseEnded()
  second.responseEnded()
}

test('WireLog keeps the heads of connections apart', () => {
  let text = ''
  const take = (part: Uint8Array) => {
    text += Buffer.from(part).toString('latin1')
  }
  interleave(new WireLog(take, { showsCodes: true, showsRequest: false }))
  assert.equal(
    text,
    'LOG: header received:\nHTTP/1.1 404 Words\r\n\r\n\nWARNING: Response code not 2xx (404)\n' +
      'LOG: header received:\nHTTP/1.1 200 Words\r\n\r\n\nLOG: Response code = 200\n',
  )
})

test('WirePrinter keeps the bodies of connections apart', () => {
  const parts: string[] = []
  const take = (part: Uint8Array) => void parts.push(Buffer.from(part).toString('latin1'))
  interleave({ observer: () => new WirePrinter(take, true) })
  assert.deepEqual(parts.slice(-2), ['one more\n', 'two \n'])
})
