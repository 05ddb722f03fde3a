/**
 * Where one user is in its script: the scenario of this iteration, the step, the variables, and
 * the response that is being looked into.
 */
import type { Random } from '../base/random.ts'
import type { Exchange } from '../metrics/exchange.ts'
import { Disqualification } from '../metrics/outcome.ts'
import type { Recorder } from '../metrics/recorder.ts'
import { extractAll } from '../script/extraction.ts'
import { SCRIPT_BODY_BYTES_MAX, ScriptResponse } from '../script/script-response.ts'
import { thinkTimeNs } from '../script/think-time.ts'
import type { ScriptBook, ScriptStep } from './script-book.ts'

/** The decoded body; the bytes as they came when they cannot be decoded. */
export type DecodeBody = (bytes: Uint8Array, coding: string, bytesMax: number) => Uint8Array

const noSteps: readonly ScriptStep[] = []

export class ScriptSession {
  readonly response: ScriptResponse = new ScriptResponse()
  readonly variables: string[]
  readonly #book: ScriptBook
  readonly #random: Random
  readonly #decodeBody: DecodeBody
  #steps: readonly ScriptStep[] = noSteps
  #stepIndex = -1

  constructor(book: ScriptBook, random: Random, decodeBody: DecodeBody) {
    this.#book = book
    this.#random = random
    this.#decodeBody = decodeBody
    this.variables = book.plan.variableNames.map(() => '')
  }

  /** Chooses what the next iteration is; false: there is no more for this user. */
  begin(): boolean {
    for (let index = 0; index < this.variables.length; index++) this.variables[index] = ''
    const steps = this.#book.nextIteration(this.variables, this.#random)
    this.#steps = steps ?? noSteps
    this.#stepIndex = -1
    return steps !== null
  }

  /** The step that is under way. */
  get step(): ScriptStep {
    return this.#steps[this.#stepIndex]!
  }

  /** Goes on to the next step; null: the iteration is over. */
  next(): ScriptStep | null {
    return this.#steps[++this.#stepIndex] ?? null
  }

  /** The pause behind the step that is under way. */
  pauseNs(): number {
    const { thinkTime } = this.step.plan
    return thinkTime === null ? 0 : thinkTimeNs(thinkTime, this.#random)
  }

  /**
   * HOT (bench/macro/main.ts). The whole response of the step is there: takes out of it what the
   * plan wants and checks it. What is missing or wrong disqualifies the exchange.
   */
  judge(exchange: Exchange, recorder: Recorder): void {
    const { step, response } = this
    response.status = exchange.status
    if (step.interest.readsBody) this.#decode()
    exchange.isStatusChecked = step.checksStatus
    const missed = extractAll(step.extractors, response, this.variables)
    let hasFailed = false
    for (let index = 0; index < step.checks.length; index++) {
      const check = step.checks[index]!
      const holds = check.holds(response, this.variables)
      recorder.checked(check.plan.checkIndex, holds, exchange)
      if (!holds) hasFailed = true
    }
    if (exchange.disqualification !== Disqualification.none) return
    if (hasFailed) exchange.disqualification = Disqualification.checkFailed
    else if (missed !== null) exchange.disqualification = Disqualification.nothingExtracted
  }

  #decode(): void {
    const { response } = this
    const coding = response.field('content-encoding')
    if (coding === null || response.isBodyCut) return
    response.replaceBody(this.#decodeBody(response.body, coding, SCRIPT_BODY_BYTES_MAX))
  }
}
