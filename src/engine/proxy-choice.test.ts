/** Which origins go through a proxy, and the addresses behind that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBytes } from './address-bytes.ts'
import { proxyFor } from './proxy-choice.ts'

const http = { kind: 'http', host: 'p', port: 1, logins: [] } as const
const https = { kind: 'socks5', host: 'q', port: 2, logins: [] } as const

function originOf(url: string) {
  const { protocol, hostname, port, host } = new URL(url)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  const standard = scheme === 'https' ? 443 : 80
  return {
    scheme,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? standard : Number(port),
    authority: host,
  } as const
}

test('proxyFor() goes by the scheme', () => {
  const plan = { http, https, exceptions: [] }
  assert.equal(proxyFor(originOf('http://a/'), plan), http)
  assert.equal(proxyFor(originOf('https://a/'), plan), https)
  assert.equal(proxyFor(originOf('https://a/'), { ...plan, https: null }), null)
  assert.equal(proxyFor(originOf('http://a/'), null), null)
  assert.equal(proxyFor({ scheme: 'ftp', host: 'a', port: 21, authority: 'a' }, plan), null)
})

test('proxyFor() knows every form of no_proxy', () => {
  for (const [entry, inside, outside] of [
    ['*', ['http://a/', 'https://[::1]:9/'], []],
    [
      'example.com',
      ['http://example.com/', 'https://a.b.example.com:8/'],
      ['http://badexample.com/'],
    ],
    [
      '.example.com',
      ['http://example.com/', 'http://a.example.com/'],
      ['http://example.com.evil/'],
    ],
    ['*.example.com', ['http://a.example.com/'], ['http://other.com/']],
    ['EXAMPLE.com.', ['http://example.com/', 'http://example.com./'], []],
    ['example.com:81', ['http://example.com:81/'], ['http://example.com/']],
    ['example.com:443', ['https://example.com/'], ['http://example.com/']],
    ['127.0.0.1', ['http://127.0.0.1:8/'], ['http://127.0.0.2/', 'http://1.127.0.0.1.test/']],
    ['0.0.1', [], ['http://127.0.0.1/']],
    ['127.0.0.1:8', ['http://127.0.0.1:8/'], ['http://127.0.0.1/']],
    ['10.0.0.0/8', ['http://10.200.3.4/'], ['http://11.0.0.1/', 'http://ten.test/']],
    ['10.1.128.0/17', ['http://10.1.255.1/'], ['http://10.1.127.1/']],
    ['0.0.0.0/0', ['http://1.2.3.4/'], ['http://[::1]/']],
    ['::1', ['http://[::1]:8/'], ['http://[::2]/']],
    ['[::1]:8', ['http://[::1]:8/'], ['http://[::1]:9/']],
    ['fe80::/10', ['http://[febf::1]/'], ['http://[fec0::1]/', 'http://10.0.0.1/']],
    ['10.0.0.0/99', [], ['http://10.0.0.0/']],
    ['10.0.0.0/x', [], ['http://10.0.0.0/']],
    ['.', [], ['http://a/']],
  ] as const) {
    const plan = { http, https, exceptions: ['other.entry', entry] }
    for (const url of inside) assert.equal(proxyFor(originOf(url), plan), null, `${entry} ${url}`)
    for (const url of outside)
      assert.notEqual(proxyFor(originOf(url), plan), null, `${entry} ${url}`)
  }
})

test('addressBytes() gives addresses in network order, names nothing', () => {
  assert.deepEqual(addressBytes('1.2.3.4'), [1, 2, 3, 4])
  assert.deepEqual(addressBytes('::'), new Array(16).fill(0))
  assert.deepEqual(addressBytes('::1').at(-1), 1)
  assert.deepEqual(addressBytes('1:2:3:4:5:6:7:8').slice(0, 4), [0, 1, 0, 2])
  assert.deepEqual(addressBytes('fe80::1%eth0').slice(0, 2), [0xfe, 0x80])
  assert.deepEqual(addressBytes('::ffff:1.2.3.4').slice(10), [255, 255, 1, 2, 3, 4])
  assert.deepEqual(addressBytes('example.com'), [])
})
