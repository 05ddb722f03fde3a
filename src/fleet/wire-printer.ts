/**
 * Prints heads as they are on the wire, for `-D`: requests without their bodies, responses as they
 * come. Values of fields that carry secrets are masked.
 */
import type { WireObserver } from '../engine/observer.ts'

const SECRET_FIELD = /^((?:proxy-)?authorization|cookie|set-cookie):[ \t]*.*$/gim

export class WirePrinter implements WireObserver {
  readonly #takeLines: (bytes: Uint8Array, lineCount: number) => void

  constructor(takeLines: (bytes: Uint8Array, lineCount: number) => void) {
    this.#takeLines = takeLines
  }

  requestSent(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    this.#print(headEnd < 0 ? text : text.slice(0, headEnd + 4))
  }

  headReceived(bytes: Uint8Array, start: number, end: number): void {
    this.#print(Buffer.from(bytes.subarray(start, end)).toString('latin1'))
  }

  #print(text: string): void {
    const masked = text.replace(SECRET_FIELD, '$1: *****').replaceAll('\r\n', '\n')
    this.#takeLines(Buffer.from(masked, 'latin1'), masked.split('\n').length - 1)
  }
}
