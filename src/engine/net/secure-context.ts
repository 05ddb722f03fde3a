/**
 * A plan's TLS settings as Node takes them, and whether OpenSSL takes them.
 *
 * Node turns TLS 1.3 off for a cipher list that names none of it, and TLS 1.2 for one that names
 * nothing else; OpenSSL does not, and neither do we: both lists are always given.
 */
import type tls from 'node:tls'
import type { TlsPlan } from '../../plan/plan.ts'
import { cipherChoice } from './cipher-list.ts'

const TLS_1_3_SUITES = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256'

/** @throws {Error} by OpenSSL, when it cannot read or use one of them: see `tlsProblem`. */
export function secureContextOf(settings: TlsPlan): tls.SecureContext {
  const { ca, cert, key, versionMin, versionMax } = settings
  const ciphers = cipherList(settings)
  const { createSecureContext, rootCertificates } = process.getBuiltinModule('node:tls')
  return createSecureContext({
    ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
    ...(ciphers === null ? {} : { ciphers }),
    // The options have checked that these are names of versions.
    ...(versionMin === null ? {} : { minVersion: versionMin as tls.SecureVersion }),
    ...(versionMax === null ? {} : { maxVersion: versionMax as tls.SecureVersion }),
  })
}

function cipherList(settings: TlsPlan): string | null {
  const { list, suites } = cipherChoice(settings)
  if (list === null && suites === null) return null
  return `${list ?? 'DEFAULT'}:${suites ?? TLS_1_3_SUITES}`
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
    // The first context of a process takes tens of milliseconds: most runs need none.
    if (Object.values(part).every((value) => value === null)) continue
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
