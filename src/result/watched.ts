/**
 * A number of the server's, or of its machine, sampled beside a run: what `--watch` leaves behind.
 *
 * Minimum, maximum, mean and last are of every sample. The series itself is bounded: when it is
 * full, neighbours become one point with their mean, so a run of a day keeps its shape in an hour's
 * worth of points.
 */

export interface WatchedPoint {
  /** Since the run began; of the first sample when the point stands for several. */
  readonly atNs: number
  readonly value: number
}

export interface WatchedSeries {
  readonly label: string
  /** The URL or command, without credentials. */
  readonly source: string
  readonly sampleCount: number
  readonly failureCount: number
  /** Why one of them failed; empty when none did. */
  readonly failureExample: string
  /** All four are 0 without a sample. */
  readonly min: number
  readonly mean: number
  readonly max: number
  readonly last: number
  /** How many samples each point but the last stands for. */
  readonly samplesPerPoint: number
  readonly points: readonly WatchedPoint[]
}

/** An hour of samples, one each second. */
const POINT_COUNT_MAX = 3600

/** A series while it grows. */
export class SeriesBuilder {
  sampleCount = 0
  failureCount = 0
  #failureExample = ''
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #mean = 0
  #last = 0
  #samplesPerPoint = 1
  #points: WatchedPoint[] = []
  /** Samples that the last point stands for. */
  #lastPointCount = 0

  add(atNs: number, value: number): void {
    this.sampleCount++
    this.#min = Math.min(this.#min, value)
    this.#max = Math.max(this.#max, value)
    // A sum of large values would overflow where their mean does not.
    this.#mean += value / this.sampleCount - this.#mean / this.sampleCount
    this.#last = value
    this.#addPoint(atNs, value)
  }

  fail(reason: string): void {
    this.failureCount++
    if (this.#failureExample === '') this.#failureExample = reason
  }

  series(label: string, source: string): WatchedSeries {
    const { sampleCount, failureCount } = this
    const isEmpty = sampleCount === 0
    return {
      label,
      source,
      sampleCount,
      failureCount,
      failureExample: this.#failureExample,
      min: isEmpty ? 0 : this.#min,
      mean: this.#mean,
      max: isEmpty ? 0 : this.#max,
      last: this.#last,
      samplesPerPoint: this.#samplesPerPoint,
      points: this.#points,
    }
  }

  #addPoint(atNs: number, value: number): void {
    const last = this.#points.at(-1)
    if (last !== undefined && this.#lastPointCount < this.#samplesPerPoint) {
      this.#lastPointCount++
      const share = 1 / this.#lastPointCount
      const mean = last.value * (1 - share) + value * share
      this.#points[this.#points.length - 1] = { atNs: last.atNs, value: mean }
      return
    }
    if (this.#points.length === POINT_COUNT_MAX) this.#halve()
    this.#points.push({ atNs, value })
    this.#lastPointCount = 1
  }

  #halve(): void {
    const halved: WatchedPoint[] = []
    for (let at = 0; at < this.#points.length; at += 2) {
      const { atNs, value } = this.#points[at]!
      const next = this.#points[at + 1]!
      halved.push({ atNs, value: value / 2 + next.value / 2 })
    }
    this.#points = halved
    this.#samplesPerPoint *= 2
  }
}
