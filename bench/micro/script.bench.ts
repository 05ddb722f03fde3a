/**
 * What the pure parts of a scripted step cost: filling in a URL, a header and a JSON body, taking a
 * token out of a JSON answer and holding the answer against two checks.
 */
import { performance } from 'node:perf_hooks'
import { Check } from '../../src/script/checks.ts'
import { Extractor, extractAll } from '../../src/script/extraction.ts'
import { ScriptResponse } from '../../src/script/script-response.ts'
import { parseTemplate, renderBytes, renderText } from '../../src/script/text-template.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 1_000_000

const ROUND_COUNT = 5
const names = ['user', 'token']
const table = { names, find: (name: string) => names.indexOf(name) }

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

export function bench(count: number): { hash: number; rows: Row[] } {
  const perRound = Math.ceil(count / ROUND_COUNT)
  let hash = 0

  /** The best of the rounds, in ns; `run` returns something that depends on its work. */
  function measure(name: string, run: (index: number) => number): Row {
    let nsPerOpMin = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const startMs = performance.now()
      for (let index = 0; index < perRound; index++) hash = (hash * 31 + run(index)) | 0
      nsPerOpMin = Math.min(nsPerOpMin, ((performance.now() - startMs) * 1e6) / perRound)
    }
    return { name, nsPerOp: Math.round(nsPerOpMin * 10) / 10 }
  }

  const url = parseTemplate('http://127.0.0.1:8080/cart/${user}?t=${token}', 'url', table).template
  const field = parseTemplate('Bearer ${token}', 'field', table).template
  const body = parseTemplate('{"user":"${user}","quantity":1}', 'json', table).template
  const users = [
    ['ann', 'd41d8cd98f00b204'],
    ['jörg müller', 'e9800998ecf8427e'],
  ]
  const answer = new TextEncoder().encode('{"ok":true,"user":{"id":17},"token":"d41d8cd98f00b204"}')
  const response = new ScriptResponse()
  const extractors = [
    new Extractor({ kind: 'json', pointer: '/token', variableIndex: 1, fallback: null }),
  ]
  const checks = [
    new Check({ checkIndex: 0, kind: 'status', ranges: [{ from: 200, to: 200 }] }),
    new Check({ checkIndex: 1, kind: 'json', pointer: '/ok', equals: ['true'] }),
  ]
  const variables = ['ann', '']
  const rows = [
    measure('a URL with two variables', (index) => renderText(url, users[index & 1]!).length),
    measure('a header field', (index) => renderText(field, users[index & 1]!).length),
    measure('a JSON body', (index) => renderBytes(body, users[index & 1]!).length),
    measure('a token out of JSON and two checks', () => {
      response.begin()
      response.status = 200
      response.addBody(answer, 0, answer.length)
      extractAll(extractors, response, variables)
      let passed = 0
      for (const check of checks) if (check.holds(response, variables)) passed++
      return passed
    }),
  ]
  return { hash: hash >>> 0, rows }
}
