/** What the exporters have in common: they are told of a run's counts, and at the end closed. */
import type { Snapshot } from '../../metrics/snapshot.ts'

export interface Exporter {
  /** The counts of all threads since the start; the last call has those of the whole run. */
  update(snapshot: Snapshot, elapsedNs: number): void
  /** Bounded in time, and never fails. */
  close(): Promise<void>
}
