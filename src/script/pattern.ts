/**
 * Regular expressions that a person wrote, for use on one text after another.
 *
 * `g` and `y` would make an expression remember where it was, so they are left out.
 */

/** @throws {SyntaxError} when it is none; `patternProblem` tells beforehand. */
export function compiledPattern(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, flags.replace(/[gy]/g, ''))
}

/** What is wrong with it in the words of the engine, or null. */
export function patternProblem(pattern: string, flags: string): string | null {
  try {
    compiledPattern(pattern, flags)
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return error.message.replace(/^Invalid regular expression: /, '')
  }
}
