/** Exchanges for tests of recorders and of what is made of their counts. */
import { Exchange } from '../../src/metrics/exchange.ts'
import type { Recorder } from '../../src/metrics/recorder.ts'

/** Tells the recorder of an exchange that begins when it is due, and gives it back. */
export function beginExchange(recorder: Recorder, startNs: number, nameIndex = -1): Exchange {
  const exchange = new Exchange()
  exchange.reset(0, startNs)
  exchange.nameIndex = nameIndex
  recorder.started(exchange)
  return exchange
}
