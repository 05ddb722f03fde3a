/**
 * Knows whether a page is inside SVG or MathML, where HTML's rules for tags do not hold.
 *
 * `<style>` in SVG holds markup, `<link>` in SVG loads nothing, `<img>` in SVG ends the SVG. The
 * rules are those of HTML LS 13.2.6.5, reduced to what the tags alone tell: no tree is built.
 * Memory is two bytes a level, and levels beyond the bound are counted but not told apart.
 */

const SVG = 1
const MATHML = 2
/** From here on HTML, by the gate that led to it: its index is added. */
const HTML = 3

const LEVEL_COUNT_MAX = 512

/** Start tags that end SVG and MathML and belong to the page again. */
const BREAKOUTS: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)
/** Elements of SVG and MathML whose content is HTML. */
const GATES: readonly string[] = [
  'page',
  'foreignobject',
  'desc',
  'title',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
  'annotation-xml',
]
const FIRST_MATHML_GATE = GATES.indexOf('mi')

/** The part of the attributes that matters here. */
export interface TagFacts {
  /** The `encoding` of `annotation-xml`. */
  readonly encoding: string | null
  /** `font` with a colour, a face or a size. */
  readonly isStyledFont: boolean
  readonly isSelfClosing: boolean
}

export class ForeignContent {
  readonly #levels: Uint8Array = new Uint8Array(LEVEL_COUNT_MAX)
  /** For each level of HTML, how many elements of its gate's name are open within. */
  readonly #twinCounts: Uint8Array = new Uint8Array(LEVEL_COUNT_MAX)
  #levelCount = 0
  /** Levels that found no room. */
  #lostCount = 0

  /** Whether the last tag left us outside HTML. */
  get isForeign(): boolean {
    return this.#level() < HTML
  }

  /** Whether there is any SVG or MathML around, perhaps with HTML in it. */
  get isInside(): boolean {
    return this.#levelCount > 0
  }

  reset(): void {
    this.#levelCount = 0
    this.#lostCount = 0
  }

  /** Takes a start tag in; false: the tag is an element of SVG or MathML, not of HTML. */
  startTag(name: string, facts: TagFacts): boolean {
    const level = this.#level()
    if (level >= HTML) {
      if (name !== 'svg' && name !== 'math') {
        if (level > HTML && name === GATES[level - HTML]) this.#twinCounts[this.#levelCount - 1]!++
        return true
      }
      if (!facts.isSelfClosing) this.#push(name === 'svg' ? SVG : MATHML)
      return false
    }
    if (BREAKOUTS.has(name) || (name === 'font' && facts.isStyledFont)) {
      this.#breakOut()
      return true
    }
    if (facts.isSelfClosing) return false
    const gate = gateOf(name, level, facts)
    if (gate > 0) this.#push(HTML + gate)
    else if (name === 'svg' && level === SVG) this.#push(SVG)
    else if (name === 'math' && level === MATHML) this.#push(MATHML)
    return false
  }

  endTag(name: string): void {
    const level = this.#level()
    if (level < HTML) {
      if (name === 'p' || name === 'br') this.#breakOut()
      else if (name === (level === SVG ? 'svg' : 'math')) this.#pop()
    } else if (level > HTML && name === GATES[level - HTML]) {
      if (this.#twinCounts[this.#levelCount - 1]! > 0) this.#twinCounts[this.#levelCount - 1]!--
      else this.#pop()
    }
  }

  #level(): number {
    return this.#levelCount === 0 ? HTML : this.#levels[this.#levelCount - 1]!
  }

  #push(level: number): void {
    if (this.#levelCount === LEVEL_COUNT_MAX) this.#lostCount++
    else {
      this.#twinCounts[this.#levelCount] = 0
      this.#levels[this.#levelCount++] = level
    }
  }

  #pop(): void {
    if (this.#lostCount > 0) this.#lostCount--
    else if (this.#levelCount > 0) this.#levelCount--
  }

  #breakOut(): void {
    this.#lostCount = 0
    while (this.#level() < HTML) this.#levelCount--
  }
}

/** Its index, or -1 for an element that is none. */
function gateOf(name: string, level: number, facts: TagFacts): number {
  const gate = GATES.indexOf(name)
  if (gate >= FIRST_MATHML_GATE !== (level === MATHML)) return -1
  if (name !== 'annotation-xml') return gate
  const encoding = facts.encoding?.toLowerCase()
  return encoding === 'text/html' || encoding === 'application/xhtml+xml' ? gate : -1
}
