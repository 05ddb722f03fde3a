/** Basic and Digest by the examples of their RFCs, and what servers get wrong. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashesWith, nodeHashes } from '../../test/support/hashes.ts'
import { fc } from '../../test/support/property.ts'
import { basicValue, fitsBasic } from './auth-basic.ts'
import { DigestAnswers } from './auth-digest.ts'
import { type AuthCredentials, type HashPort, latin1Bytes } from './auth-text.ts'
import { parseChallenges } from './challenge.ts'
import { type DigestChallenge, readDigestChallenge } from './digest-challenge.ts'

const MUFASA = { user: 'Mufasa', password: 'Circle of Life' }

function challengeOf(text: string): DigestChallenge | undefined {
  const [challenge] = parseChallenges([text])
  return challenge === undefined ? undefined : readDigestChallenge(challenge)
}

function answersTo(text: string, credentials = MUFASA, hashes: HashPort = nodeHashes) {
  const challenge = challengeOf(text)
  assert.ok(challenge !== undefined, text)
  return new DigestAnswers(credentials, challenge, hashes)
}

/** The parameters of an answer, unquoted. */
function paramsOf(value: string): ReadonlyMap<string, string> {
  const [answer, ...others] = parseChallenges([value])
  assert.deepEqual(others, [])
  assert.equal(answer?.scheme, 'digest')
  return answer.params
}

function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex')
}

test('basicValue() is what RFC 7617 shows', () => {
  const value = basicValue({ user: 'Aladdin', password: 'open sesame' })
  assert.equal(value, 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
  // Section 2.1: UTF-8.
  assert.equal(basicValue({ user: 'test', password: '123\u00a3' }), 'Basic dGVzdDoxMjPCow==')
})

test('basicValue() keeps colons and # of a password; a name cannot have a colon', () => {
  assert.equal(
    basicValue({ user: 'user', password: 'pa:s#s' }),
    `Basic ${Buffer.from('user:pa:s#s').toString('base64')}`,
  )
  assert.equal(fitsBasic({ user: 'user', password: 'pa:s#s' }), true)
  assert.equal(fitsBasic({ user: 'us:er', password: 'x' }), false)
})

/** RFC 7616, section 3.9.1: both algorithms of the example, with its client nonce. */
const RFC_7616_NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
const RFC_7616_CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
const rfc7616 = [
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const

for (const [algorithm, response] of rfc7616) {
  test(`DigestAnswers gives the answer of RFC 7616 3.9.1 for ${algorithm}`, () => {
    const answers = answersTo(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
        `nonce="${RFC_7616_NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
      MUFASA,
      withCnonce(RFC_7616_CNONCE),
    )
    assert.equal(
      answers.value('GET', '/dir/index.html').replaceAll(cnonceStandIn, RFC_7616_CNONCE),
      'Digest username="Mufasa", realm="http-auth@example.org", ' +
        `nonce="${RFC_7616_NONCE}", uri="/dir/index.html", qop=auth, nc=00000001, ` +
        `response="${response}", cnonce="${RFC_7616_CNONCE}", algorithm=${algorithm}, ` +
        'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    )
  })
}

/** Our client nonces are hexadecimal, those of the RFCs are not: this one is replaced by theirs. */
const cnonceStandIn = 'c0'.repeat(16)

/** A port that hashes `cnonce` wherever we would hash our own client nonce. */
function withCnonce(cnonce: string): HashPort {
  return {
    ...hashesWith(Uint8Array.of(0xc0)),
    hash: (algorithm, bytes) => {
      const text = Buffer.from(bytes).toString('latin1').replaceAll(cnonceStandIn, cnonce)
      return nodeHashes.hash(algorithm, latin1Bytes(text))
    },
  }
}

test('DigestAnswers gives the answer of RFC 7616 3.9.2, as its erratum 4897 corrects it', () => {
  const cnonce = 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v'
  const answers = answersTo(
    'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, ' +
      'nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", ' +
      'opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
    { user: 'J\u00e4s\u00f8n Doe', password: 'Secret, or not?' },
    withCnonce(cnonce),
  )
  const params = paramsOf(answers.value('GET', '/doe.json'))
  assert.equal(
    params.get('username'),
    '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
  )
  assert.equal(
    params.get('response'),
    '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  )
  assert.equal(params.get('userhash'), 'true')
})

const RFC_2617 =
  'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
  'opaque="5ccc069c403ebaf9f0171e9517f40e41"'
const RFC_2617_USER = { user: 'Mufasa', password: 'Circle Of Life' }

test('DigestAnswers gives the answer of RFC 2617 3.5', () => {
  const answers = answersTo(
    `${RFC_2617}, qop="auth,auth-int"`,
    RFC_2617_USER,
    withCnonce('0a4f113b'),
  )
  const params = paramsOf(answers.value('GET', '/dir/index.html'))
  assert.equal(params.get('response'), '6629fae49393a05397450978507c4ef1')
  assert.equal(params.has('algorithm'), false)
})

test('DigestAnswers speaks the form of RFC 2069 where no qop is asked for', () => {
  for (const qop of ['', ', qop=""', ', qop=" , "']) {
    const value = answersTo(`${RFC_2617}${qop}`, RFC_2617_USER).value('GET', '/dir/index.html')
    assert.equal(
      value,
      'Digest username="Mufasa", realm="testrealm@host.com", ' +
        'nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", ' +
        'response="670fd8c2df070c60b045671b8b24ff02", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    )
  }
})

test('DigestAnswers hashes nonces into the key for -sess, and says the client nonce', () => {
  const hashes = hashesWith(Uint8Array.of(0xab))
  const cnonce = 'ab'.repeat(16)
  const a1 = md5(`${md5('Mufasa:r:Circle of Life')}:n:${cnonce}`)
  const counted = answersTo('Digest realm=r, nonce=n, qop=auth, algorithm=md5-SESS', MUFASA, hashes)
  const params = paramsOf(counted.value('POST', '/x?y=1'))
  assert.equal(params.get('response'), md5(`${a1}:n:00000001:${cnonce}:auth:${md5('POST:/x?y=1')}`))
  assert.equal(params.get('algorithm'), 'MD5-sess')
  const plain = answersTo('Digest realm=r, nonce=n, algorithm=MD5-sess', MUFASA, hashes)
  const plainParams = paramsOf(plain.value('PUT', '/'))
  assert.equal(plainParams.get('response'), md5(`${a1}:n:${md5('PUT:/')}`))
  assert.equal(plainParams.get('cnonce'), cnonce)
})

test('DigestAnswers counts requests of a nonce in hexadecimal, anew with the next', () => {
  const answers = answersTo('Digest realm=r, nonce=n1, qop=auth')
  const counts: (string | undefined)[] = []
  for (let index = 0; index < 17; index++) {
    counts.push(paramsOf(answers.value('GET', `/${index % 3}`)).get('nc'))
  }
  assert.deepEqual(counts.slice(0, 2), ['00000001', '00000002'])
  assert.deepEqual(counts.slice(15), ['00000010', '00000011'])
  const before = paramsOf(answers.value('GET', '/')).get('cnonce')
  answers.renew(challengeOf('Digest realm=r, nonce=n2, qop=auth')!)
  const after = paramsOf(answers.value('GET', '/'))
  assert.deepEqual([after.get('nonce'), after.get('nc')], ['n2', '00000001'])
  assert.notEqual(after.get('cnonce'), before)
})

test('DigestAnswers answers each request for itself, whatever it remembers of the last', () => {
  const requests = fc.array(
    fc.tuple(fc.constantFrom('GET', 'POST', 'DELETE'), fc.constantFrom('/', '/a', '/a"b\\c', '*')),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(requests, fc.boolean(), (all, hasQop) => {
      const qop = hasQop ? ', qop=auth' : ''
      const answers = answersTo(`Digest realm=r, nonce=n${qop}`)
      const a1 = md5('Mufasa:r:Circle of Life')
      for (const [method, requestTarget] of all) {
        const params = paramsOf(answers.value(method, requestTarget))
        const counter = hasQop ? `${params.get('nc')}:${params.get('cnonce')}:auth:` : ''
        const a2 = md5(`${method}:${requestTarget}`)
        assert.equal(params.get('uri'), requestTarget)
        assert.equal(params.get('response'), md5(`${a1}:n:${counter}${a2}`))
      }
    }),
  )
})

test('DigestAnswers uses another algorithm from the next challenge on', () => {
  const answers = answersTo('Digest realm=r, nonce=n, qop=auth, algorithm=MD5')
  answers.value('GET', '/')
  answers.renew(challengeOf('Digest realm=r, nonce=n, algorithm=SHA-256')!)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  assert.equal(
    paramsOf(answers.value('GET', '/')).get('response'),
    sha256(`${sha256('Mufasa:r:Circle of Life')}:n:${sha256('GET:/')}`),
  )
})

const userForms: readonly (readonly [user: string, challenge: string, param: string])[] = [
  ['plain', '', 'username="plain"'],
  ['DOM\\us"er', '', 'username="DOM\\\\us\\"er"'],
  ['J\u00e4s', '', 'username="J\u00c3\u00a4s"'],
  ['J\u00e4s \u00f8', ', charset=UTF-8', "username*=UTF-8''J%C3%A4s%20%C3%B8"],
  ['a\r\nX: y', '', "username*=UTF-8''a%0D%0AX%3A%20y"],
]

for (const [user, extra, param] of userForms) {
  test(`DigestAnswers writes the name ${JSON.stringify(user)} as ${param}`, () => {
    const answers = answersTo(`Digest realm=r, nonce=n${extra}`, { user, password: 'p' })
    assert.ok(answers.value('GET', '/').startsWith(`Digest ${param}, realm="r"`))
  })
}

test('DigestAnswers lets nothing out that would end the field, whatever comes in', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, text, (user, password, fields) => {
      const challenge = challengeOf(`Digest realm="r", nonce="n", ${fields}`)
      if (challenge === undefined) return
      const credentials: AuthCredentials = { user, password }
      const value = new DigestAnswers(credentials, challenge, nodeHashes).value('GET', '/')
      assert.match(value, /^[\t\x20-\x7e\x80-\xff]+$/)
    }),
    { numRuns: 1000 },
  )
})

test('readDigestChallenge() refuses what cannot be answered', () => {
  const unusable = [
    'Digest nonce=n',
    'Digest realm=r',
    'Digest realm=r, nonce=n, algorithm=SHA-1',
    'Digest realm=r, nonce=n, algorithm=""',
    'Digest realm=r, nonce=n, qop=auth-int',
    'Digest realm=r, nonce=n, qop="auth-conf, auth-int"',
  ]
  for (const text of unusable) assert.equal(challengeOf(text), undefined, text)
  const usable = [
    'Digest realm="", nonce=""',
    'Digest realm=r, nonce=n, algorithm=" sha-256 "',
    'Digest realm=r, nonce=n, qop="auth-int, auth"',
    'Digest realm=r, nonce=n, qop="AUTH"',
  ]
  for (const text of usable) assert.notEqual(challengeOf(text), undefined, text)
  assert.equal(challengeOf('Digest realm=r, nonce=n, stale=TRUE')?.isStale, true)
  assert.equal(challengeOf('Digest realm=r, nonce=n, stale=false')?.isStale, false)
})
