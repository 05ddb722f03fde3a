/**
 * NTLM login, version 2 only (MS-NLMP, section 3.3.2): what to say first, and what to answer.
 *
 * Two requests on one connection, which is logged in from then on. Version 1 is refused, since its
 * answers can be broken. Of what Windows adds of its own accord, the channel binding and the name
 * of the service are left out: a server must take their absence for an older client, while wrong
 * ones are refused.
 */
import { type AuthCredentials, base64Bytes, base64Text, type HashPort } from './auth-text.ts'
import { md4 } from './md4.ts'
import {
  AvId,
  type AvPair,
  authenticateMessage,
  avPairsBytes,
  MIC_AT,
  type NtlmChallenge,
  negotiateMessage,
  readNtlmChallenge,
  utf16Bytes,
} from './ntlm-message.ts'

/** Said instead of the name of the machine, which is nobody's business. */
const WORKSTATION = 'WORKSTATION'
const CLIENT_CHALLENGE_BYTES = 8
/** From 1601, where Windows counts from, to 1970. */
const FILE_TIME_OFFSET_MS = 11_644_473_600_000n
const FILE_TIMES_PER_MS = 10_000n
/** MsvAvFlags: the message has an integrity code. */
const HAS_MIC_FLAG = 2

export interface NtlmAccount {
  readonly domain: string
  readonly user: string
}

/** `DOMAIN\user` is taken apart; `user@domain` stays whole, as the directory wants it. */
export function ntlmAccount(user: string): NtlmAccount {
  const backslash = user.indexOf('\\')
  if (backslash === -1) return { domain: '', user }
  return { domain: user.slice(0, backslash), user: user.slice(backslash + 1) }
}

/** The value that begins a login. */
export const ntlmNegotiateValue: string = `NTLM ${base64Text(negotiateMessage())}`

/**
 * The value that answers a server's message, given as it stands behind `NTLM`; undefined if it is
 * broken. `unixMs` is milliseconds since 1970.
 */
export function ntlmAuthenticateValue(
  message: string,
  credentials: AuthCredentials,
  { hashes, unixMs }: { hashes: HashPort; unixMs: number },
): string | undefined {
  const bytes = base64Bytes(message)
  const challenge = bytes === undefined ? undefined : readNtlmChallenge(bytes)
  if (challenge === undefined) return undefined
  const clientChallenge = hashes.randomBytes(CLIENT_CHALLENGE_BYTES)
  const answer = ntlmAnswer({ challenge, credentials, clientChallenge, unixMs }, hashes)
  return `NTLM ${base64Text(answer)}`
}

export interface NtlmQuestion {
  readonly challenge: NtlmChallenge
  readonly credentials: AuthCredentials
  /** 8 bytes. */
  readonly clientChallenge: Uint8Array
  readonly unixMs: number
}

function ntlmAnswer(question: NtlmQuestion, hashes: HashPort): Uint8Array {
  const { challenge, credentials } = question
  const { domain, user } = ntlmAccount(credentials.user)
  const { lmResponse, ntResponse, sessionKey, hasMic } = ntlmResponses(question, hashes)
  const message = authenticateMessage({
    lmResponse,
    ntResponse,
    domain,
    user,
    workstation: WORKSTATION,
    flags: challenge.flags,
    hasMic,
  })
  if (hasMic) {
    const all = joined(negotiateMessage(), challenge.bytes, message)
    message.set(hashes.hmacMd5(sessionKey, all), MIC_AT)
  }
  return message
}

export interface NtlmResponses {
  readonly lmResponse: Uint8Array
  readonly ntResponse: Uint8Array
  readonly sessionKey: Uint8Array
  readonly hasMic: boolean
}

/**
 * The two responses. A server that tells its time gets an integrity code, that time again, and
 * zeros instead of the weaker response (section 3.1.5.1.2).
 */
export function ntlmResponses(question: NtlmQuestion, hashes: HashPort): NtlmResponses {
  const { challenge, credentials, clientChallenge, unixMs } = question
  const { domain, user } = ntlmAccount(credentials.user)
  const key = hashes.hmacMd5(
    md4(utf16Bytes(credentials.password)),
    utf16Bytes(upperCase(user) + domain),
  )
  const serverTime = challenge.targetInfo.find(
    ({ id, value }) => id === AvId.timestamp && value.length === 8,
  )
  const hasMic = serverTime !== undefined
  const pairs = hasMic ? withMicFlag(challenge.targetInfo) : challenge.targetInfo
  const blob = joined(
    // Version of the response and the highest one known, and six zeros.
    Uint8Array.of(1, 1, 0, 0, 0, 0, 0, 0),
    serverTime?.value ?? fileTimeBytes(unixMs),
    clientChallenge,
    new Uint8Array(4),
    avPairsBytes(pairs),
    new Uint8Array(4),
  )
  const proof = hashes.hmacMd5(key, joined(challenge.serverChallenge, blob))
  const lmProof = hashes.hmacMd5(key, joined(challenge.serverChallenge, clientChallenge))
  return {
    ntResponse: joined(proof, blob),
    lmResponse: hasMic ? new Uint8Array(24) : joined(lmProof, clientChallenge),
    sessionKey: hashes.hmacMd5(key, proof),
    hasMic,
  }
}

function withMicFlag(pairs: readonly AvPair[]): readonly AvPair[] {
  const flags = pairs.find(({ id }) => id === AvId.flags)
  const value = new Uint8Array(4)
  value.set((flags?.value ?? value).subarray(0, 4))
  value[0]! |= HAS_MIC_FLAG
  const pair = { id: AvId.flags, value }
  if (flags === undefined) return [...pairs, pair]
  return pairs.map((other) => (other === flags ? pair : other))
}

/** Letter by letter, as Windows does it: `ß` stays, where JavaScript would write `SS`. */
function upperCase(text: string): string {
  return Array.from(text, (letter) => {
    const upper = letter.toUpperCase()
    return upper.length === letter.length ? upper : letter
  }).join('')
}

/** 100-nanosecond steps since 1601. */
function fileTimeBytes(unixMs: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  const fileTime = (BigInt(Math.floor(unixMs)) + FILE_TIME_OFFSET_MS) * FILE_TIMES_PER_MS
  view.setBigUint64(0, fileTime, true)
  return new Uint8Array(view.buffer)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
