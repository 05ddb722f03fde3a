/**
 * The three kinds of error that reach a person, each with a stable code and without a stack.
 *
 * A failing target is none of them: that is an outcome, counted by the recorder
 * (`metrics/outcome.ts`). Anything else that is thrown is a bug and is shown with its stack.
 */

/** One thing wrong with what a person asked for. Lines and columns are 1-based. */
export interface Problem {
  /** What is wrong, with the value, and what to do: one sentence without its place. */
  readonly text: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** `file:line:column: text`, as far as the place is known. */
export function problemText(problem: Problem): string {
  if (problem.file === undefined) return problem.text
  let place = problem.file
  if (problem.line !== undefined) place += `:${problem.line}`
  if (problem.line !== undefined && problem.column !== undefined) place += `:${problem.column}`
  return `${place}: ${problem.text}`
}

/** The person asked for something impossible. All problems found are reported at once. */
export class UsageError extends Error {
  readonly code = 'E_USAGE'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[] | string) {
    const list = typeof problems === 'string' ? [{ text: problems }] : problems
    super(list.map(problemText).join('\n'))
    this.name = 'UsageError'
    this.problems = list
  }
}

/** The surroundings failed: a file that cannot be written, a limit of the machine, a lost agent. */
export class EnvironmentError extends Error {
  readonly code = 'E_ENVIRONMENT'
  /** What the person can do about it. */
  readonly hint: string | undefined

  constructor(text: string, options: { hint?: string; cause?: unknown } = {}) {
    super(text, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'EnvironmentError'
    this.hint = options.hint
  }
}

/** Our own mistake. Never caught except to label it and stop. */
export class BugError extends Error {
  readonly code = 'E_BUG'

  constructor(text: string) {
    super(text)
    this.name = 'BugError'
  }
}

/** States what must hold. @throws {BugError} when it does not. */
export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new BugError(`broken invariant: ${what}`)
}
