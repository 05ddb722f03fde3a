/**
 * Fills in what a person left out of a plan, so that what is printed is what would run.
 *
 * Short forms become long ones (`- /cart` becomes `- get: /cart`, `steps` the only scenario), and
 * completing a complete plan changes nothing. Contradictions are left in for others to find.
 */
import {
  type ExtractionDraft,
  type FeederDraft,
  type LoadDraft,
  METHOD_KEYS,
  type PlanDraft,
  type RequestDraft,
  type ScenarioDraft,
  type StepDraft,
} from './plan-draft.ts'
import { ratePerSecond } from './quantities.ts'

/** Said in the help and in docs/plan.md. */
export const DEFAULT_USER_COUNT = 10
const DEFAULT_DURATION = '10s'
const DEFAULT_TIMEOUT = '10s'
export const DEFAULT_IN_FLIGHT_COUNT_MAX = 2000
const DEFAULT_PARALLEL_COUNT = 6

/** What is used unless the plan says something else. */
export interface CompletionFacts {
  readonly seed: number
  readonly title: string
}

export function completed(draft: PlanDraft, { seed, title }: CompletionFacts): PlanDraft {
  const { steps, $schema: _, ...rest }: PlanDraft & { readonly $schema?: unknown } = draft
  const isScript = draft.urls === undefined
  const scenarios = steps === undefined ? draft.scenarios : [{ steps }, ...(draft.scenarios ?? [])]
  return {
    ...rest,
    title: draft.title ?? title,
    load: completedLoad(draft),
    timeout: draft.timeout ?? DEFAULT_TIMEOUT,
    'keep-alive': draft['keep-alive'] ?? true,
    'follow-redirects': draft['follow-redirects'] ?? false,
    cookies: draft.cookies ?? isScript,
    resources: completedResources(draft.resources),
    insecure: draft.insecure ?? false,
    threads: draft.threads ?? 1,
    reactor: draft.reactor ?? 'auto',
    seed: draft.seed ?? seed,
    ...(draft.feeders === undefined ? {} : { feeders: mapped(draft.feeders, completedFeeder) }),
    ...(draft.slo === undefined ? {} : { slo: [draft.slo].flat() }),
    ...(scenarios === undefined ? {} : { scenarios: scenarios.map(completedScenario) }),
    ...(draft.urls === undefined
      ? {}
      : { urls: completedUrls(draft.urls), order: draft.order ?? 'in-order' }),
  }
}

/** The words of a step: `GET /cart`, its own name, its group's before that. */
export function requestName(step: StepDraft): string {
  const name = step.name ?? `${methodOf(step)} ${urlOf(step)}`
  return step.group === undefined ? name : `${step.group}/${name}`
}

export function methodOf(request: RequestDraft): string {
  const key = METHOD_KEYS.find((word) => request[word] !== undefined)
  return key?.toUpperCase() ?? request.method ?? 'GET'
}

export function urlOf(request: RequestDraft): string {
  const key = METHOD_KEYS.find((word) => request[word] !== undefined)
  return (key === undefined ? request.url : request[key]) ?? ''
}

function completedLoad({ load = {}, order, timeout }: PlanDraft): LoadDraft {
  const { stages, users, count, duration } = load
  const rates = [load.rate, ...(stages ?? []).map((stage) => stage.rate)].filter(
    (rate) => rate !== undefined,
  )
  const isOpen = rates.length > 0
  const isBounded = stages !== undefined || count !== undefined || order === 'once'
  const hasUsers = users !== undefined || (stages ?? []).some((stage) => stage.users !== undefined)
  return {
    ...(isOpen || hasUsers ? {} : { users: DEFAULT_USER_COUNT }),
    ...load,
    ...(isOpen
      ? {
          arrivals: load.arrivals ?? 'even',
          'max-in-flight': load['max-in-flight'] ?? inFlightCountMax(rates),
        }
      : {}),
    ...(isBounded ? {} : { duration: duration ?? DEFAULT_DURATION }),
    'warm-up': load['warm-up'] ?? '0s',
    // The slowest would be missing from the figures if the end cut them off.
    drain: load.drain ?? timeout ?? DEFAULT_TIMEOUT,
  }
}

/** What begins within a second may be under way at once, as a server may stall for so long. */
function inFlightCountMax(rates: readonly string[]): number {
  const perSecond = Math.max(...rates.map((rate) => ratePerSecond(rate) ?? 0))
  return Math.min(Math.max(DEFAULT_IN_FLIGHT_COUNT_MAX, Math.ceil(perSecond)), 1_000_000)
}

function completedResources(resources: PlanDraft['resources']): PlanDraft['resources'] {
  if (resources === undefined || resources === false) return false
  const given = resources === true ? {} : resources
  return {
    parallel: given.parallel ?? DEFAULT_PARALLEL_COUNT,
    'same-origin': given['same-origin'] ?? true,
  }
}

function completedFeeder(feeder: string | FeederDraft): FeederDraft {
  const given = typeof feeder === 'string' ? { file: feeder } : feeder
  return { ...given, order: given.order ?? 'in-order' }
}

function completedUrls(urls: NonNullable<PlanDraft['urls']>): PlanDraft['urls'] {
  if (typeof urls === 'string') return urls
  return urls.map((entry) => (typeof entry === 'string' ? entry : withMethodKey(entry)))
}

function completedScenario(scenario: ScenarioDraft, index: number): ScenarioDraft {
  return {
    ...scenario,
    name: scenario.name ?? `scenario ${index + 1}`,
    weight: scenario.weight ?? 1,
    steps: scenario.steps.map(completedStep),
  }
}

function completedStep(written: string | StepDraft): StepDraft {
  const step = withMethodKey(typeof written === 'string' ? stepOfText(written) : written)
  const { extract } = step
  return {
    ...step,
    name: step.name ?? `${methodOf(step)} ${urlOf(step)}`,
    ...(extract === undefined ? {} : { extract: mapped(extract, completedExtraction) }),
    'on-error': step['on-error'] ?? 'stop',
  }
}

/** `/cart` or `DELETE /cart`. */
function stepOfText(text: string): StepDraft {
  const [, method, url] = /^([A-Z]{3,16}) +(\S.*)$/.exec(text) ?? []
  return method === undefined || url === undefined ? { get: text } : { method, url }
}

/** `method: POST` with `url` as `post`, where there is such a key and none is used yet. */
function withMethodKey<Request extends RequestDraft>(request: Request): Request {
  const { method = 'GET', url, ...rest } = request
  const key = METHOD_KEYS.find((word) => word === method.toLowerCase())
  const isMethodNamed = METHOD_KEYS.some((word) => request[word] !== undefined)
  if (url === undefined || key === undefined || isMethodNamed) return request
  // The same request, written with another of its keys.
  return { [key]: url, ...rest } as unknown as Request
}

function completedExtraction(written: string | ExtractionDraft): ExtractionDraft {
  return typeof written === 'string' ? { json: written } : written
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
