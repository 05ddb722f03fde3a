/**
 * The scripted sessions of a thread, made ready: each step with its requests, extractions and
 * checks, and where the thread is in its feeders.
 */

import type { Random } from '../base/random.ts'
import { seededRandom } from '../base/random.ts'
import { latin1FromText } from '../plan/latin1.ts'
import type { HeadField, Plan } from '../plan/plan.ts'
import type { FeederUse, ScriptPlan, StepPlan, TextTemplate } from '../plan/script-plan.ts'
import type { Origin } from '../plan/target-list.ts'
import { type TargetUrl, TargetUrlReader, type TextProblem } from '../plan/target-url.ts'
import type { Part } from '../plan/walk.ts'
import { Check } from '../script/checks.ts'
import { Extractor } from '../script/extraction.ts'
import { FeederCursor } from '../script/feeder.ts'
import { ScenarioChooser } from '../script/scenario-choice.ts'
import { interestOf, type StepInterest } from '../script/step-interest.ts'
import { fixedText, renderBytes, renderText } from '../script/text-template.ts'
import { RequestEncoder } from '../wire/h1-request.ts'
import { RequestForm } from '../wire/request-form.ts'
import type { PreparedRequest, RequestBook, RequestFacts } from './request-book.ts'
import type { Route } from './route.ts'

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
  readonly #urls: TargetUrlReader
  /** With the step's own fields, unless there are variables in them. */
  readonly #encoder: RequestEncoder
  /** The step's own fields, if there are variables in them. */
  readonly #ownFields: StepPlan['headers']
  readonly #body: Uint8Array | null
  /** The same for everybody. */
  #fixedRequest: PreparedRequest | undefined
  /** Of the last origin: most steps know one. */
  #form: OriginForm | undefined

  constructor(plan: StepPlan, request: Plan['request'], book: RequestBook, urls: TargetUrlReader) {
    this.plan = plan
    this.#book = book
    this.#urls = urls
    this.extractors = plan.extractions.map((extraction) => new Extractor(extraction))
    this.checks = plan.checks.map((check) => new Check(check))
    this.interest = interestOf(plan)
    this.checksStatus = plan.checks.some((check) => check.kind === 'status')
    const { headers } = plan
    this.#ownFields = headers.every(({ value }) => fixedText(value) !== null) ? [] : headers
    this.#encoder = encoderFor(request, headers, this.#ownFields.length === 0)
    this.#body = fixedBody(plan.body)
  }

  /** Something of a response is looked at. */
  get looks(): boolean {
    return this.checks.length > 0 || this.extractors.length > 0
  }

  /** HOT (bench/macro/main.ts). */
  requestFor(variables: readonly string[]): PreparedRequest | Unsendable {
    if (this.#fixedRequest !== undefined) return this.#fixedRequest
    const facts = this.#facts(variables)
    if ('problem' in facts) return { problem: `${facts.problem}: ${this.#urlText(variables)}` }
    if (this.#isFixed()) {
      this.#fixedRequest = this.#book.scripted(facts, this.#encoder)
      return this.#fixedRequest
    }
    const lines = this.#ownLines(variables)
    if (lines === null) return { problem: 'a header field would have a line end in it' }
    const { route, form } = this.#formOf(facts.origin)
    return this.#book.filled(facts, route, form, lines)
  }

  #isFixed(): boolean {
    const { url, body } = this.plan
    const isFixedBody = body === null || this.#body !== null
    return this.#ownFields.length === 0 && isFixedBody && fixedText(url) !== null
  }

  #formOf(origin: Origin): OriginForm {
    if (this.#form?.origin === origin) return this.#form
    const { method } = this.plan
    const { authority } = origin
    this.#form = {
      origin,
      route: this.#book.routeOf(origin),
      form: new RequestForm(this.#encoder, { method, authority, contentType: null }),
    }
    return this.#form
  }

  /** Null: a value cannot be sent. */
  #ownLines(variables: readonly string[]): string | null {
    let lines = ''
    for (const { name, value } of this.#ownFields) {
      const text = latin1FromText(renderText(value, variables))
      if (LINE_BREAKER.test(text)) return null
      lines += text === '' ? `${name}:\r\n` : `${name}: ${text}\r\n`
    }
    return lines
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
}

/** How a step's requests to one origin look. */
interface OriginForm {
  readonly origin: Origin
  readonly route: Route
  readonly form: RequestForm
}

/** The plan's head; with the step's fields, if they are fixed, else without those they replace. */
function encoderFor(
  { httpVersion, head }: Plan['request'],
  headers: StepPlan['headers'],
  isFixed: boolean,
): RequestEncoder {
  const fields = headers.map(({ name, value }) => ({
    kind: 'fixed' as const,
    name,
    value: isFixed ? latin1FromText(renderText(value, [])) : '',
  }))
  return new RequestEncoder(httpVersion, withFields(head, fields, isFixed))
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

/**
 * `fields` instead of those of the same name, before what follows the head's own fixed fields; or
 * nothing instead of them, where they are to be put in later.
 */
function withFields(
  head: readonly HeadField[],
  fields: readonly (HeadField & { readonly name: string })[],
  arePutIn: boolean,
): HeadField[] {
  const names = new Set(fields.map(({ name }) => name.toLowerCase()))
  const kept = head.filter((field) => field.kind === 'dynamic' || !names.has(nameOf(field)))
  if (!arePutIn) return kept
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
  readonly #feeders: readonly FeederCursor[]
  readonly #chooser: ScenarioChooser
  readonly #part: Part
  #iterationCount = 0

  constructor(script: ScriptPlan, plan: Plan, book: RequestBook, part: Part) {
    this.plan = script
    this.#part = part
    const urls = new TargetUrlReader(true)
    const feeders = script.feeders.map((feeder) => new FeederCursor(feeder, part))
    this.#feeders = feeders
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

  feederUses(): FeederUse[] {
    return this.#feeders.map((feeder) => feeder.use())
  }
}

/** Of the numbers a user draws for its script, beside those for its walk and think time. */
const SCRIPT_STREAM_FIRST = 2 ** 30

export function scriptRandom(seed: number, userId: number): Random {
  return seededRandom(seed, SCRIPT_STREAM_FIRST + userId)
}
