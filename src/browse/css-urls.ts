/**
 * Finds the URLs that a stylesheet or a style attribute loads: `url()` and `@import`.
 *
 * Tokens as in CSS Syntax 3, so that comments, strings and escapes are what they are; no rule is
 * understood beyond that. `@namespace` names and loads nothing. Of an `@font-face` one file is
 * taken, as a browser does: woff2 before woff before the first. Media queries are not looked at.
 */
/** One pass over the text, in linear time; references in order, repeated ones too. */
export function cssReferences(text: string): string[] {
  const scan = new CssScan(text)
  scan.run()
  return scan.found
}

/** Stop, when a hostile sheet names more; a page's own bounds are tighter. */
const REFERENCE_COUNT_MAX = 100_000

class CssScan {
  readonly found: string[] = []
  readonly #text: string
  #at = 0
  /** The at-rule whose prelude we are in, in small letters; empty in all else. */
  #atRule = ''
  /** Depth of the block of an @font-face, counted from 1; 0 outside. */
  #fontDepth = 0
  #fontFiles: string[] = []

  constructor(text: string) {
    this.#text = text
  }

  run(): void {
    while (this.#at < this.#text.length && this.found.length < REFERENCE_COUNT_MAX) this.#token()
    if (this.#fontDepth > 0) this.#endFont()
  }

  #token(): void {
    const text = this.#text
    const code = text.charCodeAt(this.#at)
    switch (code) {
      case 0x2f: // Slash.
        if (text.charCodeAt(this.#at + 1) === 0x2a) this.#skipComment()
        else this.#at++
        return
      case 0x22: // Quotes.
      case 0x27: {
        const string = this.#string(code)
        if (this.#atRule === 'import') this.#take(string)
        return
      }
      case 0x40: // At.
        this.#at++
        this.#atRule = this.#name().toLowerCase()
        return
      case 0x3b: // Semicolon.
        this.#at++
        this.#atRule = ''
        return
      case 0x7b: // Opening brace.
        this.#at++
        if (this.#fontDepth > 0) this.#fontDepth++
        else if (this.#atRule === 'font-face') this.#fontDepth = 1
        this.#atRule = ''
        return
      case 0x7d: // Closing brace.
        this.#at++
        this.#atRule = ''
        if (this.#fontDepth > 0 && --this.#fontDepth === 0) this.#endFont()
        return
      default:
        if (isNameCode(code) || code === BACKSLASH) this.#identifier()
        else this.#at++
    }
  }

  #identifier(): void {
    const start = this.#at
    const name = this.#name()
    // A backslash before a line end is no escape and no name.
    if (this.#at === start) this.#at++
    if (this.#text[this.#at] !== '(' || name.toLowerCase() !== 'url') return
    this.#at++
    this.#skipBlanks()
    const code = this.#text.charCodeAt(this.#at)
    if (code === 0x22 || code === 0x27) {
      this.#take(this.#string(code))
      return
    }
    const reference = this.#bareUrl()
    if (reference !== null) this.#take(reference)
  }

  #take(reference: string): void {
    if (this.#fontDepth > 0) {
      if (this.#fontFiles.length < 100) this.#fontFiles.push(reference)
    } else if (this.#atRule === 'import') {
      // What follows in the rule are conditions, `supports(...)` with its strings among them.
      this.#atRule = 'imported'
      this.found.push(reference)
    } else if (this.#atRule === '') {
      this.found.push(reference)
    }
  }

  #endFont(): void {
    const files = this.#fontFiles
    this.#fontFiles = []
    this.#fontDepth = 0
    const file =
      files.find((url) => /\.woff2(?:[?#]|$)/i.test(url)) ??
      files.find((url) => /\.woff(?:[?#]|$)/i.test(url)) ??
      files[0]
    if (file !== undefined) this.found.push(file)
  }

  #skipComment(): void {
    const end = this.#text.indexOf('*/', this.#at + 2)
    this.#at = end < 0 ? this.#text.length : end + 2
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++
  }

  /** The name that begins here, with escapes resolved. */
  #name(): string {
    let name = ''
    let start = this.#at
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (isNameCode(code)) {
        this.#at++
      } else if (code === BACKSLASH && !isNewline(this.#text.charCodeAt(this.#at + 1))) {
        name += this.#text.slice(start, this.#at) + this.#escape()
        start = this.#at
      } else {
        return name + this.#text.slice(start, this.#at)
      }
    }
  }

  /** The string whose opening quote is here; it ends with its quote, its line or the text. */
  #string(quote: number): string {
    let string = ''
    let start = ++this.#at
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote || isNewline(code)) break
      if (code === BACKSLASH) {
        string += this.#text.slice(start, this.#at)
        if (isNewline(this.#text.charCodeAt(this.#at + 1))) this.#at += 2
        else string += this.#escape()
        start = this.#at
      } else {
        this.#at++
      }
    }
    string += this.#text.slice(start, this.#at)
    if (this.#text.charCodeAt(this.#at) === quote) this.#at++
    return string
  }

  /** The rest of `url(` without quotes, or null for a broken one (CSS Syntax 3, 4.3.6). */
  #bareUrl(): string | null {
    let url = ''
    let start = this.#at
    let isBroken = false
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x29) break
      if (code === BACKSLASH && !isNewline(this.#text.charCodeAt(this.#at + 1))) {
        url += this.#text.slice(start, this.#at) + this.#escape()
        start = this.#at
      } else if (isBlank(code)) {
        url += this.#text.slice(start, this.#at)
        this.#skipBlanks()
        start = this.#at
        if (this.#at < this.#text.length && this.#text[this.#at] !== ')') isBroken = true
      } else {
        if (code === 0x22 || code === 0x27 || code === 0x28 || code === BACKSLASH) isBroken = true
        this.#at++
      }
    }
    url += this.#text.slice(start, this.#at)
    this.#at++
    return isBroken ? null : url
  }

  /** The character that the backslash here stands for. */
  #escape(): string {
    this.#at++
    const start = this.#at
    while (this.#at < start + 6 && isHex(this.#text.charCodeAt(this.#at))) this.#at++
    if (this.#at === start) {
      const codePoint = this.#text.codePointAt(start)
      if (codePoint === undefined) return '\ufffd'
      const character = String.fromCodePoint(codePoint)
      this.#at += character.length
      return character
    }
    const value = Number.parseInt(this.#text.slice(start, this.#at), 16)
    if (isBlank(this.#text.charCodeAt(this.#at))) this.#at++
    const isCharacter = value !== 0 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff)
    return isCharacter ? String.fromCodePoint(value) : '\ufffd'
  }
}

const BACKSLASH = 0x5c

function isNameCode(code: number): boolean {
  const lower = code | 0x20
  const isLetter = lower >= 0x61 && lower <= 0x7a
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f || code > 0x7f
}

function isHex(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x0c
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || isNewline(code)
}
