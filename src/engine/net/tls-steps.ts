/**
 * How a connection of a blocking reactor goes on once encrypted bytes have come.
 *
 * The reactor moves the bytes; this decides what they lead to: an answer, plain bytes, an end. A
 * line that its user closed meanwhile has no `tls` any more, and nothing more is done for it.
 */
import type { Ending, ReactorSink } from '../reactor.ts'
import { finEnding } from './endings.ts'
import { Stage, type StagedLine } from './line-stage.ts'
import type { TlsSession } from './tls-engine.ts'

/** The reactor's part. */
export interface TlsCarrier<Line extends StagedLine> {
  /** A handshake is done. */
  agreed(tls: TlsSession): void
  /** Sends what the TLS engine has to say. */
  flush(line: Line): void
  tell(line: Line, ending: Ending): void
}

/** HOT (bench/macro/main.ts). Goes on with a handshake, or hands over what has been decrypted. */
export function stepTls<Line extends StagedLine>(
  line: Line,
  sink: ReactorSink,
  carrier: TlsCarrier<Line>,
): void {
  const { tls } = line
  if (tls === undefined) return
  if (line.stage === Stage.handshake) {
    const progress = tls.handshake()
    carrier.flush(line)
    if (progress === 'failed') {
      carrier.tell(line, tls.failure(line.endpoint!))
      return
    }
    if (progress === 'more') return
    line.stage = Stage.secure
    carrier.agreed(tls)
    sink.secured(line.slot)
    if (line.tls !== tls) return
  }
  for (;;) {
    const byteCount = tls.decrypt()
    if (byteCount === 0) break
    sink.data(line.slot, tls.plain, 0, byteCount)
    if (line.tls !== tls || !tls.hasUnread) return
  }
  // A key update or a renegotiation may have something to answer.
  carrier.flush(line)
  if (tls.hasFailed) carrier.tell(line, tls.failure(line.endpoint!))
  else if (tls.isFinished) carrier.tell(line, finEnding)
}
