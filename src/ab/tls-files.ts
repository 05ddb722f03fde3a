/** What ab checks of its TLS settings before it begins, for plain http as well. */
import fs from 'node:fs'
import { errorText } from './errno.ts'
import type { AbSettings } from './settings.ts'

/** The contents of the `-E` file, null without one; or what is wrong, for stderr. */
export function readTlsSettings({
  ciphers,
  certificateFile,
}: AbSettings): { readonly pem: string | null } | { readonly problem: string } {
  if (ciphers !== null) {
    const { createSecureContext } = process.getBuiltinModule('node:tls')
    try {
      // Node takes an empty list for none at all.
      if (ciphers === '') throw new Error('no cipher match')
      createSecureContext({ ciphers })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      return { problem: `error setting ciphersuite list [${ciphers}]\n${text}\n` }
    }
  }
  if (certificateFile === null) return { pem: null }
  try {
    const pem = fs.readFileSync(certificateFile, 'utf8')
    return checkedPem(certificateFile, pem)
  } catch (error) {
    const text = `unable to get certificate from '${certificateFile}'\n${errorText(error)}\n`
    return { problem: text }
  }
}

function checkedPem(
  path: string,
  pem: string,
): { readonly pem: string } | { readonly problem: string } {
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  try {
    new X509Certificate(pem)
  } catch (error) {
    return { problem: `unable to get certificate from '${path}'\n${messageOf(error)}\n` }
  }
  try {
    createSecureContext({ key: pem })
  } catch (error) {
    return { problem: `unable to get private key from '${path}'\n${messageOf(error)}\n` }
  }
  try {
    createSecureContext({ cert: pem, key: pem })
    return { pem }
  } catch {
    return { problem: `private key does not match the certificate public key in ${path}\n` }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
