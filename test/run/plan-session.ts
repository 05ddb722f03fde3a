/**
 * Goes once through each scenario of a plan with Node's own HTTP client, as a second, plain opinion
 * on what a script means: the pure parts are those that the engine uses, the rest is not.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { seededRandom } from '../../src/base/random.ts'
import type { ScenarioPlan, ScriptPlan } from '../../src/plan/script-plan.ts'
import { Check } from '../../src/script/checks.ts'
import { Extractor, extractAll } from '../../src/script/extraction.ts'
import { FeederCursor } from '../../src/script/feeder.ts'
import { ScriptResponse } from '../../src/script/script-response.ts'
import { renderBytes, renderText } from '../../src/script/text-template.ts'

/** The statuses of all steps; fails where a check does not hold or nothing is extracted. */
export async function walkScenarios(script: ScriptPlan): Promise<number[]> {
  const statuses: number[] = []
  const cursors = script.feeders.map((feeder) => new FeederCursor(feeder, { index: 0, count: 1 }))
  for (const scenario of script.scenarios) {
    const variables = script.variableNames.map(() => '')
    for (const index of scenario.feederIndexes) {
      assert.ok(cursors[index]!.feed(variables, seededRandom(1)))
    }
    statuses.push(...(await walkScenario(scenario, script, variables)))
  }
  return statuses
}

async function walkScenario(
  scenario: ScenarioPlan,
  script: ScriptPlan,
  variables: string[],
): Promise<number[]> {
  const statuses: number[] = []
  let cookies = ''
  for (const step of scenario.steps) {
    const headers = Object.fromEntries(
      step.headers.map(({ name, value }) => [name, renderText(value, variables)]),
    )
    const { body } = step
    const bytes = body === null || body instanceof Uint8Array ? body : renderBytes(body, variables)
    const url = renderText(step.url, variables)
    const response = await answerOf(url, step.method, { ...headers, cookie: cookies }, bytes)
    cookies = response.lastField('set-cookie', (line) => line.split(';')[0] ?? null) ?? cookies
    const missed = extractAll(
      step.extractions.map((plan) => new Extractor(plan)),
      response,
      variables,
    )
    assert.equal(missed, null, missed?.missText(response))
    for (const check of step.checks) {
      const { name } = script.checks[check.checkIndex]!
      assert.ok(new Check(check).holds(response, variables), `${url}: ${name}: ${response.status}`)
    }
    statuses.push(response.status)
  }
  return statuses
}

function answerOf(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Uint8Array | null,
): Promise<ScriptResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (incoming) => {
      const response = new ScriptResponse()
      response.begin()
      response.status = incoming.statusCode ?? 0
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        response.addField(
          incoming.rawHeaders[index]!.toLowerCase(),
          incoming.rawHeaders[index + 1]!,
        )
      }
      incoming.on('data', (bytes: Uint8Array) => response.addBody(bytes, 0, bytes.length))
      incoming.on('end', () => resolve(response))
    })
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}
