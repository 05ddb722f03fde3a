/** cookies.txt: both forms read, ours written, nothing lost: quirk 36. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { CookieJar, type PersistentCookie } from '../browse/cookie-jar.ts'
import {
  cookiesPath,
  cookiesText,
  mergeCookies,
  parseCookies,
  readCookiesFile,
  writeCookiesFile,
} from './cookies-file.ts'

const NOW_MS = Date.UTC(2025, 0, 1)

function cookie(name: string, parts: Partial<PersistentCookie> = {}): PersistentCookie {
  const flags = { isHostOnly: false, isSecureOnly: false, isHttpOnly: false }
  const expiresAtMs = 2_000_000_000_000
  return { name, value: '1', domain: 'a.test', path: '/', expiresAtMs, ...flags, ...parts }
}

/** User index and cookie names: `0:a,b 3:c`. */
function summary(text: string): string {
  const { users } = parseCookies(text, 'cookies.txt')
  return [...users]
    .map(([index, cookies]) => `${index}:${cookies.map(({ name }) => name).join()}`)
    .sort()
    .join(' ')
}

function temporaryHome(t: TestContext): string {
  const home = fs.mkdtempSync(join(os.tmpdir(), 'cookies-'))
  t.after(() => fs.rmSync(home, { recursive: true }))
  fs.mkdirSync(join(home, '.siege'))
  return home
}

test('quirk 36: groups of threads go to users in order', () => {
  const text = `# siege cookies
#

139781231232768 | a=1; domain=.a.test; path=/; expires=2000000000
139781231232768 | b=x=y; domain=a.test; path=/b; expires=2000000000; persistent=true
139781222840064 | c=1; domain=a.test; path=/; expires=2000000000\r
999999999999999 | d=1; domain=a.test; path=/; expires=2000000000; persistent=true
139781231232768 | e=1; domain=a.test; path=/; expires=2000000000
`
  assert.equal(summary(text), '0:a,b,e 1:c 2:d')
  const { users, warnings } = parseCookies(text, 'cookies.txt')
  assert.deepEqual(warnings, [])
  assert.deepEqual(users.get(0)?.[1], cookie('b', { value: 'x=y', path: '/b' }))
})

test('parseCookies() leaves siege-N to user N and gives the other groups the users left', () => {
  const line = (group: string, name: string) => `${group} | ${name}=1; domain=a.test\n`
  const text = line('siege-2', 'b') + line('77', 'x') + line('siege-1', 'a') + line('88', 'y')
  assert.equal(summary(text), '0:a 1:b 2:x 3:y')
  assert.equal(summary(line('siege-5', 'e') + line('77', 'x')), '0:x 4:e')
  assert.equal(summary(line('siege-0', 'z') + line('siege-1', 'a')), '0:a 1:z')
})

test('parseCookies() passes over malformed lines with a warning that names the place', () => {
  const rows: [string, RegExp][] = [
    ['nonsense', /no '\|'/],
    [' | a=1; domain=a.test', /no user/],
    ['1 | ', /no name/],
    ['1 | a; domain=a.test', /no name/],
    ['1 | =x; domain=a.test', /no name/],
    ['1 | a=1', /no usable domain/],
    ['1 | a=1; domain=.', /no usable domain/],
    ['1 | a=1; domain=a b', /no usable domain/],
    ['1 | a=1; domain=a/b', /no usable domain/],
    ['1 | a=1; domain=.0.0.1', /"0.0.1" is only a part of an address/],
    ['1 | a=1; domain=a.test; expires=soon', /expires is not a number/],
    ['1 | a=1; domain=a.test; expires=-5', /expires is not a number/],
    ['1 | a=\x01; domain=a.test', /control characters/],
    [`1 | a=${'x'.repeat(20_000)}; domain=a.test`, /longer than/],
  ]
  for (const [line, pattern] of rows) {
    const good = '1 | ok=1; domain=a.test'
    const { users, warnings } = parseCookies(`\n${line}\n${good}`, '/home/u/.siege/cookies.txt')
    assert.equal(warnings.length, 1, line)
    assert.match(warnings[0]?.text ?? '', pattern)
    assert.match(warnings[0]?.text ?? '', /passed over$/)
    assert.equal(warnings[0]?.file, '/home/u/.siege/cookies.txt')
    assert.equal(warnings[0]?.line, 2)
    assert.equal(users.get(0)?.[0]?.name, 'ok', line)
  }
})

test('parseCookies() keeps a cookie without expires for ever', () => {
  const { users } = parseCookies('siege-1 | a=1; domain=a.test', 'cookies.txt')
  const again = parseCookies(cookiesText(users), 'cookies.txt')
  assert.deepEqual(again.users, users)
  assert.equal(users.get(0)?.[0]?.expiresAtMs, 8.64e15)
})

test('cookiesText() writes users in order, with five comment lines first', () => {
  const users = new Map([
    [10, [cookie('k', { isHostOnly: true, isSecureOnly: true, isHttpOnly: true })]],
    [1, [cookie('b', { expiresAtMs: 1_999_999_999_001 }), cookie('c', { value: '\xc3\xa0 "x"' })]],
  ])
  const lines = cookiesText(users).split('\n')
  assert.ok(lines.slice(0, 5).every((line) => line.startsWith('#')))
  assert.deepEqual(lines.slice(5), [
    'siege-2 | b=1; domain=a.test; path=/; expires=2000000000',
    'siege-2 | c=\xc3\xa0 "x"; domain=a.test; path=/; expires=2000000000',
    'siege-11 | k=1; domain=a.test; path=/; expires=2000000000; secure; httponly; hostonly',
    '',
  ])
})

test('parseCookies() reads back what any jar exports and cookiesText() writes', () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
  const text = fc.array(byte, { maxLength: 8 }).map((bytes) => bytes.join(''))
  const line = fc
    .tuple(text, text, text, fc.constantFrom('', '; Secure', '; HttpOnly', '; Domain=a.test'))
    .map(([name, value, path, rest]) => `${name}=${value}; Path=/${path}; Max-Age=60${rest}`)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const jar = new CookieJar(() => false)
      for (const line of lines) jar.store(line, 'www.a.test', true, '/', NOW_MS)
      const exported = jar.exportPersistent(NOW_MS)
      const written = cookiesText(new Map([[4, exported]]))
      const { users, warnings } = parseCookies(written, 'cookies.txt')
      assert.deepEqual(warnings, [])
      assert.deepEqual(users.get(4) ?? [], exported)
    }),
    { numRuns: 500 },
  )
})

test('parseCookies() takes any text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('|', ';', '=', '\n', '#', ' ', '1', 'a', 'domain=a', '\0')),
      (p) => {
        parseCookies(p.join(''), 'cookies.txt')
      },
    ),
  )
})

test('quirk 36: users that did not run keep their cookies; those that did, what they hold', () => {
  const stored = new Map([
    [0, [cookie('old')]],
    [1, [cookie('gone')]],
    [5, [cookie('kept'), cookie('stale', { expiresAtMs: NOW_MS })]],
  ])
  const held = new Map([
    [0, [cookie('new')]],
    [1, []],
  ])
  const merged = mergeCookies(stored, held, NOW_MS)
  const names = (index: number) => merged.get(index)?.map(({ name }) => name)
  assert.deepEqual([names(0), names(1), names(5)], [['new'], [], ['kept']])
})

test('cookiesPath() is null without a .siege folder in the home directory', (t) => {
  const home = temporaryHome(t)
  assert.equal(cookiesPath(home), join(home, '.siege', 'cookies.txt'))
  assert.equal(cookiesPath(join(home, '.siege')), null)
  assert.equal(cookiesPath(undefined), null)
  const file = join(home, '.siege', '.siege')
  fs.writeFileSync(file, '')
  assert.equal(cookiesPath(join(home, '.siege')), null)
  assert.equal(cookiesPath(file), null, 'a home that is a file')
})

test('writeCookiesFile() writes for its owner only, in one step, and is read back', (t) => {
  const home = temporaryHome(t)
  const path = cookiesPath(home) ?? ''
  const empty = readCookiesFile(path)
  assert.deepEqual(empty, { kind: 'read', users: new Map(), warnings: [] })
  assert.equal(writeCookiesFile(path, new Map([[0, []]])), null)
  assert.equal(fs.existsSync(path), false)
  const users = new Map([[0, [cookie('a', { value: '\xc3\xa0\xff' })]]])
  fs.writeFileSync(path, 'old', { mode: 0o644 })
  assert.equal(writeCookiesFile(path, users), null)
  assert.equal(fs.statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readCookiesFile(path), { kind: 'read', users, warnings: [] })
  assert.deepEqual(fs.readdirSync(join(home, '.siege')), ['cookies.txt'])
  assert.equal(writeCookiesFile(path, new Map()), null)
  assert.deepEqual(readCookiesFile(path), { kind: 'read', users: new Map(), warnings: [] })
})

test('writeCookiesFile() writes through a link and leaves nothing behind when it cannot', (t) => {
  const home = temporaryHome(t)
  const path = cookiesPath(home) ?? ''
  const real = join(home, 'real.txt')
  fs.writeFileSync(real, '')
  fs.symlinkSync(real, path)
  assert.equal(writeCookiesFile(path, new Map([[0, [cookie('a')]]])), null)
  assert.ok(fs.lstatSync(path).isSymbolicLink())
  assert.match(fs.readFileSync(real, 'latin1'), /siege-1 \| a=1/)

  const folder = join(home, 'folder')
  fs.mkdirSync(folder)
  fs.mkdirSync(join(folder, 'cookies.txt'))
  const problem = writeCookiesFile(join(folder, 'cookies.txt'), new Map([[0, [cookie('a')]]]))
  assert.match(problem ?? '', /unable to write the cookies to .*cookies\.txt/)
  assert.deepEqual(fs.readdirSync(folder), ['cookies.txt'])
  assert.match(
    writeCookiesFile(join(home, 'no', 'c.txt'), new Map([[0, [cookie('a')]]])) ?? '',
    /unable/,
  )
})

test('readCookiesFile() says when it cannot read, so that nothing is written over', (t) => {
  const home = temporaryHome(t)
  const file = readCookiesFile(join(home, '.siege'))
  assert.ok(file.kind === 'unreadable')
  assert.match(file.problem, /not a file; none are used and none written/)
})
