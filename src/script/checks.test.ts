/** Checks: each kind, where it holds and where it does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckPlan } from '../plan/script-plan.ts'
import { Check } from './checks.ts'
import { ScriptResponse } from './script-response.ts'

function responseOf(status: number, body: string, fields: [string, string][] = []): ScriptResponse {
  const response = new ScriptResponse()
  response.begin()
  response.status = status
  for (const [name, value] of fields) response.addField(name, value)
  const bytes = new TextEncoder().encode(body)
  response.addBody(bytes, 0, bytes.length)
  return response
}

function holds(plan: CheckPlan, response: ScriptResponse, variables: string[] = []): boolean {
  return new Check(plan).holds(response, variables)
}

const base = { checkIndex: 0 }

test('Check of a status takes both ends of each range', () => {
  const plan: CheckPlan = {
    ...base,
    kind: 'status',
    ranges: [
      { from: 200, to: 299 },
      { from: 404, to: 404 },
    ],
  }
  const statuses = [199, 200, 299, 300, 403, 404, 405]
  assert.deepEqual(
    statuses.filter((status) => holds(plan, responseOf(status, ''))),
    [200, 299, 404],
  )
})

test('Check of a header asks for its presence or for what its value matches', () => {
  const response = responseOf(200, '', [['x-cache', 'HIT from a']])
  const plan = (name: string, matches: string | null): CheckPlan => ({
    ...base,
    kind: 'header',
    name,
    matches,
  })
  assert.equal(holds(plan('X-Cache', null), response), true)
  assert.equal(holds(plan('X-Other', null), response), false)
  assert.equal(holds(plan('X-Cache', '^HIT'), response), true)
  assert.equal(holds(plan('X-Cache', '^MISS'), response), false)
})

test('Check of a body looks for text, with variables filled in, or a pattern', () => {
  const response = responseOf(200, 'Welcome, Ann!')
  const contains = (...text: (string | number)[]): CheckPlan => ({
    ...base,
    kind: 'body-contains',
    text,
  })
  assert.equal(holds(contains('Welcome'), response), true)
  assert.equal(holds(contains('welcome'), response), false)
  assert.equal(holds(contains('Welcome, ', 0), response, ['Ann']), true)
  assert.equal(holds(contains('Welcome, ', 0), response, ['Bob']), false)
  const matches = (pattern: string, flags: string): CheckPlan => ({
    ...base,
    kind: 'body-matches',
    pattern,
    flags,
  })
  assert.equal(holds(matches('welcome, \\w+!', 'i'), response), true)
  assert.equal(holds(matches('welcome', ''), response), false)
})

test('Check of JSON compares scalars by type and value', () => {
  const response = responseOf(200, '{"ok":true,"n":1,"s":"1","none":null,"list":[1]}')
  const plan = (pointer: string, ...equals: (string | number)[]): CheckPlan => ({
    ...base,
    kind: 'json',
    pointer,
    equals: equals.length === 0 ? null : equals,
  })
  for (const right of [
    plan('/ok', 'true'),
    plan('/n', '1'),
    plan('/s', '"1"'),
    plan('/none', 'null'),
  ]) {
    assert.equal(holds(right, response), true, JSON.stringify(right))
  }
  for (const wrong of [
    plan('/ok', 'false'),
    plan('/n', '"1"'),
    plan('/s', '1'),
    plan('/none', 'false'),
  ]) {
    assert.equal(holds(wrong, response), false, JSON.stringify(wrong))
  }
  assert.equal(holds(plan('/list'), response), true)
  assert.equal(holds(plan('/none'), response), true)
  assert.equal(holds(plan('/missing'), response), false)
  assert.equal(holds(plan('/missing', 'null'), response), false)
  const withVariable = plan('/s', '"', 0, '"')
  assert.equal(holds(withVariable, response, ['1']), true)
  assert.equal(holds(withVariable, response, ['2']), false)
  assert.equal(holds(withVariable, response, ['"']), false)
})

test('Check of JSON does not hold for a body that is none', () => {
  const plan: CheckPlan = { ...base, kind: 'json', pointer: '', equals: null }
  assert.equal(holds(plan, responseOf(200, '<html>')), false)
  assert.equal(holds(plan, responseOf(200, '[]')), true)
})
