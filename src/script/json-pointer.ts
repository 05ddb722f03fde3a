/**
 * JSON pointers (RFC 6901): from `/a/0/b~1c` to the value it points to.
 *
 * Numbers that a double cannot hold, such as ids of twenty digits, are found again in the text, so
 * that what is sent with the next request is what the server wrote.
 */

/** The names and indexes of a pointer, or null when it is none. */
export function pointerTokens(pointer: string): readonly string[] | null {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const ARRAY_INDEX = /^(?:0|[1-9]\d{0,15})$/

/** The value, or undefined where there is none; JSON has no undefined itself. */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  let value = root
  for (const token of tokens) {
    if (Array.isArray(value)) {
      value = ARRAY_INDEX.test(token) ? value[Number(token)] : undefined
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, token)) {
      // An object of JSON.parse, which has any names.
      value = (value as Readonly<Record<string, unknown>>)[token]
    } else {
      return undefined
    }
  }
  return value
}

/** The number at `tokens` as it is written in `json`, which must be right and have one there. */
export function numberTextAt(json: string, tokens: readonly string[]): string {
  const start = new JsonWalk(json).valueStart(tokens)
  return /^[-+.\deE]*/.exec(json.slice(start, start + NUMBER_LENGTH_MAX))![0]
}

/** Longer ones are cut, as nobody means them. */
const NUMBER_LENGTH_MAX = 400

/** Walks over text that JSON.parse has taken, so nothing is checked. */
class JsonWalk {
  readonly #json: string
  #at = 0

  constructor(json: string) {
    this.#json = json
  }

  /** Where the value that `tokens` lead to begins. */
  valueStart(tokens: readonly string[]): number {
    this.#skipBlanks()
    for (const token of tokens) {
      if (this.#json[this.#at] === '[') this.#enterArray(Number(token))
      else this.#enterObject(token)
    }
    return this.#at
  }

  #enterArray(index: number): void {
    this.#step()
    for (let passed = 0; passed < index; passed++) {
      this.#skipValue()
      this.#step()
    }
  }

  /** Of a name that comes twice the last counts, as for JSON.parse. */
  #enterObject(name: string): void {
    let found = this.#at
    this.#step()
    while (this.#json[this.#at] !== '}') {
      const nameStart = this.#at
      this.#skipString()
      const isFound = JSON.parse(this.#json.slice(nameStart, this.#at)) === name
      this.#skipBlanks()
      this.#step()
      if (isFound) found = this.#at
      this.#skipValue()
      if (this.#json[this.#at] === ',') this.#step()
    }
    this.#at = found
  }

  /** Over one sign and the blanks behind it. */
  #step(): void {
    this.#at++
    this.#skipBlanks()
  }

  #skipBlanks(): void {
    while (' \t\r\n'.includes(this.#json[this.#at] ?? 'end')) this.#at++
  }

  #skipString(): void {
    this.#at++
    while (this.#json[this.#at] !== '"') this.#at += this.#json[this.#at] === '\\' ? 2 : 1
    this.#at++
  }

  /** Over a value and the blanks behind it; brackets are counted, since depth has no bound. */
  #skipValue(): void {
    let depth = 0
    do {
      const sign = this.#json[this.#at]!
      if (sign === '"') this.#skipString()
      else {
        if (sign === '[' || sign === '{') depth++
        if (sign === ']' || sign === '}') depth--
        this.#at++
      }
    } while (depth > 0 || !',]}'.includes(this.#json[this.#at] ?? ','))
  }
}
