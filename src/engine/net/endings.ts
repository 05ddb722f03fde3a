/** Turns what Node says of a dead socket into an `Ending`, once. */
import { FailureKind, type FailureKindNumber } from '../../metrics/outcome.ts'
import type { Ending } from '../reactor.ts'

export const finEnding: Ending = { how: 'fin', kind: FailureKind.closed, text: '' }

/** Errors of the machine the load comes from: they say nothing about the target. */
const ownLimitTexts: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files: raise the descriptor limit (ulimit -n) or use fewer users',
  ENFILE: "too many open files on this machine: raise the system's limit or use fewer users",
  EADDRNOTAVAIL: 'no free local port: this machine has used up its ephemeral ports',
  EADDRINUSE: 'no free local port: this machine has used up its ephemeral ports',
  ENOBUFS: 'no buffer space on this machine',
  ENOMEM: 'no memory on this machine',
}

const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EAFNOSUPPORT',
])

const codeTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EPIPE: 'connection reset by peer (broken pipe)',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
}

/** What became of a plain socket; no error means that the peer has finished sending. */
export function systemEnding(
  error: NodeJS.ErrnoException | undefined,
  peer: { readonly text: string; readonly isConnected: boolean },
): Ending {
  if (error === undefined) return finEnding
  const code = error.code ?? ''
  const limitText = ownLimitTexts[code]
  if (limitText !== undefined) {
    return { how: 'error', kind: FailureKind.ownLimit, text: `${limitText} (${code})` }
  }
  const text = `${codeTexts[code] ?? error.message}: ${peer.text}`
  return { how: 'error', kind: socketFailureKind(code, peer.isConnected), text }
}

function socketFailureKind(code: string, isConnected: boolean): FailureKindNumber {
  if (!isConnected || connectCodes.has(code)) {
    return code === 'ETIMEDOUT' ? FailureKind.connectTimeout : FailureKind.connect
  }
  return code === 'ETIMEDOUT' ? FailureKind.idleTimeout : FailureKind.reset
}

/** What became of a handshake. */
export function tlsEnding(error: NodeJS.ErrnoException | undefined, peerText: string): Ending {
  const text = error === undefined ? 'the peer closed the connection' : plainTlsText(error)
  return { how: 'error', kind: FailureKind.tls, text: `${text}: ${peerText}` }
}

/**
 * OpenSSL's long texts (`1234:error:0A00010B:SSL routines:...:wrong version number:file:1:`) cut
 * to the reason.
 */
function plainTlsText(error: NodeJS.ErrnoException & { readonly host?: string }): string {
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate is not for ${error.host}`
  }
  const reason = (error as { reason?: unknown }).reason
  if (typeof reason === 'string' && reason !== '') return reason
  const parts = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/i.exec(error.message)
  if (parts?.[1] !== undefined) return parts[1]
  // Newer versions of Node add what to do with Node, behind a semicolon.
  return codeTexts[error.code ?? ''] ?? error.message.replace(/; .*$/s, '')
}
