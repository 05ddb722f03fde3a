/**
 * The seam between the engine and whoever speaks FTP: one transfer over a control connection of
 * its own.
 *
 * Time is not the port's affair. It tells every sign of life, and the engine gives up by `abort`
 * when there was none for too long.
 */
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import type { TargetListData } from '../plan/target-list.ts'
import type { Endpoint } from './reactor.ts'

/** `size`: only how large a file is. */
export type FtpAction = 'download' | 'upload' | 'size' | 'delete'

/** Texts are bytes, one character each; the path holds no control characters. */
export interface FtpJob {
  readonly endpoint: Endpoint
  readonly user: string
  readonly password: string
  readonly action: FtpAction
  readonly path: string
  /** What an upload sends; null: an empty file. */
  readonly body: Uint8Array | null
}

/** The command that carries out an action; those before it only lead there. */
export const ftpVerbs: Readonly<Record<FtpAction, string>> = {
  download: 'RETR',
  upload: 'STOR',
  size: 'SIZE',
  delete: 'DELE',
}

export type FtpEnding =
  /** The server says that all is done. `sizeBytes`: how large it said the file is. */
  | { readonly how: 'done'; readonly code: number; readonly sizeBytes: number | undefined }
  /** The server refused some step, by a reply of 400 and above or one that asks for more. */
  | { readonly how: 'refused'; readonly code: number; readonly text: string }
  /** The server ended a connection in good order before it said that all is done. */
  | { readonly how: 'closed'; readonly text: string }
  | { readonly how: 'error'; readonly kind: FailureKindNumber; readonly text: string }

/** Told in the order of events, never inside `start`, and nothing any more after `ended`. */
export interface FtpListener {
  /** The control connection is there. */
  connected(): void
  /** A command went out, without its line end; a password is masked. */
  commandSent(line: string): void
  /** Whole lines of replies came, as latin1 text with their line ends. */
  repliesReceived(lines: string): void
  /** Bytes of the file came; valid during the call. */
  dataReceived(bytes: Uint8Array): void
  /** So many further bytes of the body were handed on. */
  dataSent(byteCount: number): void
  ended(ending: FtpEnding): void
}

export interface FtpTransfer {
  /** Bytes of commands handed to the control connection. */
  readonly commandBytes: number
  /** Closes all connections at once; nothing is told afterwards. */
  abort(): void
}

export interface FtpPort {
  start(job: FtpJob, listener: FtpListener): FtpTransfer
}

/** Whether anything that a plan may ask for is on an FTP server. */
export function usesFtp({ targets, browse }: Pick<Plan, 'targets' | 'browse'>): boolean {
  return [targets, browse.loginTargets, browse.authTargets].some(hasFtp)
}

function hasFtp(list: TargetListData | null): boolean {
  return list?.origins.some((origin) => origin.scheme === 'ftp') === true
}
