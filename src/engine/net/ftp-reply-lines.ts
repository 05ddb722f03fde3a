/**
 * Cuts what comes over an FTP control connection into whole lines, and tells whether they are
 * replies at all (RFC 959 section 4.2).
 *
 * basic-ftp wants this: it takes a line that came in two pieces for two lines, and loses one.
 */

/** A server that sends no line end within this does not speak FTP. */
const LINE_CHARACTERS_MAX = 65_536
const SINGLE = /^\d{3}(?: |$)/
const OPENING = /^\d{3}-/

export class FtpReplyLines {
  #rest = ''
  /** The code that ends the reply of several lines under way. */
  #openCode = ''

  /**
   * The whole lines there are now, with their line ends; empty for none. Undefined: this is not
   * FTP.
   */
  push(chunk: string): string | undefined {
    const text = this.#rest + chunk
    const end = text.lastIndexOf('\n') + 1
    this.#rest = text.slice(end)
    if (this.#rest.length > LINE_CHARACTERS_MAX) return undefined
    const lines = text.slice(0, end)
    return this.#areReplies(lines) ? lines : undefined
  }

  #areReplies(lines: string): boolean {
    for (const line of lines.split(/\r?\n/)) {
      if (this.#openCode !== '') {
        if (SINGLE.test(line) && line.startsWith(this.#openCode)) this.#openCode = ''
      } else if (OPENING.test(line)) this.#openCode = line.slice(0, 3)
      else if (line.trim() !== '' && !SINGLE.test(line)) return false
    }
    return true
  }
}
