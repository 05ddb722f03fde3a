/**
 * The OpenSSL inside Node, through koffi: the calls that a TLS client over memory buffers needs.
 *
 * Pointers are plain numbers, 0 is NULL. Which library this is, is checked by its version: other
 * majors have other constants.
 */
import { EnvironmentError } from '../../base/errors.ts'
import { loadKoffi } from './libc.ts'

const signatures = {
  OpenSSL_version_num: 'ulong OpenSSL_version_num()',
  TLS_client_method: 'uintptr_t TLS_client_method()',
  SSL_CTX_new: 'uintptr_t SSL_CTX_new(uintptr_t)',
  SSL_CTX_free: 'void SSL_CTX_free(uintptr_t)',
  SSL_CTX_ctrl: 'long SSL_CTX_ctrl(uintptr_t, int, long, uintptr_t)',
  SSL_CTX_set_cipher_list: 'int SSL_CTX_set_cipher_list(uintptr_t, const char*)',
  SSL_CTX_set_ciphersuites: 'int SSL_CTX_set_ciphersuites(uintptr_t, const char*)',
  SSL_CTX_use_certificate: 'int SSL_CTX_use_certificate(uintptr_t, uintptr_t)',
  SSL_CTX_use_PrivateKey: 'int SSL_CTX_use_PrivateKey(uintptr_t, uintptr_t)',
  SSL_CTX_get_cert_store: 'uintptr_t SSL_CTX_get_cert_store(uintptr_t)',
  SSL_CTX_set_verify: 'void SSL_CTX_set_verify(uintptr_t, int, uintptr_t)',
  X509_STORE_add_cert: 'int X509_STORE_add_cert(uintptr_t, uintptr_t)',
  X509_free: 'void X509_free(uintptr_t)',
  EVP_PKEY_free: 'void EVP_PKEY_free(uintptr_t)',
  PEM_read_bio_X509: 'uintptr_t PEM_read_bio_X509(uintptr_t, uintptr_t, uintptr_t, uintptr_t)',
  PEM_read_bio_PrivateKey:
    'uintptr_t PEM_read_bio_PrivateKey(uintptr_t, uintptr_t, uintptr_t, uintptr_t)',
  SSL_new: 'uintptr_t SSL_new(uintptr_t)',
  SSL_free: 'void SSL_free(uintptr_t)',
  SSL_ctrl: 'long SSL_ctrl(uintptr_t, int, long, const char*)',
  SSL_set_bio: 'void SSL_set_bio(uintptr_t, uintptr_t, uintptr_t)',
  SSL_set_connect_state: 'void SSL_set_connect_state(uintptr_t)',
  SSL_set1_host: 'int SSL_set1_host(uintptr_t, const char*)',
  SSL_get0_param: 'uintptr_t SSL_get0_param(uintptr_t)',
  X509_VERIFY_PARAM_set1_ip_asc: 'int X509_VERIFY_PARAM_set1_ip_asc(uintptr_t, const char*)',
  SSL_do_handshake: 'int SSL_do_handshake(uintptr_t)',
  SSL_get_error: 'int SSL_get_error(uintptr_t, int)',
  SSL_get_verify_result: 'long SSL_get_verify_result(uintptr_t)',
  X509_verify_cert_error_string: 'const char* X509_verify_cert_error_string(long)',
  SSL_get_version: 'const char* SSL_get_version(uintptr_t)',
  SSL_get_current_cipher: 'uintptr_t SSL_get_current_cipher(uintptr_t)',
  SSL_CIPHER_get_name: 'const char* SSL_CIPHER_get_name(uintptr_t)',
  SSL_CIPHER_get_bits: 'int SSL_CIPHER_get_bits(uintptr_t, uintptr_t)',
  SSL_get1_peer_certificate: 'uintptr_t SSL_get1_peer_certificate(uintptr_t)',
  X509_get0_pubkey: 'uintptr_t X509_get0_pubkey(uintptr_t)',
  EVP_PKEY_get_bits: 'int EVP_PKEY_get_bits(uintptr_t)',
  OBJ_nid2sn: 'const char* OBJ_nid2sn(int)',
  SSL_group_to_name: 'const char* SSL_group_to_name(uintptr_t, int)',
  SSL_get_shutdown: 'int SSL_get_shutdown(uintptr_t)',
  SSL_set_shutdown: 'void SSL_set_shutdown(uintptr_t, int)',
  SSL_read: 'int SSL_read(uintptr_t, uintptr_t, int)',
  SSL_write: 'int SSL_write(uintptr_t, uintptr_t, int)',
  SSL_get1_session: 'uintptr_t SSL_get1_session(uintptr_t)',
  SSL_set_session: 'int SSL_set_session(uintptr_t, uintptr_t)',
  SSL_SESSION_free: 'void SSL_SESSION_free(uintptr_t)',
  BIO_s_mem: 'uintptr_t BIO_s_mem()',
  BIO_new: 'uintptr_t BIO_new(uintptr_t)',
  BIO_free: 'int BIO_free(uintptr_t)',
  BIO_read: 'int BIO_read(uintptr_t, uintptr_t, int)',
  BIO_write: 'int BIO_write(uintptr_t, uintptr_t, int)',
  BIO_puts: 'int BIO_puts(uintptr_t, const char*)',
  BIO_ctrl_pending: 'size_t BIO_ctrl_pending(uintptr_t)',
  ERR_get_error: 'ulong ERR_get_error()',
  ERR_clear_error: 'void ERR_clear_error()',
  ERR_reason_error_string: 'const char* ERR_reason_error_string(ulong)',
} as const

type Argument = number | string

/** Every call by its own name; those that give a text give null where there is none. */
export type OpenSsl = {
  readonly [Name in keyof typeof signatures]: (
    ...values: Argument[]
  ) => (typeof signatures)[Name] extends `const char*${string}` ? string | null : number
}

const MAJOR_SHIFT = 2 ** 28
const MAJOR = 3

let loaded: OpenSsl | undefined

/** @throws {EnvironmentError} when this Node has no OpenSSL 3 that can be called. */
export function loadOpenSsl(): OpenSsl {
  loaded ??= load()
  return loaded
}

function load(): OpenSsl {
  const library = loadKoffi().load(null)
  let calls: OpenSsl
  try {
    // The signatures above say what each takes and gives.
    calls = Object.fromEntries(
      Object.entries(signatures).map(([name, signature]) => [name, library.func(signature)]),
    ) as unknown as OpenSsl
  } catch (error) {
    throw new EnvironmentError("Node's OpenSSL cannot be called", { cause: error })
  }
  const major = Math.floor(calls.OpenSSL_version_num() / MAJOR_SHIFT)
  if (major !== MAJOR) throw new EnvironmentError(`OpenSSL ${major} is not known here`)
  return calls
}
