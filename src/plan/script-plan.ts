/**
 * Scripted sessions as data: what a user of a scenario sends, takes out of answers and checks.
 *
 * Everything that has a name in the file a person writes is a number here: variables, requests,
 * checks and feeders are positions in the plan's lists.
 */

export interface ScriptPlan {
  readonly scenarios: readonly ScenarioPlan[]
  /** A user has one text for each; variables without one yet are empty. */
  readonly variableNames: readonly string[]
  readonly feeders: readonly FeederPlan[]
  readonly checks: readonly CheckFacts[]
}

/** One iteration of a user: its steps in order, unless one fails that stops it. */
export interface ScenarioPlan {
  readonly name: string
  /** Iterations are shared out between scenarios in proportion; above 0. */
  readonly weight: number
  /** Positions in `ScriptPlan.feeders`: each gives a row at the begin of an iteration. */
  readonly feederIndexes: readonly number[]
  readonly steps: readonly StepPlan[]
}

export interface StepPlan {
  /** Position in `Plan.requestNames`. */
  readonly nameIndex: number
  readonly method: string
  /** An absolute URL once its variables are filled in. */
  readonly url: TextTemplate
  /** Beside those of the plan, and instead of those of the same name in any case. */
  readonly headers: readonly { readonly name: string; readonly value: TextTemplate }[]
  readonly body: TextTemplate | Uint8Array | null
  readonly extractions: readonly ExtractionPlan[]
  readonly checks: readonly CheckPlan[]
  /** Between this step and the next one, or the end of the iteration. */
  readonly thinkTime: ThinkTimePlan | null
  /** A failure, a failed check or an extraction that finds nothing ends the iteration. */
  readonly stopsOnError: boolean
}

/**
 * Pieces in order: text, and variables by their position in `ScriptPlan.variableNames`, put in as
 * they are or escaped. Made and filled in by `script/text-template.ts`.
 */
export type TextTemplate = readonly TextPiece[]
export type TextPiece = string | number | EscapedVariable

export interface EscapedVariable {
  readonly variableIndex: number
  readonly escape: VariableEscape
  /** Of an `address`. */
  readonly base?: string
}

/**
 * `url`: percent-encoded. `form`: the same with `+` for a blank. `json`: the inside of a JSON string.
 * `field`: without line ends, which would begin another header field. `address`: a whole URL as it
 * is, a path behind `base`, which is an origin.
 */
export type VariableEscape = 'url' | 'form' | 'json' | 'field' | 'address'

export interface FeederPlan {
  readonly name: string
  /** Position in `ScriptPlan.variableNames` of each column. */
  readonly columns: readonly number[]
  /** As many texts each as there are columns; at least one row. */
  readonly rows: readonly (readonly string[])[]
  /**
   * `in-order`: row `k mod count` for the k-th iteration that takes one, over all users. `random`:
   * any. `unique`: each once, and the run ends with the last.
   */
  readonly order: 'in-order' | 'random' | 'unique'
}

/** What a thread, or all of them, had of a `unique` feeder. */
export interface FeederUse {
  readonly name: string
  /** Rows that were handed out. */
  readonly rowCount: number
  /** An iteration found no row left. */
  readonly isUsedUp: boolean
}

/** What is taken out of a response into a variable. */
export type ExtractionPlan = {
  readonly variableIndex: number
  /** Null: finding nothing is an error of the exchange. */
  readonly fallback: string | null
} & (
  | { readonly kind: 'json' /** RFC 6901. */; readonly pointer: string }
  /** The first group, or the whole match where there is none. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'cookie'; readonly name: string }
)

/** What a report calls a check. */
export interface CheckFacts {
  readonly name: string
  /** Position in `Plan.requestNames`. */
  readonly nameIndex: number
}

/** What must hold of a response. */
export type CheckPlan = {
  /** Position in `ScriptPlan.checks`. */
  readonly checkIndex: number
} /** Inclusive; `404` is from 404 to 404, `2xx` from 200 to 299. */ & (
  | { readonly kind: 'status'; readonly ranges: readonly { from: number; to: number }[] }
  /** `matches`: a regular expression; null: being there is enough. */
  | { readonly kind: 'header'; readonly name: string; readonly matches: string | null }
  | { readonly kind: 'body-contains'; readonly text: TextTemplate }
  | { readonly kind: 'body-matches'; readonly pattern: string; readonly flags: string }
  /** `equals`: JSON text of a scalar once filled in; null: being there is enough. */
  | { readonly kind: 'json'; readonly pointer: string; readonly equals: TextTemplate | null }
)

/** A random time, drawn from the user's own stream. */
export type ThinkTimePlan =
  | { readonly kind: 'constant'; readonly timeNs: number }
  | { readonly kind: 'uniform'; readonly minNs: number; readonly maxNs: number }
  | { readonly kind: 'exponential'; readonly meanNs: number }
  /** Of the logarithm; never above a hundred medians. */
  | { readonly kind: 'lognormal'; readonly medianNs: number; readonly sigma: number }
