/**
 * TLS over memory buffers: bytes of the socket in, plain bytes out, and the other way round.
 *
 * It knows OpenSSL and no sockets. One engine a thread; a session belongs to one connection. The
 * buffers for plain and encrypted output are the engine's and are used again with every call.
 */
import { readFileSync } from 'node:fs'
import { EnvironmentError } from '../../base/errors.ts'
import { FailureKind } from '../../metrics/outcome.ts'
import type { TlsPlan } from '../../plan/plan.ts'
import type { Ending, Endpoint, TlsFacts, TlsProfile } from '../reactor.ts'
import { literalFamily } from '../resolver.ts'
import { groupText } from './cipher-facts.ts'
import { cipherChoice } from './cipher-list.ts'
import type { Libc } from './libc.ts'
import { loadOpenSsl, type OpenSsl } from './openssl.ts'

/** More than a record holds. */
const BUFFER_BYTES = 65_536
export const OUTPUT_BYTES_MAX: number = BUFFER_BYTES
const SSL_CTRL_SET_MIN_PROTO_VERSION = 123
const SSL_CTRL_SET_MAX_PROTO_VERSION = 124
const SSL_CTRL_CHAIN_CERT = 89
const SSL_CTRL_SET_TLSEXT_HOSTNAME = 55
const SSL_CTRL_MODE = 33
const SSL_CTRL_GET_NEGOTIATED_GROUP = 134
/** Partial writes never happen over memory; buffers may move between tries. */
const SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 2
const SSL_MODE_RELEASE_BUFFERS = 0x10
const SSL_VERIFY_PEER = 1
const SSL_ERROR_WANT_READ = 2
const SSL_ERROR_WANT_WRITE = 3
const SSL_ERROR_ZERO_RETURN = 6
const X509_V_OK = 0
/** TLSEXT_nid_unknown: above it are numbers of groups by TLS's own count. */
const GROUP_OF_TLS = 0x100_0000
/** X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH. */
const MISMATCHES: ReadonlySet<number> = new Set([62, 64])
const SSL_SENT_AND_RECEIVED_SHUTDOWN = 3

const versionNumbers: Readonly<Record<string, number>> = {
  TLSv1: 0x301,
  'TLSv1.1': 0x302,
  'TLSv1.2': 0x303,
  'TLSv1.3': 0x304,
}

export class TlsEngine {
  readonly ssl: OpenSsl = loadOpenSsl()
  /** Plain bytes, as the last `decrypt` gave them. */
  readonly plain: { readonly address: number; readonly bytes: Uint8Array }
  /** Encrypted bytes to send. */
  readonly output: { readonly address: number; readonly bytes: Uint8Array }
  readonly #contexts = new Map<TlsPlan, number>()
  /** Sessions to resume, by what they are for. */
  readonly sessions: Map<TlsProfile, number> = new Map()

  constructor(libc: Libc) {
    this.plain = libc.map(BUFFER_BYTES)
    this.output = libc.map(BUFFER_BYTES)
  }

  open(profile: TlsProfile): TlsSession {
    return new TlsSession(this, this.#contextOf(profile.settings), profile)
  }

  #contextOf(settings: TlsPlan): number {
    const known = this.#contexts.get(settings)
    if (known !== undefined) return known
    const context = this.#makeContext(settings)
    this.#contexts.set(settings, context)
    return context
  }

  /** @throws {EnvironmentError} when OpenSSL does not take a setting. */
  #makeContext(settings: TlsPlan): number {
    const { ssl } = this
    const context = ssl.SSL_CTX_new(ssl.TLS_client_method())
    const { versionMin, versionMax, cert, key } = settings
    const versionOf = (name: string | null) => (name === null ? 0 : (versionNumbers[name] ?? 0))
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, versionOf(versionMin), 0)
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, versionOf(versionMax), 0)
    const modes = SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_MODE, modes, 0)
    this.#chooseCiphers(context, settings)
    if (cert !== null) this.#useCertificates(context, cert)
    if (key !== null) this.#useKey(context, key)
    if (settings.verify) this.#trust(context, settings.ca)
    return context
  }

  #chooseCiphers(context: number, settings: TlsPlan): void {
    const { ssl } = this
    const { list, suites } = cipherChoice(settings)
    const isTaken =
      (list === null || ssl.SSL_CTX_set_cipher_list(context, list) === 1) &&
      (suites === null || ssl.SSL_CTX_set_ciphersuites(context, suites) === 1)
    if (!isTaken)
      throw new EnvironmentError(`OpenSSL does not know the ciphers ${settings.ciphers}`)
  }

  /** The first certificate is ours, the others lead up to its authority. */
  #useCertificates(context: number, pem: string): void {
    const { ssl } = this
    const [own, ...chain] = this.#readCertificates(pem)
    if (own === undefined || ssl.SSL_CTX_use_certificate(context, own) !== 1) {
      throw new EnvironmentError('the client certificate cannot be used')
    }
    ssl.X509_free(own)
    for (const certificate of chain) {
      ssl.SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, certificate)
      ssl.X509_free(certificate)
    }
  }

  #useKey(context: number, pem: string): void {
    const { ssl } = this
    const key = this.#withBio(pem, (bio) => ssl.PEM_read_bio_PrivateKey(bio, 0, 0, 0))
    if (key === 0 || ssl.SSL_CTX_use_PrivateKey(context, key) !== 1) {
      throw new EnvironmentError('the key of the client certificate cannot be used')
    }
    ssl.EVP_PKEY_free(key)
  }

  /** Node's own roots, NODE_EXTRA_CA_CERTS, and what was given: as on every reactor. */
  #trust(context: number, ca: string | null): void {
    const { ssl } = this
    const store = ssl.SSL_CTX_get_cert_store(context)
    const { rootCertificates } = process.getBuiltinModule('node:tls')
    for (const pem of [...rootCertificates, extraCertificates(), ca ?? '']) {
      for (const certificate of this.#readCertificates(pem)) {
        ssl.X509_STORE_add_cert(store, certificate)
        ssl.X509_free(certificate)
      }
    }
    ssl.ERR_clear_error()
    ssl.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, 0)
  }

  #readCertificates(pem: string): number[] {
    const certificates: number[] = []
    this.#withBio(pem, (bio) => {
      for (;;) {
        const certificate = this.ssl.PEM_read_bio_X509(bio, 0, 0, 0)
        if (certificate === 0) break
        certificates.push(certificate)
      }
      return 0
    })
    this.ssl.ERR_clear_error()
    return certificates
  }

  #withBio(text: string, use: (bio: number) => number): number {
    const bio = this.ssl.BIO_new(this.ssl.BIO_s_mem())
    this.ssl.BIO_puts(bio, text)
    const result = use(bio)
    this.ssl.BIO_free(bio)
    return result
  }

  close(): void {
    for (const session of this.sessions.values()) this.ssl.SSL_SESSION_free(session)
    for (const context of this.#contexts.values()) this.ssl.SSL_CTX_free(context)
    this.sessions.clear()
    this.#contexts.clear()
  }
}

function extraCertificates(): string {
  const path = process.env.NODE_EXTRA_CA_CERTS
  if (path === undefined || path === '') return ''
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Node itself only warns about a file it cannot read, and has done so at its start.
    return ''
  }
}

export class TlsSession {
  readonly #engine: TlsEngine
  readonly #profile: TlsProfile
  readonly #ssl: number
  readonly #received: number
  readonly #toSend: number
  #failureText = ''
  #hasSession = false
  /** The connection's TLS is broken. */
  hasFailed = false
  /** The peer said in TLS that nothing more will come. */
  isFinished = false

  constructor(engine: TlsEngine, context: number, profile: TlsProfile) {
    const { ssl } = engine
    this.#engine = engine
    this.#profile = profile
    this.#ssl = ssl.SSL_new(context)
    this.#received = ssl.BIO_new(ssl.BIO_s_mem())
    this.#toSend = ssl.BIO_new(ssl.BIO_s_mem())
    ssl.SSL_set_bio(this.#ssl, this.#received, this.#toSend)
    ssl.SSL_set_connect_state(this.#ssl)
    const { serverName, verifiedName, settings } = profile
    if (serverName !== undefined) {
      ssl.SSL_ctrl(this.#ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, serverName)
    }
    if (settings.verify) {
      if (literalFamily(verifiedName) === 0) ssl.SSL_set1_host(this.#ssl, verifiedName)
      else ssl.X509_VERIFY_PARAM_set1_ip_asc(ssl.SSL_get0_param(this.#ssl), verifiedName)
    }
    const session = settings.resume ? engine.sessions.get(profile) : undefined
    if (session !== undefined) ssl.SSL_set_session(this.#ssl, session)
    // What a call has left in the thread's queue of errors would be taken for the handshake's.
    ssl.ERR_clear_error()
  }

  get outputAddress(): number {
    return this.#engine.output.address
  }

  /** HOT (bench/macro/main.ts). Takes bytes of the socket. */
  receive(address: number, byteCount: number): void {
    this.#engine.ssl.BIO_write(this.#received, address, byteCount)
  }

  handshake(): 'done' | 'more' | 'failed' {
    const { ssl } = this.#engine
    const result = ssl.SSL_do_handshake(this.#ssl)
    if (result === 1) return 'done'
    const error = ssl.SSL_get_error(this.#ssl, result)
    if (error === SSL_ERROR_WANT_READ || error === SSL_ERROR_WANT_WRITE) return 'more'
    this.#noteFailure()
    return 'failed'
  }

  /** What a handshake that is done has agreed on. */
  facts(): TlsFacts {
    const { ssl } = this.#engine
    const cipher = ssl.SSL_get_current_cipher(this.#ssl)
    const temporaryKey = this.#temporaryKey()
    ssl.ERR_clear_error()
    return {
      protocol: ssl.SSL_get_version(this.#ssl) ?? '',
      cipher: ssl.SSL_CIPHER_get_name(cipher) ?? '',
      keyBits: this.#peerKeyBits(),
      cipherBits: ssl.SSL_CIPHER_get_bits(cipher, 0),
      temporaryKey,
    }
  }

  #temporaryKey(): string | null {
    const { ssl } = this.#engine
    const group = ssl.SSL_ctrl(this.#ssl, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, '')
    if (group <= 0) return null
    // Groups that TLS alone knows, such as hybrid ones, have no other name and no single size.
    if (group >= GROUP_OF_TLS) return ssl.SSL_group_to_name(this.#ssl, group)
    return groupText(ssl.OBJ_nid2sn(group) ?? '')
  }

  #peerKeyBits(): number {
    const { ssl } = this.#engine
    const certificate = ssl.SSL_get1_peer_certificate(this.#ssl)
    if (certificate === 0) return 0
    const bits = ssl.EVP_PKEY_get_bits(ssl.X509_get0_pubkey(certificate))
    ssl.X509_free(certificate)
    return bits
  }

  /** HOT (bench/macro/main.ts). Plain bytes to be sent; then there is output. */
  encrypt(address: number, byteCount: number): void {
    this.#engine.ssl.SSL_write(this.#ssl, address, byteCount)
  }

  /** What `takeOutput` gave, valid until its next call. */
  get output(): Uint8Array {
    return this.#engine.output.bytes
  }

  /**
   * HOT (bench/macro/main.ts). Puts the next bytes for the socket at `outputAddress`; how many
   * these are. Fewer than `OUTPUT_BYTES_MAX` are the last ones.
   */
  takeOutput(): number {
    return this.readOutput(this.#engine.output.address, OUTPUT_BYTES_MAX)
  }

  /**
   * HOT (bench/macro/main.ts). Writes the next bytes for the socket to an address; how many these
   * are, none when there are no more.
   */
  readOutput(address: number, byteCount: number): number {
    return Math.max(0, this.#engine.ssl.BIO_read(this.#toSend, address, byteCount))
  }

  /** What `decrypt` gave, valid until its next call. */
  get plain(): Uint8Array {
    return this.#engine.plain.bytes
  }

  /** HOT (bench/macro/main.ts). How many plain bytes come next; 0: none for now, or never more. */
  decrypt(): number {
    const { ssl, plain } = this.#engine
    const count = ssl.SSL_read(this.#ssl, plain.address, BUFFER_BYTES)
    if (count > 0) {
      if (!this.#hasSession) this.#keepSession()
      return count
    }
    const error = ssl.SSL_get_error(this.#ssl, count)
    if (error === SSL_ERROR_ZERO_RETURN) this.isFinished = true
    else if (error !== SSL_ERROR_WANT_READ && error !== SSL_ERROR_WANT_WRITE) this.#noteFailure()
    return 0
  }

  /**
   * HOT (bench/macro/main.ts). Whether bytes that were received have not been looked at. A record
   * is decrypted whole, so after `decrypt` there is nothing else left.
   */
  get hasUnread(): boolean {
    return this.#engine.ssl.BIO_ctrl_pending(this.#received) > 0
  }

  /** TLS 1.3 gives its tickets after the handshake: by the first read they are there. */
  #keepSession(): void {
    this.#hasSession = true
    const { ssl, sessions } = this.#engine
    if (!this.#profile.settings.resume) return
    const session = ssl.SSL_get1_session(this.#ssl)
    if (session === 0) return
    const last = sessions.get(this.#profile)
    if (last !== undefined) ssl.SSL_SESSION_free(last)
    sessions.set(this.#profile, session)
  }

  #noteFailure(): void {
    const { ssl } = this.#engine
    this.hasFailed = true
    const verifyResult = ssl.SSL_get_verify_result(this.#ssl)
    if (this.#profile.settings.verify && verifyResult !== X509_V_OK) {
      this.#failureText = MISMATCHES.has(verifyResult)
        ? `the certificate is not for ${this.#profile.verifiedName}`
        : (ssl.X509_verify_cert_error_string(verifyResult) ?? '')
    } else this.#failureText = ssl.ERR_reason_error_string(ssl.ERR_get_error()) ?? ''
    ssl.ERR_clear_error()
  }

  /** What the handshake, or the encryption later on, failed of. */
  failure({ address, family, port }: Endpoint): Ending {
    const peerText = family === 6 ? `[${address}]:${port}` : `${address}:${port}`
    const text = this.#failureText === '' ? 'the peer closed the connection' : this.#failureText
    return { how: 'error', kind: FailureKind.tls, text: `${text}: ${peerText}` }
  }

  /** Both buffers belong to it and go with it. */
  close(): void {
    const { ssl } = this.#engine
    // Else OpenSSL takes the connection for broken off and its session for one not to be resumed.
    if (this.#hasSession && !this.hasFailed) {
      ssl.SSL_set_shutdown(this.#ssl, SSL_SENT_AND_RECEIVED_SHUTDOWN)
    }
    ssl.SSL_free(this.#ssl)
  }
}
