/** Which names a handshake sends and verifies, for each origin and Host field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf, planOf } from '../../test/sim/simulated-run.ts'
import type { TlsProfile } from './reactor.ts'
import { tlsProfileOf } from './tls-profile.ts'

function profileOf(url: string, host?: string): TlsProfile | undefined {
  const head =
    host === undefined
      ? [{ kind: 'host', name: 'Host' } as const]
      : [{ kind: 'fixed', name: 'hOsT', value: host } as const]
  return tlsProfileOf(planOf({ targets: [{ url }], head }))(originOf(new URL(url)))
}

function namesOf(url: string, host?: string): (string | undefined)[] {
  const profile = profileOf(url, host)!
  return [profile.serverName, profile.verifiedName]
}

test('tlsProfileOf() has none for plain http', () => {
  assert.equal(profileOf('http://a.test/'), undefined)
})

test('tlsProfileOf() sends and verifies the name of the origin', () => {
  assert.deepEqual(namesOf('https://a.test/'), ['a.test', 'a.test'])
  assert.deepEqual(namesOf('https://a.test:8443/'), ['a.test', 'a.test'])
})

test('tlsProfileOf() verifies an address but does not send it', () => {
  assert.deepEqual(namesOf('https://10.0.0.1/'), [undefined, '10.0.0.1'])
  assert.deepEqual(namesOf('https://[::1]:8443/'), [undefined, '::1'])
})

test('tlsProfileOf() goes by the Host field of the plan, without its port', () => {
  assert.deepEqual(namesOf('https://10.0.0.1/', 'b.test'), ['b.test', 'b.test'])
  assert.deepEqual(namesOf('https://a.test/', 'b.test:8443'), ['b.test', 'b.test'])
  assert.deepEqual(namesOf('https://a.test/', '10.0.0.2:8443'), [undefined, '10.0.0.2'])
  assert.deepEqual(namesOf('https://a.test/', '[::2]:8443'), [undefined, '::2'])
})
