/** Which login fits which realm, when `user:a:b` may mean two things. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthLogins } from './auth-logins.ts'

/** Each written as in a siegerc, and split as the option's reader splits it. */
function loginsOf(...written: readonly string[]): AuthLogins {
  return new AuthLogins(
    written.map((text) => {
      const colon = text.indexOf(':')
      return { user: text.slice(0, colon), passwordAndRealm: text.slice(colon + 1) }
    }),
  )
}

function shown(logins: AuthLogins, realm: string | null): string[] {
  return logins.candidates(realm).map(({ user, password }) => `${user} ${password}`)
}

test('AuthLogins takes the last part for a realm if a server names it, in any case', () => {
  assert.deepEqual(shown(loginsOf('u:pa:Private Site'), 'private site'), ['u pa'])
  assert.deepEqual(shown(loginsOf('u:pa:a:b'), 'A:B'), ['u pa'])
  assert.deepEqual(shown(loginsOf('u::r'), 'r'), ['u '])
})

test('AuthLogins takes the last part for the end of the password else', () => {
  assert.deepEqual(shown(loginsOf('u:pa:ss'), 'r'), ['u pa:ss'])
  assert.deepEqual(shown(loginsOf('u:pa:ss'), 'ass'), ['u pa:ss'])
  assert.deepEqual(shown(loginsOf('u:pa:ss'), null), ['u pa:ss'])
  assert.deepEqual(shown(loginsOf('u:p#ss'), 'r'), ['u p#ss'])
  assert.deepEqual(shown(loginsOf('u:pass:'), ''), ['u pass:'])
})

test('AuthLogins takes any and all for every realm', () => {
  for (const word of ['any', 'ALL', 'All']) {
    assert.deepEqual(shown(loginsOf(`u:pa:${word}`), 'r'), ['u pa'])
    assert.deepEqual(shown(loginsOf(`u:pa:ss:${word}`), null), ['u pa:ss'])
  }
  assert.deepEqual(shown(loginsOf('u:company'), 'r'), ['u company'])
})

test('AuthLogins puts the exact realm first, then every realm, then what may be either', () => {
  const logins = loginsOf('a:1:x', 'b:2', 'c:3:any', 'd:4:r', 'e:5')
  assert.deepEqual(shown(logins, 'r'), ['d 4', 'b 2', 'c 3', 'e 5', 'a 1:x'])
})

test('AuthLogins gives a login to no other realm once a server has named its own', () => {
  const logins = loginsOf('a:1:x')
  assert.deepEqual(shown(logins, 'r'), ['a 1:x'])
  assert.deepEqual(shown(logins, 'X'), ['a 1'])
  assert.deepEqual(shown(logins, 'r'), [])
  assert.deepEqual(shown(logins, null), [])
})
