/**
 * What a Digest challenge (RFC 7616, section 3.3) asks for, and whether it can be answered.
 *
 * It is lenient where servers are careless (no `algorithm`, blanks in the list of `qop`) and
 * refuses what would need the body's hash (`auth-int` alone) or a hash that nobody knows.
 */
import type { HashAlgorithm } from './auth-text.ts'
import type { Challenge } from './challenge.ts'

export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly algorithm: DigestAlgorithm
  /** The server named the algorithm, so it is named in the answer. */
  readonly isAlgorithmNamed: boolean
  /** False: the form of RFC 2069, without counters. */
  readonly hasQop: boolean
  /** The nonce was too old, and nothing was wrong with the credentials. */
  readonly isStale: boolean
  readonly isUserHashed: boolean
  readonly isUtf8: boolean
}

export interface DigestAlgorithm {
  /** As it is written in the answer. */
  readonly name: string
  readonly hash: HashAlgorithm
  /** Names and nonces are hashed into the key once a session. */
  readonly isSession: boolean
  /** The larger, the better. */
  readonly strength: number
}

const ALGORITHMS: readonly DigestAlgorithm[] = [
  { name: 'MD5', hash: 'md5', isSession: false, strength: 1 },
  { name: 'MD5-sess', hash: 'md5', isSession: true, strength: 1 },
  { name: 'SHA-256', hash: 'sha256', isSession: false, strength: 2 },
  { name: 'SHA-256-sess', hash: 'sha256', isSession: true, strength: 2 },
  { name: 'SHA-512-256', hash: 'sha512-256', isSession: false, strength: 3 },
  { name: 'SHA-512-256-sess', hash: 'sha512-256', isSession: true, strength: 3 },
]

/** Undefined where the challenge cannot be answered. */
export function readDigestChallenge({ params }: Challenge): DigestChallenge | undefined {
  const realm = params.get('realm')
  const nonce = params.get('nonce')
  const algorithmName = params.get('algorithm')
  const algorithm = algorithmOf(algorithmName ?? 'MD5')
  const qop = qopOf(params.get('qop'))
  if (realm === undefined || nonce === undefined) return undefined
  if (algorithm === undefined || qop === 'unusable') return undefined
  return {
    realm,
    nonce,
    opaque: params.get('opaque') ?? null,
    algorithm,
    isAlgorithmNamed: algorithmName !== undefined,
    hasQop: qop === 'auth',
    isStale: isTrue(params.get('stale')),
    isUserHashed: isTrue(params.get('userhash')),
    isUtf8: params.get('charset')?.toLowerCase() === 'utf-8',
  }
}

function algorithmOf(name: string): DigestAlgorithm | undefined {
  const wanted = name.trim().toLowerCase()
  return ALGORITHMS.find((algorithm) => algorithm.name.toLowerCase() === wanted)
}

function qopOf(list: string | undefined): 'auth' | 'none' | 'unusable' {
  const words = (list ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  if (words.length === 0) return 'none'
  return words.includes('auth') ? 'auth' : 'unusable'
}

function isTrue(word: string | undefined): boolean {
  return word?.toLowerCase() === 'true'
}
