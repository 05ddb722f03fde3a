/** Every message between the main thread and the threads that run slices. */
import type { Resolution } from '../engine/resolver.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import type { EndedBy } from '../result/run-result.ts'
import type { SliceResult } from './slice.ts'

export type MessageToThread =
  | { readonly kind: 'begin'; readonly epochNs: number }
  | { readonly kind: 'stop'; readonly how: 'now' | 'drain'; readonly endedBy: EndedBy }
  | { readonly kind: 'resume' }
  | { readonly kind: 'resolved'; readonly host: string; readonly resolution: Resolution }

export type MessageToMain =
  | { readonly kind: 'ready' }
  /** From now on messages are heard only after a write to this eventfd. */
  | { readonly kind: 'blocking'; readonly wakeFd: number }
  | { readonly kind: 'resolve'; readonly host: string }
  | { readonly kind: 'lines'; readonly bytes: Uint8Array; readonly lineCount: number }
  | { readonly kind: 'failure'; readonly failureKind: FailureKindNumber; readonly text: string }
  | { readonly kind: 'failure-limit' }
  | { readonly kind: 'progress'; readonly snapshot: Snapshot; readonly atNs: number }
  | { readonly kind: 'finished'; readonly result: SliceResult }
