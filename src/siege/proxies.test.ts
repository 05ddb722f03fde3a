/** Proxies as they are written, and what they come to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../base/errors.ts'
import { defaultSettings } from '../plan/option-table.ts'
import { siegeOptions } from './options.ts'
import { proxyPlan, proxyUrl } from './proxies.ts'
import { settle } from './settle.ts'

test('proxyUrl() reads kind, place and login, with a port for each kind', () => {
  const login = (user: string, passwordAndRealm: string) => [{ user, passwordAndRealm }]
  for (const [raw, value] of [
    ['http://proxy:8080', { kind: 'http', host: 'proxy', port: 8080, logins: [] }],
    ['HTTP://Proxy.Example/', { kind: 'http', host: 'proxy.example', port: 3128, logins: [] }],
    ['http://proxy:80', { kind: 'http', host: 'proxy', port: 80, logins: [] }],
    ['proxy:81', { kind: 'http', host: 'proxy', port: 81, logins: [] }],
    ['10.0.0.1', { kind: 'http', host: '10.0.0.1', port: 3128, logins: [] }],
    ['socks4://p', { kind: 'socks4', host: 'p', port: 1080, logins: [] }],
    ['socks4a://joe@p', { kind: 'socks4', host: 'p', port: 1080, logins: login('joe', '') }],
    ['socks5h://p:9', { kind: 'socks5', host: 'p', port: 9, logins: [] }],
    ['socks5://[::1]:9', { kind: 'socks5', host: '::1', port: 9, logins: [] }],
    ['socks://a:b@p', { kind: 'socks5', host: 'p', port: 1080, logins: login('a', 'b') }],
    [
      'http://a%40b:c%3Ad%2f@p',
      { kind: 'http', host: 'p', port: 3128, logins: login('a@b', 'c:d/') },
    ],
    ['http://a:b@c@p', { kind: 'http', host: 'p', port: 3128, logins: login('a', 'b@c') }],
  ] as const) {
    assert.deepEqual(proxyUrl(raw), { value }, raw)
  }
})

test('proxyUrl() refuses what is no proxy and says what one looks like', () => {
  for (const raw of [
    '',
    'http://',
    ':3128',
    'http://p:0',
    'http://p:65536',
    'http://p:x',
    'p/path',
  ]) {
    assert.match(JSON.stringify(proxyUrl(raw)), /mustBe.*socks5:\/\/user:password@proxy:1080/, raw)
  }
  assert.match(
    JSON.stringify(proxyUrl('https://p:1')),
    /mustBe.*https is no proxy that onager speaks/,
  )
  assert.match(JSON.stringify(proxyUrl('http://:pw@p')), /mustBe.*a user in front of the password/)
  assert.match(JSON.stringify(proxyUrl('http://a:%zz@p')), /mustBe/)
})

function planOf(changes: object, environment = {}) {
  return proxyPlan(settle({ ...defaultSettings(siegeOptions), ...changes }).settings, environment)
}

test('proxyPlan() takes the environment only when asked, each scheme its own', () => {
  const environment = {
    http_proxy: 'http://a:1',
    HTTPS_PROXY: 'socks5://b:2',
    no_proxy: 'localhost, .example.com 10.0.0.0/8',
  }
  assert.equal(planOf({}, environment), null)
  assert.deepEqual(planOf({ proxyFromEnv: true }, environment), {
    http: { kind: 'http', host: 'a', port: 1, logins: [] },
    https: { kind: 'socks5', host: 'b', port: 2, logins: [] },
    exceptions: ['localhost', '.example.com', '10.0.0.0/8'],
  })
  const all = planOf({ proxyFromEnv: true }, { all_proxy: 'c:3', https_proxy: ' ' })
  assert.deepEqual([all?.http?.host, all?.https?.host], ['c', 'c'])
  const lower = planOf({ proxyFromEnv: true }, { http_proxy: 'a', HTTP_PROXY: 'b' })
  assert.deepEqual([lower?.http?.host, lower?.https], ['a', null])
  assert.equal(planOf({ proxyFromEnv: true }, { no_proxy: '*' }), null)
})

test('proxyPlan() names the variable that is wrong, not the password in it', () => {
  const environment = { http_proxy: 'ftp://joe:secret@p', ALL_PROXY: 'x y' }
  assert.throws(
    () => planOf({ proxyFromEnv: true }, environment),
    (error) => {
      assert.ok(error instanceof UsageError)
      const text = JSON.stringify(error.problems)
      assert.match(text, /http_proxy.*ALL_PROXY/)
      assert.doesNotMatch(text, /secret/)
      return true
    },
  )
})

test('proxyPlan() takes --proxy before the directives and the environment', () => {
  const server = {
    kind: 'socks5',
    host: 's',
    port: 5,
    logins: [{ user: 'a', passwordAndRealm: 'b' }],
  }
  const changes = { proxy: server, proxyHost: 'h', proxyFromEnv: true }
  const plan = planOf(changes, { http_proxy: 'e' })
  assert.deepEqual([plan?.http, plan?.https, plan?.exceptions], [server, server, []])
  const both = { proxyHost: 'h', proxyFromEnv: true }
  assert.throws(() => planOf(both), /proxy-host and proxy-from-env are both set/)
})

test('proxyPlan() refuses a SOCKS login that SOCKS cannot say', () => {
  const server = (kind: string) => ({
    kind,
    host: 's',
    port: 5,
    logins: [{ user: 'ä'.repeat(128), passwordAndRealm: '' }],
  })
  assert.throws(() => planOf({ proxy: server('socks5') }), /at most 255 bytes/)
  assert.notEqual(planOf({ proxy: server('http') }), null)
})
