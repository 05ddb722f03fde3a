/**
 * Runs every case of `test/corpus`: the events must not depend on how the bytes are split.
 *
 * The notation is described in `test/corpus/README.md`.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { latin1Bytes } from '../src/wire/bytes.ts'
import {
  RequestKind,
  type RequestKindNumber,
  ResponseParser,
  type ResponseSink,
} from '../src/wire/h1-response.ts'
import { HeaderFilter } from '../src/wire/header-filter.ts'

const corpusFolder = fileURLToPath(new URL('../../test/corpus/', import.meta.url))

/** Cases of more bytes than this are cut at some positions only, evenly spread. */
const EVERY_CUT_BYTES_MAX = 4_000
const CUT_COUNT_OF_LARGE = 40

interface CorpusCase {
  readonly name: string
  readonly requests: readonly string[]
  readonly filter: HeaderFilter
  readonly bytes: Uint8Array
  readonly events: readonly string[]
}

function bytesOf(text: string): Uint8Array {
  const lines = text.split('\n').map((line) => (/(^|[^\\])\\n$/.test(line) ? line : `${line}\r\n`))
  const raw = lines
    .join('')
    .replaceAll(/\\\r\n/g, '')
    .replaceAll(/\\repeat\(([^,]*),(\d+)\)/g, (_, part: string, count: string) =>
      part.repeat(Number(count)),
    )
    .replaceAll(/\\(x[0-9a-fA-F]{2}|[nrt\\])/g, (_, code: string) => {
      if (code.startsWith('x')) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return { n: '\n', r: '\r', t: '\t' }[code] ?? '\\'
    })
  return latin1Bytes(raw)
}

function casesOf(file: string): CorpusCase[] {
  const sections = readFileSync(corpusFolder + file, 'utf8')
    .split(/^## /m)
    .slice(1)
  return sections.map((text) => {
    const name = text.slice(0, text.indexOf('\n')).trim()
    const section = text.slice(text.indexOf('\n'))
    const http = /^```http\n([\s\S]*?)\n?^```$/m.exec(section)
    const events = /^```events\n([\s\S]*?)^```$/m.exec(section)
    assert(http !== null && events !== null, `${file}: "${name}" has an http and an events block`)
    const requests = /^requests: (.*)$/m.exec(section)?.[1]?.split(', ') ?? ['GET']
    const fields = /^fields: (.*)$/m.exec(section)?.[1]
    let filter = HeaderFilter.none
    if (fields === 'all') filter = HeaderFilter.all
    else if (fields !== undefined) filter = new HeaderFilter(fields.split(', '))
    return {
      name,
      requests,
      filter,
      bytes: http[1] === '' ? new Uint8Array(0) : bytesOf(http[1]!),
      events: events[1]!.split('\n').filter((line) => line !== ''),
    }
  })
}

function kindOf(method: string): RequestKindNumber {
  if (method === 'HEAD') return RequestKind.head
  return method === 'CONNECT' ? RequestKind.connect : RequestKind.plain
}

/** The events of a case whose bytes come in the parts that end at `cuts`. */
function eventsOf({ requests, filter, bytes }: CorpusCase, cuts: readonly number[]): string[] {
  const events: string[] = []
  let requestIndex = 0
  let lastBodyBytes = 0
  let surplusBytes = 0
  const sink: ResponseSink = {
    header: (name, value) => events.push(`field ${requestIndex} ${name}: ${value}`),
    head(status, minorVersion) {
      events.push(`head ${requestIndex} status=${status} version=1.${minorVersion}`)
      lastBodyBytes = 0
    },
    body(_bytes, start, end) {
      assert(end > start, 'body() has at least one byte')
      if (lastBodyBytes > 0) events.pop()
      lastBodyBytes += end - start
      events.push(`body ${requestIndex} bytes=${lastBodyBytes}`)
    },
    end: () => events.push(`end ${requestIndex} ${parser.keepsAlive ? 'reusable' : 'closing'}`),
  }
  const parser = new ResponseParser(sink)
  parser.begin(kindOf(requests[0]!), filter)
  let start = 0
  for (const end of cuts) {
    let at = start
    start = end
    while (at < end && !parser.isBroken) {
      if (parser.isIdle && requestIndex + 1 < requests.length) {
        requestIndex++
        parser.begin(kindOf(requests[requestIndex]!), filter)
      }
      if (parser.isIdle) {
        surplusBytes += end - at
        break
      }
      at = parser.feed(bytes, at, end)
    }
  }
  if (parser.isBroken) events.push(`broken ${requestIndex} ${parser.failureText}`)
  if (surplusBytes > 0) events.push(`surplus bytes=${surplusBytes}`)
  const finish = parser.finish()
  if (finish === 'truncated') events.push(`truncated ${requestIndex} ${parser.failureText}`)
  if (finish === 'empty') events.push(`empty ${requestIndex}`)
  return events
}

function everyByte(byteCount: number): number[] {
  return Array.from({ length: byteCount }, (_, index) => index + 1)
}

for (const file of readdirSync(corpusFolder).sort()) {
  if (!file.endsWith('.md') || file === 'README.md') continue
  for (const corpusCase of casesOf(file)) {
    test(`corpus ${file}: ${corpusCase.name}`, () => {
      const byteCount = corpusCase.bytes.length
      assert.deepEqual(eventsOf(corpusCase, [byteCount]), corpusCase.events, 'whole')
      assert.deepEqual(eventsOf(corpusCase, everyByte(byteCount)), corpusCase.events, 'by bytes')
      const step = byteCount <= EVERY_CUT_BYTES_MAX ? 1 : Math.ceil(byteCount / CUT_COUNT_OF_LARGE)
      for (let cut = 1; cut < byteCount; cut += step) {
        const events = eventsOf(corpusCase, [cut, byteCount])
        assert.deepEqual(events, corpusCase.events, `cut after byte ${cut}`)
      }
    })
  }
}

test('corpus has the cases it is meant to have', () => {
  const files = readdirSync(corpusFolder).filter((file) => file !== 'README.md')
  const names = files.flatMap((file) => casesOf(file).map(({ name }) => name))
  assert(names.length >= 80, `${names.length} cases`)
  assert.equal(new Set(names).size, names.length, 'names are unique')
})
