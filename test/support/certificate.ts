/** Certificates for tests of TLS, made anew each time so that none ever expires. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './files.ts'
import type { Scope } from './scope.ts'

export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  /** PEM text. */
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  readonly names?: readonly string[]
  readonly addresses?: readonly string[]
}

/**
 * A self-signed certificate, which is also the authority that vouches for itself.
 * @param openssl From `requirePart(t, 'openssl')`.
 */
export function makeCertificate(
  scope: Scope,
  openssl: string,
  { names = ['localhost'], addresses = ['127.0.0.1', '::1'] }: CertificateOptions = {},
): Certificate {
  const folder = tempFolder(scope)
  const certFile = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  const alternatives = [
    ...names.map((name) => `DNS:${name}`),
    ...addresses.map((address) => `IP:${address}`),
  ].join(',')
  execFileSync(
    openssl,
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '2', '-subj', `/CN=${names[0] ?? 'test'}`],
      ...['-addext', `subjectAltName=${alternatives}`, '-keyout', keyFile, '-out', certFile],
    ],
    { stdio: 'ignore' },
  )
  const read = (path: string) => readFileSync(path, 'utf8')
  return { certFile, keyFile, cert: read(certFile), key: read(keyFile) }
}
