/**
 * Reads what `JSON.parse` gave without trusting any of it.
 *
 * A node knows where it stands, so that whatever is wrong is named with its place:
 * `plan.load.stages[2].from`.
 */

const PLACE_LENGTH_MAX = 120

/** The first thing wrong with a document; caught by whoever reads the document. */
export class WrongJson extends Error {
  constructor(place: string, text: string) {
    // Names in the place are the document's own: they are not to steer a terminal.
    const shown = place.replace(/[\x00-\x1f\x7f-\x9f]/g, '?').slice(0, PLACE_LENGTH_MAX)
    super(place === '' ? text : `${shown} ${text}`)
    this.name = 'WrongJson'
  }
}

export class JsonNode {
  readonly place: string
  readonly #value: unknown

  constructor(value: unknown, place = '') {
    this.#value = value
    this.place = place
  }

  /** @throws {WrongJson} here and below, when the value is something else. */
  field(name: string): JsonNode {
    const found = this.optional(name)
    return found ?? this.#fail(`has no "${name}"`)
  }

  optional(name: string): JsonNode | null {
    const fields = this.#object()
    if (!Object.hasOwn(fields, name)) return null
    return new JsonNode(fields[name], this.place === '' ? name : `${this.place}.${name}`)
  }

  entries(): [string, JsonNode][] {
    return Object.entries(this.#object()).map(([name, value]) => [
      name,
      new JsonNode(value, `${this.place}.${name}`),
    ])
  }

  list<T>(read: (node: JsonNode) => T): T[] {
    if (!Array.isArray(this.#value)) this.#fail('is no list')
    return this.#value.map((value: unknown, index) =>
      read(new JsonNode(value, `${this.place}[${index}]`)),
    )
  }

  orNull<T>(read: (node: JsonNode) => T): T | null {
    return this.#value === null ? null : read(this)
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.#fail('is no text')
  }

  yesOrNo(): boolean {
    return typeof this.#value === 'boolean' ? this.#value : this.#fail('is not true or false')
  }

  oneOf<Word extends string | number>(...words: readonly Word[]): Word {
    const word = words.find((candidate) => candidate === this.#value)
    return word ?? this.#fail(`is none of ${words.join(', ')}`)
  }

  /** A whole number that doubles hold exactly. */
  count(): number {
    const value = this.amount()
    return Number.isSafeInteger(value) ? value : this.#fail(`is ${value}, no whole number`)
  }

  /** Not below 0. */
  amount(): number {
    const value = this.number()
    return value >= 0 ? value : this.#fail(`is ${value}, below 0`)
  }

  number(): number {
    const value = this.#value
    // JSON can say 1e999, which is parsed as Infinity.
    if (typeof value === 'number' && Number.isFinite(value)) return value
    return this.#fail('is no number')
  }

  #object(): Record<string, unknown> {
    if (typeof this.#value !== 'object' || this.#value === null || Array.isArray(this.#value)) {
      this.#fail('is no object')
    }
    // An object of JSON, whose fields are unknown.
    return this.#value as Record<string, unknown>
  }

  #fail(text: string): never {
    throw new WrongJson(this.place, text)
  }
}
