/**
 * The scripted sessions of a thread, made ready: each step with its requests, extractions and
 * checks, and where the thread is in its feeders.
 */

import type { Random } from '../base/random.ts'
import { seededRandom } from '../base/random.ts'
import { latin1FromText } from '../plan/latin1.ts'
import type { HeadField, Plan } from '../plan/plan.ts'
import type { ScriptPlan, StepPlan, TextTemplate } from '../plan/script-plan.ts'
import { type TargetUrl, TargetUrlReader, type TextProblem } from '../plan/target-url.ts'
import type { Part } from '../plan/walk.ts'
import { Check } from '../script/checks.ts'
import { Extractor } from '../script/extraction.ts'
import { FeederCursor } from '../script/feeder.ts'
import { ScenarioChooser } from '../script/scenario-choice.ts'
import { interestOf, type StepInterest } from '../script/step-interest.ts'
import { fixedText, renderBytes, renderText } from '../script/text-template.ts'
import { RequestEncoder } from '../wire/h1-request.ts'
import type { PreparedRequest, RequestBook, RequestFacts } from './request-book.ts'

/** What would end a line of the head early (RFC 9110 section 5.5). */
const LINE_BREAKER = /[\r\n\0]/

/** One sentence: why a step's request cannot be sent with these variables. */
export interface Unsendable {
  readonly problem: string
}

/** One step, for all users of a thread. */
export class ScriptStep {
  readonly plan: StepPlan
  readonly extractors: readonly Extractor[]
  readonly checks: readonly Check[]
  readonly interest: StepInterest
  /** Whether a status above 400 may be what the plan wants. */
  readonly checksStatus: boolean
  readonly #book: RequestBook
  readonly #request: Plan['request']
  readonly #urls: TargetUrlReader
  /** Null: some header field has a variable in it. */
  readonly #encoder: RequestEncoder | null
  readonly #body: Uint8Array | null
  /** The same for everybody. */
  #fixedRequest: PreparedRequest | undefined

  constructor(plan: StepPlan, request: Plan['request'], book: RequestBook, urls: TargetUrlReader) {
    this.plan = plan
    this.#request = request
    this.#book = book
    this.#urls = urls
    this.extractors = plan.extractions.map((extraction) => new Extractor(extraction))
    this.checks = plan.checks.map((check) => new Check(check))
    this.interest = interestOf(plan)
    this.checksStatus = plan.checks.some((check) => check.kind === 'status')
    const isFixedHead = plan.headers.every(({ value }) => fixedText(value) !== null)
    this.#encoder = isFixedHead ? this.#encoderFor([]) : null
    this.#body = fixedBody(plan.body)
  }

  /** Something of a response is looked at. */
  get looks(): boolean {
    return this.checks.length > 0 || this.extractors.length > 0
  }

  /** HOT (bench/macro/main.ts). */
  requestFor(variables: readonly string[]): PreparedRequest | Unsendable {
    if (this.#fixedRequest !== undefined) return this.#fixedRequest
    const isFixed = this.#isFixed()
    const facts = this.#facts(variables)
    if ('problem' in facts) return { problem: `${facts.problem}: ${this.#urlText(variables)}` }
    const encoder = this.#encoder ?? this.#encoderFor(variables)
    if (encoder === null) return { problem: 'a header field would have a line end in it' }
    const request = this.#book.scripted(facts, encoder, isFixed)
    if (isFixed) this.#fixedRequest = request
    return request
  }

  #isFixed(): boolean {
    const { url, body } = this.plan
    const isFixedBody = body === null || this.#body !== null
    return this.#encoder !== null && isFixedBody && fixedText(url) !== null
  }

  #urlText(variables: readonly string[]): string {
    return renderText(this.plan.url, variables)
  }

  #facts(variables: readonly string[]): RequestFacts | TextProblem {
    const target: TargetUrl | TextProblem = this.#urls.read(
      latin1FromText(this.#urlText(variables)),
    )
    if ('problem' in target) return target
    return {
      origin: target.prefix.origin,
      credentials: target.prefix.credentials,
      method: this.plan.method,
      requestTarget: target.requestTarget,
      targetIndex: -1,
      body: this.#body ?? renderedBody(this.plan.body, variables),
      contentType: null,
      sendsGiven: true,
      nameIndex: this.plan.nameIndex,
    }
  }

  /** The plan's head with the step's fields in it; null when a value cannot be sent. */
  #encoderFor(variables: readonly string[]): RequestEncoder | null {
    const { httpVersion, head } = this.#request
    const fields = this.plan.headers.map(({ name, value }) => ({
      kind: 'fixed' as const,
      name,
      value: latin1FromText(renderText(value, variables)),
    }))
    if (fields.some(({ value }) => LINE_BREAKER.test(value))) return null
    return new RequestEncoder(httpVersion, withFields(head, fields))
  }
}

function fixedBody(body: TextTemplate | Uint8Array | null): Uint8Array | null {
  if (body === null || body instanceof Uint8Array) return body
  return fixedText(body) === null ? null : renderBytes(body, [])
}

function renderedBody(
  body: TextTemplate | Uint8Array | null,
  variables: readonly string[],
): Uint8Array | null {
  return body === null || body instanceof Uint8Array ? body : renderBytes(body, variables)
}

/** `fields` instead of those of the same name, before what follows the head's own fixed fields. */
function withFields(
  head: readonly HeadField[],
  fields: readonly (HeadField & { readonly name: string })[],
): HeadField[] {
  const names = new Set(fields.map(({ name }) => name.toLowerCase()))
  const kept = head.filter((field) => field.kind === 'dynamic' || !names.has(nameOf(field)))
  const place = kept.findIndex((field) => field.kind === 'dynamic')
  return place < 0 ? [...kept, ...fields] : kept.toSpliced(place, 0, ...fields)
}

function nameOf(field: Exclude<HeadField, { readonly kind: 'dynamic' }>): string {
  return field.name.toLowerCase()
}

interface Scenario {
  readonly steps: readonly ScriptStep[]
  readonly feeders: readonly FeederCursor[]
}

export class ScriptBook {
  readonly plan: ScriptPlan
  /** Names of fields that some step looks at, in lower case. */
  readonly fieldNames: readonly string[]
  readonly #scenarios: readonly Scenario[]
  readonly #chooser: ScenarioChooser
  readonly #part: Part
  #iterationCount = 0

  constructor(script: ScriptPlan, plan: Plan, book: RequestBook, part: Part) {
    this.plan = script
    this.#part = part
    const urls = new TargetUrlReader(true)
    const feeders = script.feeders.map((feeder) => new FeederCursor(feeder, part))
    this.#scenarios = script.scenarios.map(({ steps, feederIndexes }) => ({
      steps: steps.map((step) => new ScriptStep(step, plan.request, book, urls)),
      feeders: feederIndexes.map((index) => feeders[index]!),
    }))
    const weights = script.scenarios.map(({ weight }) => weight)
    this.#chooser = new ScenarioChooser(weights, plan.seed)
    const steps = this.#scenarios.flatMap((scenario) => scenario.steps)
    this.fieldNames = [...new Set(steps.flatMap(({ interest }) => interest.fieldNames))]
  }

  /**
   * The steps of the thread's next iteration, with a row of each feeder put into `variables`; null
   * when a feeder's rows are used up.
   */
  nextIteration(variables: string[], random: Random): readonly ScriptStep[] | null {
    const { index, count } = this.#part
    const scenario =
      this.#scenarios[this.#chooser.scenarioOf(this.#iterationCount * count + index)]!
    this.#iterationCount++
    for (const feeder of scenario.feeders) if (!feeder.feed(variables, random)) return null
    return scenario.steps
  }
}

/** Of the numbers a user draws for its script, beside those for its walk and think time. */
const SCRIPT_STREAM_FIRST = 2 ** 30

export function scriptRandom(seed: number, userId: number): Random {
  return seededRandom(seed, SCRIPT_STREAM_FIRST + userId)
}
