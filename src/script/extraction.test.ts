/** Extraction: each kind, and responses that have nothing to give. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtractionPlan } from '../plan/script-plan.ts'
import { Extractor, extractAll } from './extraction.ts'
import { SCRIPT_BODY_BYTES_MAX, ScriptResponse } from './script-response.ts'
import { interestOf } from './step-interest.ts'

type Facts = {
  readonly fields?: readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

function responseOf({ fields = [], body = '' }: Facts): ScriptResponse {
  const response = new ScriptResponse()
  response.begin()
  response.status = 200
  for (const [name, value] of fields) response.addField(name, value)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  response.addBody(bytes, 0, bytes.length)
  return response
}

const base = { variableIndex: 0, fallback: null }
const json = (pointer: string): ExtractionPlan => ({ ...base, kind: 'json', pointer })
const regex = (pattern: string, flags = ''): ExtractionPlan => ({
  ...base,
  kind: 'regex',
  pattern,
  flags,
})
const cookie = (name: string): ExtractionPlan => ({ ...base, kind: 'cookie', name })

function extracted(plan: ExtractionPlan, facts: Facts): string | null {
  return new Extractor(plan).extract(responseOf(facts))
}

test('Extractor takes texts out of JSON as they are, and other values as JSON', () => {
  const body = '{"a":{"b":["x",1,true,null,{"c":1}]},"id":12345678901234567890,"price":1.10}'
  const expected = { '/a/b/0': 'x', '/a/b/1': '1', '/a/b/2': 'true', '/a/b/3': 'null' }
  for (const [pointer, value] of Object.entries(expected)) {
    assert.equal(extracted(json(pointer), { body }), value)
  }
  assert.equal(extracted(json('/a/b/4'), { body }), '{"c":1}')
  assert.equal(extracted(json('/id'), { body }), '12345678901234567890')
  assert.equal(extracted(json('/price'), { body }), '1.10')
  assert.equal(extracted(json('/nothing'), { body }), null)
})

test('Extractor says what is wrong with a body that is not JSON', () => {
  const extractor = new Extractor(json('/a'))
  for (const [body, reason] of [
    ['<html>', 'the body is not JSON, so nothing is at /a'],
    ['', 'the body is empty, so nothing is at /a'],
    ['{"b":1}', 'the JSON has nothing at /a'],
  ] as const) {
    const response = responseOf({ body })
    assert.equal(extractor.extract(response), null)
    assert.equal(extractor.missText(response), reason)
  }
})

test('Extractor takes the first group of a match, or all of it', () => {
  assert.equal(extracted(regex('id=(\\d+)'), { body: 'id=12 id=34' }), '12')
  assert.equal(extracted(regex('id=\\d+'), { body: 'id=12' }), 'id=12')
  assert.equal(extracted(regex('ID=(\\d+)', 'gi'), { body: 'id=12' }), '12')
  assert.equal(extracted(regex('a(b)?'), { body: 'a' }), null)
  assert.equal(extracted(regex('x'), { body: 'a' }), null)
})

test('Extractor with flag g finds the same in every response', () => {
  const extractor = new Extractor(regex('a', 'g'))
  const response = responseOf({ body: 'a' })
  assert.equal(extractor.extract(response), 'a')
  assert.equal(extractor.extract(response), 'a')
})

test('Extractor reads a field by its name in any case, as UTF-8 where it is', () => {
  const plan: ExtractionPlan = { ...base, kind: 'header', name: 'X-Request-ID' }
  const fields = [
    ['x-request-id', 'one'],
    ['x-request-id', 'two'],
  ] as const
  assert.equal(extracted(plan, { fields }), 'one')
  assert.equal(extracted(plan, {}), null)
  assert.equal(extracted(plan, { fields: [['x-request-id', '\xc3\xbc']] }), 'ü')
  assert.equal(extracted(plan, { fields: [['x-request-id', '\xfc']] }), 'ü')
})

test('Extractor takes the last cookie of a name that the response sets', () => {
  const fields = [
    ['set-cookie', 'sid=1; Path=/'],
    ['set-cookie', 'sid2=no'],
    ['set-cookie', 'sid=2; Path=/; HttpOnly'],
    ['set-cookie', 'other=sid'],
  ] as const
  assert.equal(extracted(cookie('sid'), { fields }), '2')
  assert.equal(extracted(cookie('SID'), { fields }), null)
})

test('ScriptResponse reads bodies by their charset, and wrong bytes as U+FFFD', () => {
  const plan = regex('<(.)>')
  const latin1 = Uint8Array.of(0x3c, 0xfc, 0x3e)
  assert.equal(extracted(plan, { body: latin1 }), '\ufffd')
  const typed = (type: string): Facts => ({ body: latin1, fields: [['content-type', type]] })
  assert.equal(extracted(plan, typed('text/html; charset=ISO-8859-1')), 'ü')
  assert.equal(extracted(plan, typed('text/html; charset="nonsense"')), '\ufffd')
})

test('ScriptResponse keeps a bounded part of a huge body and says so', () => {
  const response = new ScriptResponse()
  response.begin()
  const chunk = new Uint8Array(3_000_000).fill(0x61)
  for (let round = 0; round < 3; round++) response.addBody(chunk, 0, chunk.length)
  assert.equal(response.body.length, SCRIPT_BODY_BYTES_MAX)
  assert.equal(response.isBodyCut, true)
  const byPointer = new Extractor(json('/a'))
  assert.equal(byPointer.extract(response), null)
  assert.match(byPointer.missText(response), /too large/)
  const byPattern = new Extractor(regex('b'))
  assert.equal(byPattern.extract(response), null)
  assert.match(byPattern.missText(response), /the part of the body/)
  response.begin()
  assert.equal(response.isBodyCut, false)
  assert.equal(response.body.length, 0)
})

test('ScriptResponse parses JSON once, and again for the next response', () => {
  const response = responseOf({ body: '{"a":1}' })
  assert.equal(response.json(), response.json())
  const before = response.json()
  response.begin()
  response.addBody(new TextEncoder().encode('[2]'), 0, 3)
  assert.notEqual(response.json(), before)
  assert.deepEqual(response.json(), { value: [2] })
  response.replaceBody(new TextEncoder().encode('[3]'))
  assert.deepEqual(response.json(), { value: [3] })
})

test('extractAll() fills what it finds, uses fallbacks and names the first miss', () => {
  const extractors = [
    new Extractor({ kind: 'json', pointer: '/a', variableIndex: 2, fallback: null }),
    new Extractor({ kind: 'json', pointer: '/b', variableIndex: 0, fallback: 'none' }),
    new Extractor({ kind: 'json', pointer: '/c', variableIndex: 1, fallback: null }),
  ]
  const variables = ['old', 'old', 'old']
  const missed = extractAll(extractors, responseOf({ body: '{"a":"x"}' }), variables)
  assert.deepEqual(variables, ['none', '', 'x'])
  assert.equal(missed, extractors[2])
  assert.equal(
    extractAll(extractors.slice(0, 2), responseOf({ body: '{"a":"x"}' }), variables),
    null,
  )
})

test('interestOf() names the fields and says whether the body is looked at', () => {
  const check = { checkIndex: 0 }
  assert.deepEqual(
    interestOf({ extractions: [], checks: [{ ...check, kind: 'status', ranges: [] }] }),
    { fieldNames: [], readsBody: false },
  )
  assert.deepEqual(
    interestOf({
      extractions: [cookie('a'), json('/b')],
      checks: [{ ...check, kind: 'header', name: 'X-A', matches: null }],
    }),
    { fieldNames: ['set-cookie', 'x-a', 'content-type', 'content-encoding'], readsBody: true },
  )
})
