/**
 * A plan as a person writes it, in a file or as an object for `definePlan`.
 *
 * Everything may be left out that has a sensible value; times and rates are texts with their unit.
 * `plan-schema.ts` holds values to these types, `complete.ts` fills in what was left out,
 * `plan-from-draft.ts` makes the engine's plan of it. docs/plan.md tells people about it.
 */

/** `30s`, `5m`, `1h30m`, `250ms`. */
export type DurationText = string
/** `500/s`, `90/m`, `1.5/s`, `3600/h`. */
export type RateText = string
/** `1s`, `1s..3s`, `exponential 2s`, `lognormal 2s 0.5`. */
export type ThinkText = string
/** What becomes a text as it is written. */
export type ScalarDraft = string | number | boolean

/** A field with a list is sent once for each value. */
export type HeadersDraft = Readonly<Record<string, ScalarDraft | readonly ScalarDraft[]>>

export interface PlanDraft {
  /** For the report. */
  readonly title?: string | undefined
  readonly load?: LoadDraft | undefined
  /** In front of every URL without a host of its own. */
  readonly 'base-url'?: string | undefined
  /** Of every request. */
  readonly headers?: HeadersDraft | undefined
  /** How long to wait for a connection, for the first byte, or while nothing comes. */
  readonly timeout?: DurationText | undefined
  readonly 'keep-alive'?: boolean | undefined
  readonly 'follow-redirects'?: boolean | undefined
  readonly cookies?: boolean | undefined
  /** Load what pages need, as a browser would. */
  readonly resources?: boolean | ResourcesDraft | undefined
  /** Take any certificate. */
  readonly insecure?: boolean | undefined
  /** A file of certificates to trust besides the usual ones. */
  readonly ca?: string | undefined
  /** A certificate to show, and its key: PEM files. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly threads?: number | undefined
  readonly reactor?: 'auto' | 'node' | 'epoll' | 'uring' | undefined
  /** New connections a second, at most. */
  readonly 'connect-rate'?: number | undefined
  /** Addresses to connect from, in turn, with commas between them. */
  readonly source?: string | undefined
  readonly pin?: string | number | undefined
  readonly seed?: number | undefined
  /** Texts that never change, for `${name}`. */
  readonly variables?: Readonly<Record<string, ScalarDraft>> | undefined
  readonly feeders?: Readonly<Record<string, string | FeederDraft>> | undefined
  /** Conditions such as `p99<200ms`: exit status 1 unless all hold. */
  readonly slo?: string | readonly string[] | undefined
  readonly 'abort-on-slo'?: boolean | undefined
  /** Between two iterations of a user. */
  readonly think?: ThinkText | undefined
  readonly scenarios?: readonly ScenarioDraft[] | undefined
  /** Instead of `scenarios`: the steps of the only one. */
  readonly steps?: readonly (string | StepDraft)[] | undefined
  /** Instead of `scenarios`: a file in siege's format, or a list of requests. */
  readonly urls?: string | readonly (string | RequestDraft)[] | undefined
  /** How users go through `urls`. */
  readonly order?: 'in-order' | 'random' | 'once' | undefined
}

export interface LoadDraft {
  /** Closed model: each goes on as soon as it is done. */
  readonly users?: number | undefined
  /** Open model: so many begin, however long the others take. */
  readonly rate?: RateText | undefined
  readonly arrivals?: 'even' | 'poisson' | undefined
  readonly 'max-in-flight'?: number | undefined
  readonly duration?: DurationText | undefined
  /** Iterations of all users together. */
  readonly count?: number | undefined
  readonly stages?: readonly StageDraft[] | undefined
  /** The first part of the run, left out of the figures. */
  readonly 'warm-up'?: DurationText | undefined
  /** How long what is under way at the end may go on. */
  readonly drain?: DurationText | undefined
}

/** From the level before in a straight line to the one named; without one, it stays. */
export interface StageDraft {
  readonly duration: DurationText
  readonly users?: number | undefined
  readonly rate?: RateText | undefined
}

export interface ResourcesDraft {
  /** How many a user loads at once. */
  readonly parallel?: number | undefined
  readonly 'same-origin'?: boolean | undefined
}

export interface FeederDraft {
  /** CSV with a line of names, or JSON lines. */
  readonly file?: string | undefined
  readonly rows?: readonly Readonly<Record<string, ScalarDraft>>[] | undefined
  readonly order?: 'in-order' | 'random' | 'unique' | undefined
}

export interface ScenarioDraft {
  readonly name?: string | undefined
  readonly weight?: number | undefined
  /** Absent: those whose columns the steps use. */
  readonly feeders?: readonly string[] | undefined
  readonly steps: readonly (string | StepDraft)[]
}

/** One of the methods with a URL, or `method` and `url`. */
export interface RequestDraft {
  /** In statistics. */
  readonly name?: string | undefined
  readonly get?: string | undefined
  readonly head?: string | undefined
  readonly post?: string | undefined
  readonly put?: string | undefined
  readonly patch?: string | undefined
  readonly delete?: string | undefined
  readonly options?: string | undefined
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** At most one of the four. */
  readonly json?: unknown
  readonly form?: Readonly<Record<string, ScalarDraft | readonly ScalarDraft[]>> | undefined
  readonly body?: string | undefined
  readonly 'body-file'?: string | undefined
  readonly 'content-type'?: string | undefined
}

export interface StepDraft extends RequestDraft {
  /** Goes before the name: `checkout/login`. */
  readonly group?: string | undefined
  readonly headers?: HeadersDraft | undefined
  readonly check?: CheckDraft | undefined
  readonly extract?: Readonly<Record<string, string | ExtractionDraft>> | undefined
  /** After this step. */
  readonly think?: ThinkText | undefined
  /** What happens after a failure, a check that does not hold, or a value that is not found. */
  readonly 'on-error'?: 'stop' | 'continue' | undefined
}

export interface CheckDraft {
  readonly status?: StatusDraft | readonly StatusDraft[] | undefined
  /** Name and a regular expression for the value. */
  readonly header?: Readonly<Record<string, string>> | undefined
  readonly 'has-header'?: string | readonly string[] | undefined
  readonly 'body-contains'?: string | readonly string[] | undefined
  readonly 'body-matches'?: PatternDraft | readonly PatternDraft[] | undefined
  /** JSON pointer and the value it must have. */
  readonly json?: Readonly<Record<string, ScalarDraft | null>> | undefined
  readonly 'has-json'?: string | readonly string[] | undefined
}

/** `200`, `2xx`, `200-299`. */
export type StatusDraft = number | string
export type PatternDraft = string | { readonly regex: string; readonly flags?: string | undefined }

/** One of the four kinds. */
export interface ExtractionDraft {
  readonly json?: string | undefined
  readonly regex?: string | undefined
  readonly flags?: string | undefined
  readonly header?: string | undefined
  readonly cookie?: string | undefined
  /** Where nothing is found; without it that is an error. */
  readonly default?: ScalarDraft | undefined
}

/** The words that name a method in a request. */
export const METHOD_KEYS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const

/** Gives the plan it is given: an editor knows then what may be in it. */
export function definePlan(plan: PlanDraft): PlanDraft {
  return plan
}
