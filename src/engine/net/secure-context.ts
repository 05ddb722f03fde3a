/**
 * A plan's TLS settings as Node takes them, and whether OpenSSL takes them.
 *
 * Two of Node's rules are undone here: a cipher list without names of TLS 1.3 does not forbid TLS
 * 1.3, as it does not in OpenSSL; and who asks for TLS 1.0 or 1.1 gets it, though today's security
 * level rules out their hashes.
 */
import tls from 'node:tls'
import type { TlsPlan } from '../../plan/plan.ts'

const TLS_1_3_SUITES = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256'
const OLD_VERSIONS: ReadonlySet<string> = new Set(['TLSv1', 'TLSv1.1'])

/** @throws {Error} by OpenSSL, when it cannot read or use one of them: see `tlsProblem`. */
export function secureContextOf(settings: TlsPlan): tls.SecureContext {
  const { ca, cert, key, versionMin, versionMax } = settings
  const ciphers = cipherList(settings)
  return tls.createSecureContext({
    ...(ca === null ? {} : { ca: [...tls.rootCertificates, ca] }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
    ...(ciphers === null ? {} : { ciphers }),
    // The options have checked that these are names of versions.
    ...(versionMin === null ? {} : { minVersion: versionMin as tls.SecureVersion }),
    ...(versionMax === null ? {} : { maxVersion: versionMax as tls.SecureVersion }),
  })
}

function cipherList({ ciphers, versionMin, versionMax }: TlsPlan): string | null {
  const isOld = [versionMin, versionMax].some((name) => name !== null && OLD_VERSIONS.has(name))
  if (ciphers === null) return isOld ? `DEFAULT:@SECLEVEL=0:${TLS_1_3_SUITES}` : null
  return /(?:^|:)TLS_/.test(ciphers) ? ciphers : `${ciphers}:${TLS_1_3_SUITES}`
}

/** What is wrong with the settings, as a clause; null: nothing. To be asked before a run. */
export function tlsProblem(settings: TlsPlan): string | null {
  const { ca, cert, key, ciphers } = settings
  const parts = [
    ['ssl-ciphers', { ciphers }, 'no cipher that OpenSSL knows'],
    ['ssl-ca (--ca)', { ca }, 'no certificate in PEM'],
    ['ssl-cert', { cert }, 'no certificate in PEM'],
    ['ssl-key', { key }, 'no private key in PEM'],
    ['ssl-cert and ssl-key', { cert, key }, 'no certificate and the key that belongs to it'],
  ] as const
  const nothing: TlsPlan = { ...settings, ca: null, cert: null, key: null, ciphers: null }
  for (const [name, part, problem] of parts) {
    if (!isTaken({ ...nothing, ...part })) return `${name} names ${problem}`
  }
  return null
}

function isTaken(settings: TlsPlan): boolean {
  if (settings.ca !== null && !settings.ca.includes('-----BEGIN')) return false
  try {
    secureContextOf(settings)
    return true
  } catch {
    // OpenSSL's texts name its own functions; which of the settings it was is known without them.
    return false
  }
}
