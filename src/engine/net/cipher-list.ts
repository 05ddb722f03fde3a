/**
 * Which ciphers a plan's TLS settings mean, the same for every reactor.
 *
 * OpenSSL has two lists, one up to TLS 1.2 and one for TLS 1.3, whose names begin with `TLS_`. A
 * list that names none of the second kind leaves TLS 1.3 as it is, and the other way round. Who
 * asks for TLS 1.0 or 1.1 gets it, though today's security level rules out their hashes.
 */
import type { TlsPlan } from '../../plan/plan.ts'

const OLD_VERSIONS: ReadonlySet<string> = new Set(['TLSv1', 'TLSv1.1'])

export interface CipherChoice {
  /** Up to TLS 1.2; null: OpenSSL's own. */
  readonly list: string | null
  /** Of TLS 1.3; null: OpenSSL's own. */
  readonly suites: string | null
}

export function cipherChoice({ ciphers, versionMin, versionMax }: TlsPlan): CipherChoice {
  const names = ciphers === null ? [] : ciphers.split(/[:, ]+/).filter((name) => name !== '')
  const suites = names.filter((name) => name.startsWith('TLS_'))
  const others = names.filter((name) => !name.startsWith('TLS_'))
  const isOld = [versionMin, versionMax].some((name) => name !== null && OLD_VERSIONS.has(name))
  const byDefault = isOld ? 'DEFAULT:@SECLEVEL=0' : null
  return {
    list: others.length === 0 ? byDefault : others.join(':'),
    suites: suites.length === 0 ? null : suites.join(':'),
  }
}
