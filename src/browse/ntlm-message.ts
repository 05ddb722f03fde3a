/**
 * The three messages of NTLM as bytes (MS-NLMP, section 2.2.1): writes the first and the last,
 * reads the second.
 *
 * It knows layout only; what the last one says is worked out in `auth-ntlm.ts`. A message read
 * is never trusted: every offset and length in it is checked.
 */
import { latin1Text } from './auth-text.ts'

/** MS-NLMP, section 2.2.2.5. */
export const NtlmFlag = {
  unicode: 0x0000_0001,
  oem: 0x0000_0002,
  requestTarget: 0x0000_0004,
  ntlm: 0x0000_0200,
  alwaysSign: 0x0000_8000,
  extendedSecurity: 0x0008_0000,
  targetInfo: 0x0080_0000,
  bits128: 0x2000_0000,
  bits56: 0x8000_0000,
} as const

/**
 * No exchange of keys: it would encrypt a session key that HTTP never uses. The key lengths are
 * offered since a server may be told to refuse clients that know less.
 */
const OFFERED_FLAGS =
  NtlmFlag.unicode |
  NtlmFlag.oem |
  NtlmFlag.requestTarget |
  NtlmFlag.ntlm |
  NtlmFlag.alwaysSign |
  NtlmFlag.extendedSecurity |
  NtlmFlag.bits128 |
  NtlmFlag.bits56

const SIGNATURE = 'NTLMSSP\0'
const NEGOTIATE_BYTES = 40
const CHALLENGE_BYTES_MIN = 32
const TARGET_INFO_AT = 40
/** The last message's fixed part, which ends with the 16 bytes of the integrity code, if any. */
const AUTHENTICATE_BYTES = 72
const MIC_BYTES = 16

/** Section 2.2.2.1. */
export const AvId = { end: 0, flags: 6, timestamp: 7 } as const

export interface AvPair {
  readonly id: number
  readonly value: Uint8Array
}

export interface NtlmChallenge {
  /** The whole message: the integrity code covers it. */
  readonly bytes: Uint8Array
  readonly flags: number
  /** 8 bytes. */
  readonly serverChallenge: Uint8Array
  /** Without the pair that ends the list. */
  readonly targetInfo: readonly AvPair[]
}

export interface NtlmAuthenticate {
  readonly lmResponse: Uint8Array
  readonly ntResponse: Uint8Array
  readonly domain: string
  readonly user: string
  readonly workstation: string
  readonly flags: number
  /** Leaves zeros for the integrity code, at `MIC_AT`. */
  readonly hasMic: boolean
}

export const MIC_AT: number = AUTHENTICATE_BYTES

/** NEGOTIATE_MESSAGE, which is always the same. */
export function negotiateMessage(): Uint8Array {
  const view = new DataView(new ArrayBuffer(NEGOTIATE_BYTES))
  writeStart(view, 1)
  view.setUint32(12, OFFERED_FLAGS, true)
  // Neither domain nor workstation are told: two empty fields that point to the end.
  view.setUint32(20, NEGOTIATE_BYTES, true)
  view.setUint32(28, NEGOTIATE_BYTES, true)
  return new Uint8Array(view.buffer)
}

/** CHALLENGE_MESSAGE, or undefined if it is broken. */
export function readNtlmChallenge(bytes: Uint8Array): NtlmChallenge | undefined {
  if (bytes.length < CHALLENGE_BYTES_MIN) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (latin1Text(bytes.subarray(0, 8)) !== SIGNATURE || view.getUint32(8, true) !== 2) {
    return undefined
  }
  const flags = view.getUint32(20, true)
  const hasTargetInfo = (flags & NtlmFlag.targetInfo) !== 0 && bytes.length >= TARGET_INFO_AT + 8
  const info = hasTargetInfo ? fieldBytes(view, bytes, TARGET_INFO_AT) : new Uint8Array(0)
  const targetInfo = info === undefined ? undefined : readAvPairs(info)
  if (targetInfo === undefined) return undefined
  return { bytes, flags, serverChallenge: bytes.slice(24, 32), targetInfo }
}

function fieldBytes(view: DataView, bytes: Uint8Array, at: number): Uint8Array | undefined {
  const byteCount = view.getUint16(at, true)
  const offset = view.getUint32(at + 4, true)
  return offset + byteCount > bytes.length ? undefined : bytes.subarray(offset, offset + byteCount)
}

function readAvPairs(bytes: Uint8Array): readonly AvPair[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const pairs: AvPair[] = []
  let at = 0
  while (at + 4 <= bytes.length) {
    const id = view.getUint16(at, true)
    if (id === AvId.end) return pairs
    const valueEnd = at + 4 + view.getUint16(at + 2, true)
    if (valueEnd > bytes.length) return undefined
    pairs.push({ id, value: bytes.slice(at + 4, valueEnd) })
    at = valueEnd
  }
  return at === bytes.length ? pairs : undefined
}

/** The pairs as bytes, with the pair that ends the list. */
export function avPairsBytes(pairs: readonly AvPair[]): Uint8Array {
  const byteCount = pairs.reduce((sum, { value }) => sum + 4 + value.length, 4)
  const view = new DataView(new ArrayBuffer(byteCount))
  const bytes = new Uint8Array(view.buffer)
  let at = 0
  for (const { id, value } of pairs) {
    view.setUint16(at, id, true)
    view.setUint16(at + 2, value.length, true)
    bytes.set(value, at + 4)
    at += 4 + value.length
  }
  return bytes
}

/** AUTHENTICATE_MESSAGE. Its flags are those that both sides know. */
export function authenticateMessage(parts: NtlmAuthenticate): Uint8Array {
  const isUnicode = (parts.flags & NtlmFlag.unicode) !== 0
  const textBytes = isUnicode ? utf16Bytes : oemBytes
  const fields = [
    parts.lmResponse,
    parts.ntResponse,
    textBytes(parts.domain),
    textBytes(parts.user),
    textBytes(parts.workstation),
    // No session key is sent.
    new Uint8Array(0),
  ]
  let payloadAt = AUTHENTICATE_BYTES + (parts.hasMic ? MIC_BYTES : 0)
  const byteCount = fields.reduce((sum, field) => sum + field.length, payloadAt)
  const view = new DataView(new ArrayBuffer(byteCount))
  const bytes = new Uint8Array(view.buffer)
  writeStart(view, 3)
  for (const [index, field] of fields.entries()) {
    const at = 12 + index * 8
    view.setUint16(at, field.length, true)
    view.setUint16(at + 2, field.length, true)
    view.setUint32(at + 4, payloadAt, true)
    bytes.set(field, payloadAt)
    payloadAt += field.length
  }
  view.setUint32(60, agreedFlags(parts.flags), true)
  return bytes
}

function agreedFlags(serverFlags: number): number {
  const agreed = serverFlags & (OFFERED_FLAGS | NtlmFlag.targetInfo)
  // Only one character set can be in use.
  return (agreed & NtlmFlag.unicode) === 0 ? agreed : agreed & ~NtlmFlag.oem
}

function writeStart(view: DataView, messageType: number): void {
  for (let at = 0; at < SIGNATURE.length; at++) view.setUint8(at, SIGNATURE.charCodeAt(at))
  view.setUint32(8, messageType, true)
}

/** UTF-16, little-endian. */
export function utf16Bytes(text: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true)
  return new Uint8Array(view.buffer)
}

/** For servers that know no Unicode. Their code page is unknown, so only ASCII is sure to fit. */
function oemBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0)
    return code > 0x7f ? 0x3f : code
  })
}
