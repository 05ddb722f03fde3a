/** Division for reports, in which no NaN and no Infinity may appear. */

/** 0 where there is nothing to divide by. */
export function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
