/**
 * Finds the end of an element whose content is text to a browser: script, style and noscript.
 *
 * Markup inside them is nobody's markup, and only their own end tag ends them; a script may even
 * hold `<script></script>` behind `<!--` (HTML LS 13.2.5.20, script data double escaped). Content
 * comes in pieces of any size; at most a few characters are kept between two of them.
 */

const LT = 0x3c
const GT = 0x3e
const DASH = 0x2d
const SLASH = 0x2f

type Escape = 'none' | 'escaped' | 'double'

export class RawText {
  #name = ''
  #isScript = false
  #escape: Escape = 'none'
  /** The end of the last piece, which could not be judged without the next. */
  #carry = ''
  /** Content is wanted up to this many characters. */
  #wantedCharacters = 0
  #content: string[] = []

  /** `name` in small letters. Content is kept up to a length, for `takeContent()`. */
  begin(name: string, wantedCharacters: number): void {
    this.#name = name
    this.#isScript = name === 'script'
    this.#escape = 'none'
    this.#carry = ''
    this.#wantedCharacters = wantedCharacters
    this.#content = []
  }

  /** Where in `piece` what follows `</name` begins, or -1 when the element goes on. */
  feed(piece: string): number {
    const text = this.#carry + piece
    const carried = this.#carry.length
    const room = this.#name.length + 3
    let at = 0
    for (;;) {
      at = this.#nextMark(text, at)
      // A mark is judged whole or not at all, so that no split of the page changes the answer.
      if (at + room > text.length && !this.#isWhole(text, at)) break
      const end = this.#judge(text, at)
      if (end < 0) {
        this.#keep(text, at)
        this.#carry = ''
        return ~end - carried
      }
      at = end
    }
    this.#keep(text, at)
    this.#carry = text.slice(at)
    return -1
  }

  /** The content so far, cut at the length asked for. */
  takeContent(): string {
    this.#keep(this.#carry, this.#carry.length)
    this.#carry = ''
    return this.#content.join('')
  }

  #keep(text: string, end: number): void {
    if (this.#wantedCharacters === 0) return
    const kept = text.slice(0, Math.min(end, this.#wantedCharacters))
    this.#wantedCharacters -= kept.length
    if (kept !== '') this.#content.push(kept)
  }

  /** The next character that could begin something; the text's length if there is none. */
  #nextMark(text: string, start: number): number {
    if (this.#escape === 'none') {
      const at = text.indexOf('<', start)
      return at < 0 ? text.length : at
    }
    let at = start
    while (at < text.length && text.charCodeAt(at) !== LT && text.charCodeAt(at) !== DASH) at++
    return at
  }

  /** Whether the few characters from `at` to the end say what the mark is. */
  #isWhole(text: string, at: number): boolean {
    if (at >= text.length) return false
    if (text.charCodeAt(at) === DASH) return text.length - at >= '-->'.length
    const marks = this.#isScript ? [`</${this.#name}`, '<script', '<!--'] : [`</${this.#name}`]
    const rest = text.slice(at).toLowerCase()
    return !marks.some((mark) => mark.startsWith(rest.slice(0, mark.length)))
  }

  /** Where to go on after the mark at `at`, or the complement of where the element ends. */
  #judge(text: string, at: number): number {
    if (text.charCodeAt(at) === DASH) {
      if (!text.startsWith('-->', at)) return at + 1
      this.#escape = 'none'
      return at + 3
    }
    const nameAt = text.charCodeAt(at + 1) === SLASH ? at + 2 : at + 1
    const nameEnd = nameAt + this.#name.length
    if (nameAt === at + 1) {
      if (!this.#isScript) return at + 1
      if (this.#escape === 'none' && text.startsWith('<!--', at)) {
        this.#escape = 'escaped'
        // The dashes may be those of `-->` as well: `<!-->` escapes nothing.
        return at + 2
      }
      if (this.#escape === 'escaped' && isTagName(text, nameAt, nameEnd, this.#name)) {
        this.#escape = 'double'
      }
      return at + 1
    }
    if (!isTagName(text, nameAt, nameEnd, this.#name)) return at + 1
    if (this.#escape !== 'double') return ~nameEnd
    this.#escape = 'escaped'
    return nameEnd
  }
}

/**
 * Whether the element whose content begins at `start` ends in this very piece and has nothing in
 * it that a plain search for its end tag would get wrong. Most scripts are like that: empty.
 */
export function endsPlainly(piece: string, start: number, name: string): boolean {
  for (let at = start; ; at += 2) {
    at = piece.indexOf('</', at)
    if (at < 0) return false
    if (isTagName(piece, at + 2, at + 2 + name.length, name)) {
      return at === start || name !== 'script' || !piece.slice(start, at).includes('<!--')
    }
  }
}

/** Whether `name` stands there in any case and ends there. */
function isTagName(text: string, start: number, end: number, name: string): boolean {
  const after = text.charCodeAt(end)
  if (after !== GT && after !== SLASH && !isBlank(after)) return false
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const lower = code >= 0x41 && code <= 0x5a ? code + 32 : code
    if (lower !== name.charCodeAt(at - start)) return false
  }
  return true
}

/** ASCII white space. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c || code === 0x0d
}
