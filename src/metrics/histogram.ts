/** Draft of the shape; the implementation follows. */
export interface HistogramSnapshot {
  readonly digits: 2 | 3
  readonly totalCount: number
  readonly minNs: number
  readonly maxNs: number
  readonly sumNs: number
  /** Sum of squares in ns^2. */
  readonly squareSumNs2: number
  /** Non-empty counts: ascending HdrHistogram indexes and, beside them, their counts. */
  readonly indexes: Uint32Array
  readonly counts: Float64Array
}
