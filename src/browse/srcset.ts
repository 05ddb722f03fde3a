/**
 * Reads `srcset` (HTML LS 4.8.4.2.2) and picks the one candidate that is requested.
 *
 * The rule, which must be the same for everybody: a screen with one device pixel per CSS pixel and
 * 1,280 of them across. So the smallest density from 1 up, or the smallest width from 1,280 up, or
 * the largest there is. `sizes` and media queries are not looked at.
 */

export interface Candidate {
  readonly reference: string
  readonly widthPixels: number | null
  /** Device pixels per CSS pixel. */
  readonly density: number | null
}

const SCREEN_WIDTH_PIXELS = 1_280
/** Real ones hold a dozen. */
const CANDIDATE_COUNT_MAX = 200

/** Candidates in their order; those with descriptors that mean nothing are left out. */
export function readSrcset(srcset: string): Candidate[] {
  const candidates: Candidate[] = []
  let at = 0
  while (candidates.length < CANDIDATE_COUNT_MAX) {
    while (at < srcset.length && (isBlank(srcset, at) || srcset[at] === ',')) at++
    if (at === srcset.length) break
    const start = at
    while (at < srcset.length && !isBlank(srcset, at)) at++
    let end = at
    while (end > start && srcset[end - 1] === ',') end--
    const reference = srcset.slice(start, end)
    let descriptors = ''
    // A comma that ends the reference leaves no room for descriptors.
    if (end === at) {
      const descriptorsEnd = endOfDescriptors(srcset, at)
      descriptors = srcset.slice(at, descriptorsEnd)
      at = descriptorsEnd
    }
    const candidate = candidateOf(reference, descriptors)
    if (candidate !== null) candidates.push(candidate)
  }
  return candidates
}

/**
 * The reference to request, or null when there is none. `src` takes part as a candidate of density
 * 1 unless the set has one already or goes by widths.
 */
export function pickCandidate(candidates: readonly Candidate[], src: string | null): string | null {
  const hasWidths = candidates.some((candidate) => candidate.widthPixels !== null)
  const hasSingle = candidates.some((candidate) => candidate.density === 1)
  const all = [...candidates]
  if (src !== null && src !== '' && !hasWidths && !hasSingle) {
    all.push({ reference: src, widthPixels: null, density: 1 })
  }
  let best: Candidate | undefined
  for (const candidate of all) {
    if (best === undefined || isBetter(densityOf(candidate), densityOf(best))) best = candidate
  }
  return best?.reference ?? null
}

function isBetter(density: number, best: number): boolean {
  if (best >= 1) return density >= 1 && density < best
  return density > best
}

function densityOf(candidate: Candidate): number {
  if (candidate.widthPixels !== null) return candidate.widthPixels / SCREEN_WIDTH_PIXELS
  return candidate.density ?? 1
}

/** Where the descriptors end: at a comma outside brackets, or with the text. */
function endOfDescriptors(srcset: string, start: number): number {
  let at = start
  let isBracketed = false
  for (; at < srcset.length; at++) {
    const character = srcset[at]
    if (character === '(') isBracketed = true
    else if (character === ')') isBracketed = false
    else if (character === ',' && !isBracketed) break
  }
  return at
}

function candidateOf(reference: string, descriptors: string): Candidate | null {
  let widthPixels: number | null = null
  let density: number | null = null
  let hasHeight = false
  for (const descriptor of descriptors.split(/[\t\n\f\r ]+/)) {
    if (descriptor === '') continue
    const number = descriptor.slice(0, -1)
    switch (descriptor.at(-1)) {
      case 'w':
        if (widthPixels !== null || density !== null || !isWhole(number)) return null
        widthPixels = Number(number)
        break
      case 'x':
        if (widthPixels !== null || density !== null || hasHeight || !isDecimal(number)) return null
        density = Number(number)
        break
      case 'h':
        if (hasHeight || density !== null || !isWhole(number)) return null
        hasHeight = true
        break
      default:
        return null
    }
  }
  if (hasHeight && widthPixels === null) return null
  return { reference, widthPixels, density: widthPixels === null ? (density ?? 1) : null }
}

/** A whole number above 0. */
function isWhole(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) > 0
}

function isDecimal(text: string): boolean {
  return /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c || code === 0x0d
}
