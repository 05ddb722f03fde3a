/** Whoever wants to see single exchanges, such as the printer of verbose lines. */
import type { Exchange } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'

export interface ExchangeObserver {
  /**
   * False while the observer is behind. Users then wait before their next iteration until
   * `Runner.resume` is called: the run goes as fast as its lines are taken, as siege's does.
   */
  readonly isReady: boolean
  /** HOT when present. The exchange's object is used again after this returns. */
  completed(exchange: Exchange): void
  failed(exchange: Exchange, kind: FailureKindNumber, text: string): void
}
