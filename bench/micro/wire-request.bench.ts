/**
 * What a request costs before it is sent: encoding it (once per target, or per request for lists
 * too long to keep), putting fields that change into it, and filling in what a script makes anew
 * (per request).
 */
import { performance } from 'node:perf_hooks'
import {
  encodeDynamicFields,
  RequestEncoder,
  type RequestField,
  type RequestSpec,
  spliceDynamic,
} from '../../src/wire/h1-request.ts'
import { RequestForm } from '../../src/wire/request-form.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 1_000_000

const ROUND_COUNT = 5

const head: readonly RequestField[] = [
  { kind: 'host', name: 'Host' },
  { kind: 'dynamic' },
  { kind: 'fixed', name: 'Accept', value: '*/*' },
  { kind: 'fixed', name: 'Accept-Encoding', value: 'gzip, deflate' },
  { kind: 'fixed', name: 'User-Agent', value: 'Mozilla/5.0 (pc-x86_64-linux-gnu) Siege/4.1.7' },
  { kind: 'fixed', name: 'Connection', value: 'keep-alive' },
  { kind: 'content-type', name: 'Content-Type', fallback: 'application/x-www-form-urlencoded' },
  { kind: 'content-length', name: 'Content-Length' },
]
const spec: RequestSpec = {
  method: 'GET',
  requestTarget: '/articles/2025/11/a-page-with-a-name.html?page=3',
  authority: 'www.example.test:8080',
  httpVersion: '1.1',
  head,
  body: null,
  contentType: null,
}

/** The best of the rounds, in ns; `run` returns something that depends on its work. */
function measure(count: number, run: () => number): { nsPerOp: number; hash: number } {
  let nsPerOp = Number.POSITIVE_INFINITY
  let hash = 0
  for (let round = 0; round < ROUND_COUNT; round++) {
    const startMs = performance.now()
    for (let index = 0; index < count; index++) hash = (hash * 31 + run()) | 0
    nsPerOp = Math.min(nsPerOp, ((performance.now() - startMs) * 1e6) / count)
  }
  return { nsPerOp: Math.round(nsPerOp), hash: hash >>> 0 }
}

export function bench(count: number): {
  hash: number
  rows: { name: string; nsPerOp: number }[]
} {
  const perRound = Math.ceil(count / ROUND_COUNT)
  const encoder = new RequestEncoder(spec.httpVersion, spec.head)
  const template = encoder.encode(spec)
  const fields = encodeDynamicFields([{ name: 'Cookie', value: 'sid=8f14e45fceea167a5a36dedd' }])
  const into = new Uint8Array(4096)
  const encoded = measure(perRound, () => encoder.encode(spec).bytes.length)
  const spliced = measure(perRound, () => spliceDynamic(template, fields, into))
  const form = new RequestForm(encoder, spec)
  const entries = { requestTarget: spec.requestTarget, lines: 'X-Own: a value\r\n', body: null }
  const filled = measure(perRound, () => form.write(entries, fields, into))
  return {
    hash: (encoded.hash ^ spliced.hash ^ filled.hash) >>> 0,
    rows: [
      { name: `encode a GET of ${template.bytes.length} bytes`, nsPerOp: encoded.nsPerOp },
      { name: 'splice a Cookie field into it', nsPerOp: spliced.nsPerOp },
      { name: 'fill a form with a target, a line and that field', nsPerOp: filled.nsPerOp },
    ],
  }
}
