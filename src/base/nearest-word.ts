/** Finds the known word that a person most likely meant. */

/**
 * The word of `known` nearest to `word`, or undefined when none is within `distanceMax` letters
 * changed, added, dropped or swapped with their neighbour. Case does not count.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
  distanceMax = 2,
): string | undefined {
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = distanceMax + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Optimal string alignment distance (Damerau-Levenshtein without repeated edits). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
