/**
 * How far a connection of a blocking reactor has come, and what its end is told as.
 *
 * It knows neither how bytes travel nor who is told.
 */
import type { Ending, Endpoint } from '../reactor.ts'
import { finEnding, systemEnding } from './endings.ts'
import { errorOf } from './system-errors.ts'
import type { TlsSession } from './tls-engine.ts'

export const Stage = { connecting: 0, open: 1, handshake: 2, secure: 3, ended: 4 } as const
export type StageNumber = (typeof Stage)[keyof typeof Stage]

/** What both reactors know of a connection. */
export interface StagedLine {
  slot: number
  stage: StageNumber
  endpoint: Endpoint | undefined
  tls: TlsSession | undefined
}

/** The peer has finished sending. */
export function finishedEnding({ stage, tls, endpoint }: StagedLine): Ending {
  return stage === Stage.handshake ? tls!.failure(endpoint!) : finEnding
}

/** The system refused to go on with the connection. */
export function failedEnding({ stage, tls, endpoint }: StagedLine, errno: number): Ending {
  if (stage === Stage.handshake) return tls!.failure(endpoint!)
  const { address, family, port } = endpoint!
  const text = family === 6 ? `[${address}]:${port}` : `${address}:${port}`
  return systemEnding(errorOf(errno), { text, isConnected: stage !== Stage.connecting })
}
