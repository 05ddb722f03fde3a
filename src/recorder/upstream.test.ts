/** Which addresses are the recorder's own, and the sentences for what goes wrong. */
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { authorityOf, siteFrom } from './recorded-request.ts'
import { CodedError, failureOf, OwnAddress } from './upstream.ts'

test('OwnAddress knows itself under every address that leads to it', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  for (const [bound, address, expected] of [
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '0.0.0.0', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', '::1', false],
    ['0.0.0.0', '127.0.0.2', true],
    ['::', '::1', true],
    ['::', '192.0.2.1', false],
    ...own.map(({ address }) => ['::', address, true] as const),
  ] as const) {
    const isOwn = (port: number) => {
      return new OwnAddress(bound, 9001).isOwn({ scheme: 'http', host: address, port })
    }
    assert.equal(isOwn(9001), expected, `${bound} ${address}`)
    assert.ok(!isOwn(9002))
  }
})

test('failureOf() is a sentence for whatever is thrown', () => {
  const site = { scheme: 'https', host: 'h', port: 8443 } as const
  for (const [error, status, sentence] of [
    [new CodedError('ECONNREFUSED'), 502, 'h:8443 refused the connection.'],
    [new CodedError('ETIMEDOUT'), 504, 'h:8443 did not answer in time.'],
    [new CodedError('CERT_HAS_EXPIRED'), 502, /certificate of h:8443 .*\(CERT_HAS_EXPIRED\)/],
    [new CodedError('HPE_INVALID_CONSTANT'), 502, /h:8443 answered with what is not HTTP/],
    [new AggregateError([], ''), 502, /No connection to h:8443/],
    [new Error('boom'), 502, 'No connection to h:8443 came about: boom.'],
  ] as const) {
    const failure = failureOf(error, site)
    assert.equal(failure.status, status)
    if (typeof sentence === 'string') assert.equal(failure.sentence, sentence)
    else assert.match(failure.sentence, sentence)
  }
})

test('siteFrom() takes a host with or without port and login, and authorityOf() gives it back', () => {
  for (const [scheme, text, expected] of [
    ['http', 'H', 'h'],
    ['http', 'h:80', 'h'],
    ['https', 'h:80', 'h:80'],
    ['https', 'h:443', 'h'],
    ['http', 'user:p@ss@h:8080', 'h:8080'],
    ['http', '[::1]:8080', '[::1]:8080'],
  ] as const) {
    const site = siteFrom(scheme, text)
    assert.equal(site === null ? null : authorityOf(site), expected, text)
  }
  for (const text of ['', ':80', 'h:x', 'h:99999', 'a b', 'h/x', 'h?x', 'h\\x', '[::1']) {
    assert.equal(siteFrom('http', text), null, text)
  }
})
