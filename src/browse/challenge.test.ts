/** Challenges as servers write them, as they should not, and as an enemy would. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { cpuMsOf } from '../../test/support/timing.ts'
import {
  CHALLENGE_BYTES_MAX,
  CHALLENGE_COUNT_MAX,
  PARAM_COUNT_MAX,
  parseChallenges,
} from './challenge.ts'

/** `scheme`, `scheme token` or `scheme{name=value|...}`, one for each challenge. */
function shown(...fieldValues: readonly string[]): string[] {
  return parseChallenges(fieldValues).map(({ scheme, token68, params }) => {
    const token = token68 === null ? '' : ` ${token68}`
    const list = [...params].map(([name, value]) => `${name}=${value}`).join('|')
    return `${scheme}${token}${list === '' ? '' : `{${list}}`}`
  })
}

const corpus: readonly (readonly [text: string, challenges: readonly string[]])[] = [
  ['', []],
  [' \t,, ,', []],
  ['Basic', ['basic']],
  ['BASIC realm="simple"', ['basic{realm=simple}']],
  ['Basic realm=simple', ['basic{realm=simple}']],
  ['Basic ReAlM = "a" , charset\t=\t"UTF-8"', ['basic{realm=a|charset=UTF-8}']],
  ['Basic realm="a, b", charset=x', ['basic{realm=a, b|charset=x}']],
  ['Basic realm="a \\"b\\" \\\\ \\c"', ['basic{realm=a "b" \\ c}']],
  ['Basic realm=""', ['basic{realm=}']],
  ['Basic ,realm="a"', ['basic{realm=a}']],
  ['Basic realm="a", Basic realm="b"', ['basic{realm=a}', 'basic{realm=b}']],
  // RFC 9110, section 11.6.1.
  [
    'Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""',
    ['basic{realm=simple}', 'newauth{realm=apps|type=1|title=Login to "apps"}'],
  ],
  ['Negotiate, NTLM, Basic realm="h"', ['negotiate', 'ntlm', 'basic{realm=h}']],
  ['NTLM TlRMTVNTUAAB==', ['ntlm TlRMTVNTUAAB==']],
  ['NTLM TlRM/+-._~=, Basic realm=x', ['ntlm TlRM/+-._~=', 'basic{realm=x}']],
  ['Negotiate  abc= \t, NTLM', ['negotiate abc=', 'ntlm']],
  ['Digest qop="auth,auth-int", nonce=abc==', ['digest{qop=auth,auth-int|nonce=abc==}']],
  ['Digest a=1, a=2, A=3', ['digest{a=1}']],
  ['Digest nonce=n, opaque=, x=', ['digest{nonce=n|opaque=|x=}']],
  // Broken: what cannot be read is left out, up to the next comma outside quotes.
  ['realm="a", Basic realm="b"', ['basic{realm=b}']],
  ['Basic realm="a" junk, x=1', ['basic{x=1}']],
  ['Basic realm="a"b, x=1', ['basic{x=1}']],
  ['Basic realm="never ends, Digest nonce=x', ['basic']],
  ['Basic realm="a\\', ['basic']],
  ['@@ "a, b" @@, Basic realm=c', ['basic{realm=c}']],
  ['Basic ="a", realm=b', []],
  ['Basic realm="a\x01b", x=1', ['basic{x=1}']],
  ['Basic realm="a\r\nX: y"', ['basic']],
  ['Basic __proto__=1, constructor=2', ['basic{__proto__=1|constructor=2}']],
]

for (const [text, challenges] of corpus) {
  test(`parseChallenges() reads ${JSON.stringify(text)}`, () => {
    assert.deepEqual(shown(text), challenges)
  })
}

test('parseChallenges() puts the challenges of several fields in one list', () => {
  assert.deepEqual(shown('Negotiate', 'Basic realm="never ends', 'Digest nonce="n"'), [
    'negotiate',
    'basic',
    'digest{nonce=n}',
  ])
})

test('parseChallenges() keeps no more than its bounds', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `p${index}=${index}`).join(', ')
  assert.equal(parseChallenges([`Digest ${many}`])[0]?.params.size, PARAM_COUNT_MAX)
  assert.equal(parseChallenges(['A, B, '.repeat(1000)]).length, CHALLENGE_COUNT_MAX)
  assert.equal(parseChallenges(new Array(1000).fill('A')).length, CHALLENGE_COUNT_MAX)
  const long = `Basic realm=${'x'.repeat(CHALLENGE_BYTES_MAX)}`
  assert.equal(parseChallenges([long])[0]?.params.get('realm')?.length, CHALLENGE_BYTES_MAX - 12)
})

test('parseChallenges() is done with a megabyte of anything at once', () => {
  const pieces = ['"', '\\', ' ', ',', '=', 'a', 'a ', 'a=', 'a="', 'a="\\"",', '@"', 'A b', '\t=']
  const cpuMs = cpuMsOf(() => {
    for (const piece of pieces) {
      parseChallenges([`Digest ${piece.repeat(1_000_000 / piece.length)}`])
    }
  })
  assert.ok(cpuMs < 2000, `${cpuMs} ms`)
})

const piece = fc.constantFrom(
  ...['Basic', 'Digest', 'NTLM', ' ', '\t', ',', '=', '"', '\\', 'realm', 'nonce', 'qop', 'auth'],
  ...['\0', '\r\n', '\x7f', '\xff', 'a', 'TlRMTVNTUAAC', '==', ';'],
)

test('parseChallenges() takes any text and lets no control character out', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), (values) => {
      const challenges = parseChallenges(values)
      assert.ok(challenges.length <= CHALLENGE_COUNT_MAX)
      for (const { scheme, params } of challenges) {
        assert.match(scheme, /^[!#$%&'*+\-.^_`|~0-9a-z]+$/)
        for (const text of params.values()) assert.doesNotMatch(text, /[\x00-\x08\x0a-\x1f\x7f]/)
      }
    }),
    { numRuns: 2000 },
  )
})

test('parseChallenges() gives back what was written by the grammar', () => {
  const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
  const value = fc.stringMatching(/^[\x20-\x7e\xa0-\xff\t]{0,12}$/)
  const params = fc.dictionary(
    token.map((name) => name.toLowerCase()),
    value,
    { minKeys: 1, maxKeys: 4 },
  )
  const challenge = fc.record({ scheme: token, params })
  const blank = fc.constantFrom('', ' ', '\t ')
  fc.assert(
    fc.property(fc.array(challenge, { maxLength: 4 }), blank, (challenges, ows) => {
      const text = challenges
        .map(({ scheme, params }) => {
          const list = Object.entries(params).map(([name, content]) => {
            return `${name}${ows}=${ows}"${content.replace(/["\\]/g, '\\$&')}"`
          })
          return `${scheme} ${list.join(`${ows},${ows}`)}`
        })
        .join(`${ows},, `)
      assert.deepEqual(
        parseChallenges([text]).map(({ scheme, params }) => [scheme, [...params].sort()]),
        challenges.map(({ scheme, params }) => [
          scheme.toLowerCase(),
          Object.entries(params).sort(),
        ]),
      )
    }),
  )
})
