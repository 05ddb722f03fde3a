/** What URLs of ftp:// ask for: action, path, name of an upload, and as whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { ftpAction, ftpPath, ftpUser, uniquePath } from './ftp-request.ts'

test('ftpAction() goes by method, then by body', () => {
  const of = (method: string) => [ftpAction(method, false), ftpAction(method, true)]
  assert.deepEqual(of('GET'), ['download', 'upload'])
  assert.deepEqual(of('OPTIONS'), ['download', 'upload'])
  for (const method of ['POST', 'PUT', 'PATCH']) assert.deepEqual(of(method), ['upload', 'upload'])
  assert.deepEqual(of('HEAD'), ['size', 'size'])
  assert.deepEqual(of('DELETE'), ['delete', 'delete'])
})

test('ftpPath() is relative unless the URL says otherwise, with its escapes undone', () => {
  for (const [target, path] of [
    ['/pub/f.txt', 'pub/f.txt'],
    ['/', '/'],
    ['//etc/x', '/etc/x'],
    ['/%2Fetc/x', '/etc/x'],
    ['/a%20b%C3%A9?c', 'a b\xc3\xa9?c'],
    ['/f;type=i', 'f'],
    ['/f;type=x', 'f;type=x'],
    ['/100%25', '100%'],
    ['/%zz%', '%zz%'],
    ['/a%0D%0aDELE%20b%00%7f', 'a%0D%0aDELE b%00%7f'],
    ['/%250D', '%0D'],
  ] as const) {
    assert.equal(ftpPath(target), path, target)
  }
})

test('ftpPath() never holds a control character', () => {
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(bytes, (values) => {
      const escaped = values.map((value) => `%${value.toString(16).padStart(2, '0')}`).join('')
      assert.doesNotMatch(ftpPath(`/${escaped}`), /[\0-\x1f\x7f]/)
    }),
  )
})

test('uniquePath() goes in front of the extension of the name', () => {
  for (const [path, unique] of [
    ['up/a.txt', 'up/a-7-1.txt'],
    ['a.tar.gz', 'a.tar-7-1.gz'],
    ['v1.2/name', 'v1.2/name-7-1'],
    ['up/.hidden', 'up/.hidden-7-1'],
    ['/', '/-7-1'],
  ] as const) {
    assert.equal(uniquePath(path, 7, 0), unique)
  }
})

test('uniquePath() never gives one name twice to one path', () => {
  const place = fc.tuple(fc.nat(20), fc.nat(20))
  fc.assert(
    fc.property(fc.string(), place, place, (path, [user, index], [otherUser, otherIndex]) => {
      const isSame = user === otherUser && index === otherIndex
      assert.equal(
        uniquePath(path, user, index) === uniquePath(path, otherUser, otherIndex),
        isSame,
      )
    }),
  )
})

test('ftpUser() takes the URL, then the login for the host, then one for any, then anonymous', () => {
  const forAny = { user: 'any', passwordAndRealm: 'a' }
  const forHost = { user: 'host', passwordAndRealm: 'x:y:FTP.example.com' }
  const forSix = { user: 'six', passwordAndRealm: 's:[::1]' }
  const colons = { user: 'colons', passwordAndRealm: 'c:d:any' }
  const named = (host: string, ...logins: (typeof forAny)[]) => {
    const { user, password } = ftpUser(host, null, logins)
    return `${user} ${password}`
  }
  const own = ftpUser('ftp.example.com', { user: 'é', password: '' }, [forHost])
  assert.deepEqual(own, { user: '\xc3\xa9', password: '' })
  assert.equal(named('ftp.example.com', forAny, forHost), 'host x:y')
  assert.equal(named('::1', forAny, forSix), 'six s')
  assert.equal(named('other', forHost, forAny, colons), 'any a')
  assert.equal(named('other', forHost, colons), 'colons c:d')
  // A password for one server goes to no other.
  assert.equal(named('other', forHost, forSix), 'anonymous onager@example.com')
  assert.equal(named('example.com', forHost), 'anonymous onager@example.com')
})
