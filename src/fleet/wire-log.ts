/**
 * ab's log of what is on the wire, for `-v 2` and above: the first request's head, the head of
 * every response, and a line about each status.
 */
import type { Wire, WireObserver } from '../engine/observer.ts'

export class WireLog implements Wire {
  readonly #take: (bytes: Uint8Array, lineCount: number) => void
  readonly #showsCodes: boolean
  readonly #showsRequest: boolean
  #isFirst = true

  /** `showsCodes`: also of statuses 2xx, as `-v 3`. One thread alone shows the request. */
  constructor(
    take: (bytes: Uint8Array, lineCount: number) => void,
    options: { readonly showsCodes: boolean; readonly showsRequest: boolean },
  ) {
    this.#take = take
    this.#showsCodes = options.showsCodes
    this.#showsRequest = options.showsRequest
  }

  observer(): WireObserver {
    return new ConnectionLog(this)
  }

  requestSent(bytes: Uint8Array): void {
    if (!this.#isFirst || !this.#showsRequest) return
    this.#isFirst = false
    const text = Buffer.from(bytes).toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    const method = text.slice(0, text.indexOf(' '))
    this.#print(`INFO: ${method} header == \n---\n${text.slice(0, headEnd + 4)}\n---\n`)
  }

  responseEnded(head: string): void {
    const statuses = [...head.matchAll(/^HTTP\/\d\.\d (\d{3})/gm)]
    const code = statuses.at(-1)?.[1] ?? '500'
    let text = `LOG: header received:\n${head}\n`
    if (!code.startsWith('2')) text += `WARNING: Response code not 2xx (${code})\n`
    else if (this.#showsCodes) text += `LOG: Response code = ${code}\n`
    this.#print(text)
  }

  #print(text: string): void {
    this.#take(Buffer.from(text, 'latin1'), text.split('\n').length - 1)
  }
}

/** Keeps the head of one connection's response until that ends. */
class ConnectionLog implements WireObserver {
  readonly #log: WireLog
  #head = ''

  constructor(log: WireLog) {
    this.#log = log
  }

  requestSent(bytes: Uint8Array): void {
    this.#head = ''
    this.#log.requestSent(bytes)
  }

  headReceived(bytes: Uint8Array, start: number, end: number): void {
    this.#head += Buffer.from(bytes.subarray(start, end)).toString('latin1')
  }

  bodyReceived(): void {}

  responseEnded(): void {
    this.#log.responseEnded(this.#head)
  }
}
