/**
 * NTLM by the vectors of MS-NLMP 4.2.4, by one login that another implementation's server has let
 * in, and by broken messages.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashesWith, nodeHashes } from '../../test/support/hashes.ts'
import { fc } from '../../test/support/property.ts'
import {
  ntlmAccount,
  ntlmAuthenticateValue,
  ntlmNegotiateValue,
  ntlmResponses,
} from './auth-ntlm.ts'
import { base64Bytes, base64Text, hexText, latin1Text } from './auth-text.ts'
import { AvId, MIC_AT, NtlmFlag, negotiateMessage, readNtlmChallenge } from './ntlm-message.ts'

const UNIX_MS = Date.UTC(2025, 0, 2)
const USER = { user: 'Domain\\User', password: 'Password' }
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'))
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** MS-NLMP 4.2.4.3: the challenge of the NTLMv2 example. */
const MS_CHALLENGE = fromHex(`
  4e544c4d53535000 02000000 0c000c0038000000 338a8ae2 0123456789abcdef 0000000000000000
  2400240044000000 0600701700 00000f 530065007200760065007200
  02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000`)

/** A challenge with these pairs; `flags` beside the one that there are pairs. */
function challengeBytes(
  pairs: readonly (readonly [id: number, value: Uint8Array])[],
  flags: number = NtlmFlag.unicode,
): Uint8Array {
  const info = Buffer.concat([
    ...pairs.flatMap(([id, value]) => [
      Uint8Array.of(id & 0xff, id >> 8, value.length & 0xff, value.length >> 8),
      value,
    ]),
    new Uint8Array(4),
  ])
  const head = Buffer.alloc(48)
  head.write('NTLMSSP\0', 'latin1')
  head.writeUInt32LE(2, 8)
  head.writeUInt32LE((flags | NtlmFlag.targetInfo) >>> 0, 20)
  head.write('0123456789abcdef', 24, 'hex')
  head.writeUInt16LE(info.length, 40)
  head.writeUInt32LE(48, 44)
  return Uint8Array.from(Buffer.concat([head, info]))
}

interface ReadAnswer {
  readonly lm: Buffer
  readonly nt: Buffer
  readonly domain: Buffer
  readonly user: Buffer
  readonly workstation: Buffer
  readonly key: Buffer
  readonly flags: number
  readonly payloadAt: number
  readonly bytes: Buffer
}

function readAnswer(value: string | undefined): ReadAnswer {
  assert.ok(value !== undefined)
  assert.equal(value.slice(0, 5), 'NTLM ')
  const bytes = Buffer.from(value.slice(5), 'base64')
  assert.equal(bytes.toString('latin1', 0, 8), 'NTLMSSP\0')
  assert.equal(bytes.readUInt32LE(8), 3)
  const fields = [12, 20, 28, 36, 44, 52].map((at) => {
    const start = bytes.readUInt32LE(at + 4)
    const end = start + bytes.readUInt16LE(at)
    assert.ok(end <= bytes.length)
    return bytes.subarray(start, end)
  })
  const [lm, nt, domain, user, workstation, key] = fields
  assert.ok(lm && nt && domain && user && workstation && key)
  const flags = bytes.readUInt32LE(60)
  return { lm, nt, domain, user, workstation, key, flags, payloadAt: bytes.readUInt32LE(16), bytes }
}

function answerTo(message: Uint8Array, credentials = USER, hashes = nodeHashes) {
  const value = ntlmAuthenticateValue(base64Text(message), credentials, { hashes, unixMs: UNIX_MS })
  return readAnswer(value)
}

test('ntlmResponses() are those of MS-NLMP 4.2.4', () => {
  const challenge = readNtlmChallenge(MS_CHALLENGE)
  assert.ok(challenge !== undefined)
  assert.equal(hexText(challenge.serverChallenge), '0123456789abcdef')
  const responses = ntlmResponses(
    {
      challenge,
      credentials: USER,
      clientChallenge: fromHex('aaaaaaaaaaaaaaaa'),
      // The example's clock stands at the beginning of Windows' time.
      unixMs: -11_644_473_600_000,
    },
    nodeHashes,
  )
  const blob = `
    0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000
    02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000 00000000`
  assert.equal(
    hexText(responses.ntResponse),
    `68cd0ab851e51c96aabc927bebef6a1c${blob.replace(/\s/g, '')}`,
  )
  assert.equal(hexText(responses.lmResponse), '86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa')
  assert.equal(hexText(responses.sessionKey), '8de40ccadbc14a82f15cb0ad0de95ca3')
  assert.equal(responses.hasMic, false)
})

test('ntlmAuthenticateValue() is what a server of another make (pyspnego) has accepted', () => {
  const challenge =
    'TlRMTVNTUAACAAAABAAEADAAAAAFgoqgQjBQ/75wwMcAAAAAAAAAADoAOgA0AAAAVgBNAAEABABWAE0AAgAWAFcA' +
    'TwBSAEsAUwBUAEEAVABJAE8ATgADAAQAdgBtAAcACABS5gp9NIHdAQAAAAA='
  const accepted =
    'TlRMTVNTUAADAAAAGAAYAFgAAAByAHIAcAAAAAYABgDiAAAACAAIAOgAAAAWABYA8AAAAAAAAAAGAQAABYKIoAAA' +
    'AAAAAAAAWnJnDCnvJXx+J5B2Euo1wgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM2PrGM3ovPFbzmFbQ2hgPYBAQAA' +
    'AAAAAFLmCn00gd0BqqqqqqqqqqoAAAAAAQAEAFYATQACABYAVwBPAFIASwBTAFQAQQBUAEkATwBOAAMABAB2AG0A' +
    'BwAIAFLmCn00gd0BBgAEAAIAAAAAAAAAAAAAAEQATwBNAFUAcwBlAHIAVwBPAFIASwBTAFQAQQBUAEkATwBOAA=='
  const hashes = hashesWith(Uint8Array.of(0xaa))
  const credentials = { user: 'DOM\\User', password: 'P\u00e4ssword' }
  const value = ntlmAuthenticateValue(challenge, credentials, { hashes, unixMs: UNIX_MS })
  assert.equal(value, `NTLM ${accepted}`)
})

test('ntlmNegotiateValue is a first message without names', () => {
  const bytes = Buffer.from(ntlmNegotiateValue.slice('NTLM '.length), 'base64')
  assert.equal(bytes.toString('latin1', 0, 8), 'NTLMSSP\0')
  assert.equal(bytes.readUInt32LE(8), 1)
  assert.deepEqual([bytes.readUInt16LE(16), bytes.readUInt16LE(24)], [0, 0])
  // Neither version 1's weak form alone nor a key exchange that we could not do.
  assert.equal(bytes.readUInt32LE(12) & 0x4000_0000, 0)
  assert.notEqual(bytes.readUInt32LE(12) & NtlmFlag.extendedSecurity, 0)
})

test('ntlmAuthenticateValue() says who, in the character set of the server', () => {
  const unicode = answerTo(MS_CHALLENGE)
  assert.deepEqual(unicode.domain, utf16('Domain'))
  assert.deepEqual(unicode.user, utf16('User'))
  assert.deepEqual(unicode.workstation, utf16('WORKSTATION'))
  assert.equal(unicode.key.length, 0)
  assert.equal(unicode.flags & (NtlmFlag.unicode | NtlmFlag.oem), NtlmFlag.unicode)
  assert.equal(unicode.payloadAt, MIC_AT)
  const oem = answerTo(challengeBytes([], NtlmFlag.oem), { user: 'D\\J\u00e4s', password: 'p' })
  assert.deepEqual([oem.domain.toString('latin1'), oem.user.toString('latin1')], ['D', 'J?s'])
  assert.equal(oem.flags & (NtlmFlag.unicode | NtlmFlag.oem), NtlmFlag.oem)
})

test('ntlmAuthenticateValue() has our time, or the one of the server and an integrity code', () => {
  const ours = answerTo(challengeBytes([]))
  const fileTime = (BigInt(UNIX_MS) + 11_644_473_600_000n) * 10_000n
  assert.equal(ours.nt.readBigUInt64LE(24), fileTime)
  assert.notDeepEqual(ours.lm, Buffer.alloc(24))

  const serverTime = fromHex('0102030405060708')
  const theirs = answerTo(challengeBytes([[AvId.timestamp, serverTime]]))
  assert.deepEqual([...theirs.nt.subarray(24, 32)], [...serverTime])
  assert.deepEqual(theirs.lm, Buffer.alloc(24))
  assert.equal(theirs.payloadAt, MIC_AT + 16)
  assert.notDeepEqual(theirs.bytes.subarray(MIC_AT, MIC_AT + 16), Buffer.alloc(16))
})

test('ntlmAuthenticateValue() marks the integrity code in flags found or added', () => {
  const time = [AvId.timestamp, new Uint8Array(8)] as const
  // After the proof (16 bytes) and the head of the blob (28 bytes) come the pairs.
  const pairsOf = (answer: ReadAnswer) => hexText(answer.nt.subarray(44, -8))
  const timePair = '070008000000000000000000'
  assert.equal(pairsOf(answerTo(challengeBytes([time]))), `${timePair}0600040002000000`)
  const withFlags = challengeBytes([[AvId.flags, fromHex('01000000')], time])
  assert.equal(pairsOf(answerTo(withFlags)), `0600040003000000${timePair}`)
})

test('ntlmAuthenticateValue() computes the code over all three messages', () => {
  const message = challengeBytes([[AvId.timestamp, fromHex('0102030405060708')]])
  const hashes = hashesWith(Uint8Array.of(0xaa))
  const { bytes } = answerTo(message, USER, hashes)
  const challenge = readNtlmChallenge(message)
  assert.ok(challenge !== undefined)
  const { sessionKey } = ntlmResponses(
    { challenge, credentials: USER, clientChallenge: new Uint8Array(8).fill(0xaa), unixMs: 0 },
    nodeHashes,
  )
  const code = bytes.subarray(MIC_AT, MIC_AT + 16)
  const expected = Buffer.from(code)
  code.fill(0)
  const all = Buffer.concat([negotiateMessage(), message, bytes])
  assert.deepEqual(Buffer.from(nodeHashes.hmacMd5(sessionKey, all)), expected)
})

test('ntlmResponses() do not depend on the case of the name, letter by letter', () => {
  const challenge = readNtlmChallenge(MS_CHALLENGE)
  assert.ok(challenge !== undefined)
  const keyOf = (user: string) => {
    const credentials = { user, password: 'p' }
    const clientChallenge = new Uint8Array(8)
    const question = { challenge, credentials, clientChallenge, unixMs: 0 }
    return hexText(ntlmResponses(question, nodeHashes).sessionKey)
  }
  assert.equal(keyOf('D\\j\u00e4ger\u00df'), keyOf('D\\J\u00c4GER\u00df'))
  assert.notEqual(keyOf('D\\a\u00df'), keyOf('D\\ASS'))
  assert.notEqual(keyOf('D\\user'), keyOf('d\\user'))
})

test('ntlmAccount() takes a domain apart and leaves an address whole', () => {
  assert.deepEqual(ntlmAccount('DOM\\user'), { domain: 'DOM', user: 'user' })
  assert.deepEqual(ntlmAccount('user@dom.example'), { domain: '', user: 'user@dom.example' })
  assert.deepEqual(ntlmAccount('user'), { domain: '', user: 'user' })
})

test('ntlmAuthenticateValue() refuses broken messages', () => {
  const wrong = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(challengeBytes([[AvId.timestamp, new Uint8Array(8)]]))
    change(bytes)
    return bytes
  }
  const broken: readonly Uint8Array[] = [
    new Uint8Array(0),
    MS_CHALLENGE.subarray(0, 31),
    wrong((bytes) => bytes.write('X')),
    wrong((bytes) => bytes.writeUInt32LE(1, 8)),
    wrong((bytes) => bytes.writeUInt32LE(0xffff_ffff, 44)),
    wrong((bytes) => bytes.writeUInt16LE(0xffff, 40)),
    wrong((bytes) => bytes.writeUInt16LE(0xffff, 50)),
  ]
  const options = { hashes: nodeHashes, unixMs: UNIX_MS }
  for (const bytes of broken) {
    assert.equal(ntlmAuthenticateValue(base64Text(bytes), USER, options), undefined)
  }
  for (const text of ['x', '====', 'a b', '\u00e9']) {
    assert.equal(ntlmAuthenticateValue(text, USER, options), undefined)
  }
})

test('ntlmAuthenticateValue() takes a message in which anything is changed', () => {
  const options = { hashes: nodeHashes, unixMs: UNIX_MS }
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const changes = fc.array(
    fc.tuple(fc.nat({ max: MS_CHALLENGE.length - 1 }), fc.nat({ max: 255 })),
    { maxLength: 8 },
  )
  const tail = fc.uint8Array({ maxLength: 100 })
  let answerCount = 0
  fc.assert(
    fc.property(changes, tail, text, text, (all, extra, user, password) => {
      const bytes = Buffer.concat([MS_CHALLENGE, extra])
      for (const [at, byte] of all) bytes[at] = byte
      const value = ntlmAuthenticateValue(base64Text(bytes), { user, password }, options)
      if (value === undefined) return
      answerCount++
      readAnswer(value)
    }),
    { numRuns: 1000 },
  )
  assert.ok(answerCount > 0)
})

test('base64Bytes() is the reverse of base64Text() and refuses what is no base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = base64Text(bytes)
      assert.equal(text, Buffer.from(bytes).toString('base64'))
      assert.deepEqual(base64Bytes(text), bytes)
      assert.deepEqual(base64Bytes(text.replace(/=+$/, '')), bytes)
    }),
  )
  for (const text of ['a', 'ab=c', 'a\n==', '====', '_-'])
    assert.equal(base64Bytes(text), undefined)
  assert.equal(latin1Text(new Uint8Array(10_000).fill(0x61)).length, 10_000)
})
