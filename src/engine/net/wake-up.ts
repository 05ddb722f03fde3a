/** Wakes a thread that blocks in its reactor, from any thread of the process. */
import fs from 'node:fs'

const one = new Uint8Array(new BigUint64Array([1n]).buffer)

/** `wakeFd`: the reactor's eventfd. A reactor that is gone is not woken, which is no error. */
export function wakeUp(wakeFd: number): void {
  try {
    fs.writeSync(wakeFd, one)
  } catch {
    // The run has ended and its descriptor is closed.
  }
}
