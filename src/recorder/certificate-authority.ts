/**
 * The local authority that vouches for every host while it is recorded.
 *
 * Its certificate and key lie in a folder of the person's and are made when first needed; only the
 * person can read the key, which never leaves the machine. Certificates of hosts live in memory
 * and end with the recorder. `@peculiar/x509` is loaded when a certificate has to be made.
 */
import { createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type * as X509 from '@peculiar/x509'
import { EnvironmentError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const MS_PER_DAY = 86_400_000
const AUTHORITY_DAYS = 5 * 365
/** One that would end during a recording is replaced. */
const REMAINING_DAYS_MIN = 30
/** Below the limits that browsers set, and longer than anyone records. */
const LEAF_DAYS = 30
const LEAF_COUNT_MAX = 1000

interface KeyAndCertificate {
  readonly keyPem: string
  readonly certPem: string
}

export class CertificateAuthority {
  /** What the person has to trust. */
  readonly certFile: string
  readonly certPem: string
  /** Whether it was made just now, and so cannot be trusted by any browser yet. */
  readonly isNew: boolean
  readonly #keyPem: string
  readonly #leaves: Map<string, Promise<SecureContext>> = new Map()
  #leafKeys: Promise<webcrypto.CryptoKeyPair> | null = null

  private constructor(certFile: string, pair: KeyAndCertificate, isNew: boolean) {
    this.certFile = certFile
    this.certPem = pair.certPem
    this.#keyPem = pair.keyPem
    this.isNew = isNew
  }

  /**
   * The authority in `folder`, made if there is none or it is about to end.
   * @throws {EnvironmentError} when the files cannot be read or written, or do not fit together.
   */
  static async open(folder: string): Promise<CertificateAuthority> {
    const certFile = join(folder, 'ca.pem')
    const keyFile = join(folder, 'ca-key.pem')
    try {
      const old = readPair(certFile, keyFile)
      if (old !== null) return new CertificateAuthority(certFile, old, false)
      const pair = await makeAuthority()
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      replaceFile(keyFile, pair.keyPem, 0o600)
      replaceFile(certFile, pair.certPem, 0o644)
      return new CertificateAuthority(certFile, pair, true)
    } catch (error) {
      if (error instanceof EnvironmentError) throw error
      throw new EnvironmentError(
        `the recorder's own certificate cannot be kept in ${folder}: ${systemReason(error)}`,
        { hint: 'record without HTTPS with --no-https', cause: error },
      )
    }
  }

  /** What a server of that name presents; made once for each name. */
  contextFor(host: string): Promise<SecureContext> {
    let leaf = this.#leaves.get(host)
    if (leaf === undefined) {
      leaf = this.#makeLeaf(host)
      this.#leaves.set(host, leaf)
      const oldest = this.#leaves.keys().next().value
      if (this.#leaves.size > LEAF_COUNT_MAX && oldest !== undefined) this.#leaves.delete(oldest)
    }
    return leaf
  }

  async #makeLeaf(host: string): Promise<SecureContext> {
    const x509 = await loadX509()
    this.#leafKeys ??= newKeys()
    const keys = await this.#leafKeys
    const issuer = new x509.X509Certificate(this.certPem)
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: newSerialNumber(),
      // RFC 5280 allows 64 characters here; what counts is the alternative name.
      subject: [{ CN: [host.slice(0, 64)] }],
      issuer: issuer.subject,
      ...validity(LEAF_DAYS),
      signingAlgorithm: ALGORITHM,
      signingKey: await importKey(this.#keyPem),
      publicKey: keys.publicKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([
          { type: isIP(host) === 0 ? 'dns' : 'ip', value: host },
        ]),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false),
      ],
    })
    const key = await exportKey(keys.privateKey)
    return createSecureContext({ key, cert: `${certificate.toString('pem')}\n${this.certPem}` })
  }
}

/** The pair in these files if it is usable for a while yet; null if there is none. */
function readPair(certFile: string, keyFile: string): KeyAndCertificate | null {
  const certPem = readIfThere(certFile)
  const keyPem = readIfThere(keyFile)
  if (certPem === null || keyPem === null) return null
  try {
    const certificate = new X509Certificate(certPem)
    const remainingMs = Date.parse(certificate.validTo) - Date.now()
    if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) throw new Error('no pair')
    return remainingMs < REMAINING_DAYS_MIN * MS_PER_DAY ? null : { certPem, keyPem }
  } catch (error) {
    throw new EnvironmentError(`${certFile} and ${keyFile} are not a certificate and its key`, {
      hint: 'remove both: they are made anew, and have to be trusted anew',
      cause: error,
    })
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Never leaves half a file behind, nor a key that others could read for a moment. */
function replaceFile(path: string, text: string, mode: number): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, text, { mode })
  renameSync(part, path)
}

async function makeAuthority(): Promise<KeyAndCertificate> {
  const x509 = await loadX509()
  const keys = await newKeys()
  const date = new Date(Date.now()).toISOString().slice(0, 10)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ CN: [`onager recorder, ${hostname().slice(0, 24)}, ${date}`] }],
    ...validity(AUTHORITY_DAYS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const certPem = `${certificate.toString('pem')}\n`
  return { certPem, keyPem: await exportKey(keys.privateKey) }
}

async function loadX509(): Promise<typeof X509> {
  // It registers its parts by decorators, which need this to be there before.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}

/** A day back, for clocks that do not agree. */
function validity(days: number): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now()
  return {
    notBefore: new Date(nowMs - MS_PER_DAY),
    notAfter: new Date(nowMs + days * MS_PER_DAY),
  }
}

/** RFC 5280, section 4.1.2.2: positive, and nobody can guess it. */
function newSerialNumber(): string {
  return `5${randomBytes(15).toString('hex').slice(1)}`
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
}
