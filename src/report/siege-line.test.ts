/** Verbose lines: siege's layouts byte for byte, also against real siege; CSV that can be read. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/files.ts'
import { fc } from '../../test/support/property.ts'
import { requirePart } from '../../test/support/real-parts.ts'
import { runProgram } from '../../test/support/run-cli.ts'
import { Exchange } from '../metrics/exchange.ts'
import type { Origin } from '../plan/target-list.ts'
import { CHUNK_BYTES, type LineOptions, type LineTargets, LineWriter } from './siege-line.ts'

const origin: Origin = {
  scheme: 'http',
  host: '127.0.0.1',
  port: 8123,
  authority: '127.0.0.1:8123',
}

function targetsOf(...requests: readonly (readonly [string, string])[]): LineTargets {
  return {
    origins: [origin],
    originIndexOf: () => 0,
    methodOf: (index) => requests[index]![0],
    requestTargetOf: (index) => requests[index]![1],
  }
}

const plain: LineOptions = {
  csv: false,
  fullUrl: false,
  displayId: false,
  timestamp: false,
  mark: null,
  colour: false,
  startedAtMs: Date.UTC(2026, 10, 30, 20, 56, 18),
  zone: () => 120,
}

function exchangeOf(facts: Partial<Exchange> = {}): Exchange {
  return Object.assign(new Exchange(), { status: 200, bodyBytes: 12, endNs: 0 }, facts)
}

function linesOf(
  options: Partial<LineOptions>,
  targets: LineTargets,
  ...exchanges: Exchange[]
): string {
  let text = ''
  const writer = new LineWriter({ ...plain, ...options }, targets, (bytes) => {
    text += Buffer.from(bytes).toString('latin1')
  })
  for (const exchange of exchanges) writer.write(exchange)
  writer.flush()
  return text
}

const getPlain = targetsOf(['GET', '/plain'])

test('LineWriter writes the default line as siege does', () => {
  assert.equal(
    linesOf({}, getPlain, exchangeOf()),
    'HTTP/1.1 200     0.00 secs:      12 bytes ==> GET  /plain\n',
  )
  assert.equal(
    linesOf({}, getPlain, exchangeOf({ minorVersion: 0, endNs: 123_456e6, bodyBytes: 12_345_678 })),
    'HTTP/1.0 200    123.46 secs: 12345678 bytes ==> GET  /plain\n',
  )
})

test('LineWriter puts the user in front with displayId, without the stamp', () => {
  assert.equal(
    linesOf({ displayId: true, timestamp: true }, getPlain, exchangeOf({ userId: 7 })),
    '   7) HTTP/1.1 200   0.00 secs:      12 bytes ==> GET  /plain\n',
  )
})

test('LineWriter shows absolute URLs for other methods, and for GET with fullUrl', () => {
  const targets = targetsOf(['POST', '/f'], ['DELETE', '/f'], ['GET', '/g'], ['HEAD', '/g'])
  assert.equal(
    linesOf({}, targets, ...[0, 1, 2, 3].map((targetIndex) => exchangeOf({ targetIndex }))),
    'HTTP/1.1 200     0.00 secs:      12 bytes ==> POST http://127.0.0.1:8123/f\n' +
      'HTTP/1.1 200     0.00 secs:      12 bytes ==> DELETE http://127.0.0.1:8123/f\n' +
      'HTTP/1.1 200     0.00 secs:      12 bytes ==> GET  /g\n' +
      'HTTP/1.1 200     0.00 secs:      12 bytes ==> HEAD /g\n',
  )
  assert.match(linesOf({ fullUrl: true }, getPlain, exchangeOf()), /GET {2}http:.*8123\/plain\n$/)
})

test('LineWriter stamps with the local time of the end, anew each second', () => {
  assert.equal(
    linesOf(
      { timestamp: true },
      getPlain,
      exchangeOf(),
      exchangeOf({ dueNs: 0.9e9, endNs: 0.999e9 }),
      exchangeOf({ dueNs: 0.9e9, endNs: 1e9 }),
    ),
    '[Mon, 2026-11-30 22:56:18] HTTP/1.1 200     0.00 secs:      12 bytes ==> GET  /plain\n' +
      '[Mon, 2026-11-30 22:56:18] HTTP/1.1 200     0.10 secs:      12 bytes ==> GET  /plain\n' +
      '[Mon, 2026-11-30 22:56:19] HTTP/1.1 200     0.10 secs:      12 bytes ==> GET  /plain\n',
  )
})

test('LineWriter writes CSV as siege does where no field needs quotes', () => {
  const first = exchangeOf()
  assert.equal(
    linesOf({ csv: true }, getPlain, first),
    'HTTP/1.1,200,  0.00,     12,/plain,0,2026-11-30 22:56:18\n',
  )
  assert.equal(
    linesOf({ csv: true, displayId: true, mark: 'm', colour: true }, getPlain, first),
    'm,   0,HTTP/1.1,200,  0.00,     12,/plain,0,2026-11-30 22:56:18\n',
  )
})

test('LineWriter colours by status, in text only', () => {
  const statuses = [200, 206, 226, 302, 404, 429, 500, 207]
  const exchanges = statuses.map((status) => exchangeOf({ status }))
  const found = linesOf({ colour: true }, getPlain, ...exchanges).match(/\x1b\[0;3\d/g)
  assert.deepEqual(found?.map((colour) => colour.at(-1)).join(''), '44465111')
  assert.match(linesOf({ colour: true }, getPlain, exchangeOf()), /^\x1b\[0;34mHTTP.*\x1b\[0m\n$/)
})

test('LineWriter CSV rows always have the same number of fields', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', '\x1b') })
  fc.assert(
    fc.property(texts, fc.option(texts), fc.boolean(), fc.boolean(), (path, mark, ids, stamps) => {
      const options = { csv: true, mark, displayId: ids, timestamp: stamps }
      const rows = csvRows(linesOf(options, targetsOf(['GET', `/${path}`]), exchangeOf()))
      assert.equal(rows.length, 1)
      assert.equal(rows[0]!.length, 7 + (mark === null ? 0 : 1) + (ids ? 1 : 0))
      assert.equal(rows[0]!.at(-2), '0')
    }),
  )
})

test('LineWriter hands over whole lines, none lost, whatever their length', () => {
  const lengths = fc.array(fc.constantFrom(1, 50, 3_000, CHUNK_BYTES - 60, 100_000), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(lengths, (pathLengths) => {
      const targets = targetsOf(
        ...pathLengths.map((length) => ['GET', '/'.padEnd(length, 'x')] as const),
      )
      let lineCount = 0
      let lines: string[] = []
      const writer = new LineWriter(plain, targets, (bytes, count) => {
        const text = Buffer.from(bytes).toString()
        assert.ok(text.endsWith('\n'))
        lineCount += count
        lines = lines.concat(text.slice(0, -1).split('\n'))
      })
      for (const targetIndex of pathLengths.keys()) writer.write(exchangeOf({ targetIndex }))
      writer.flush()
      writer.flush()
      assert.equal(lineCount, pathLengths.length)
      assert.deepEqual(
        lines.map(
          (line) => line.length - 'HTTP/1.1 200     0.00 secs:      12 bytes ==> GET  '.length,
        ),
        pathLengths,
      )
    }),
    { numRuns: 20 },
  )
})

test('LineWriter keeps no text of a target for another one in the same place', () => {
  const targets = targetsOf(...Array.from({ length: 2049 }, (_, i) => ['GET', `/${i}`] as const))
  const order = [0, 1024, 0, 2048, 1024]
  const text = linesOf({}, targets, ...order.map((targetIndex) => exchangeOf({ targetIndex })))
  assert.deepEqual(text.match(/\/\d+$/gm), ['/0', '/1024', '/0', '/2048', '/1024'])
})

test('LineWriter lets no control byte of a URL or mark out', () => {
  const text = linesOf({ mark: 'a' }, targetsOf(['GET', '/a\x1b[2Jb\r\n\x7f']), exchangeOf())
  assert.match(text, /GET {2}\/a%1B\[2Jb%0D%0A%7F\n$/)
})

test('LineWriter writes numbers as printf does', () => {
  const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 1e15 }), (bodyBytes, endNs) => {
      const text = linesOf({}, getPlain, exchangeOf({ bodyBytes, endNs }))
      const seconds = (Math.round(endNs / 1e7) / 100).toFixed(2).padStart(5)
      const size = String(bodyBytes).padStart(7)
      assert.equal(text, `HTTP/1.1 200    ${seconds} secs: ${size} bytes ==> GET  /plain\n`)
    }),
  )
})

test('LineWriter writes what real siege writes, in all its forms', async (t) => {
  const siege = requirePart(t, 'siege')
  if (siege === undefined) return
  const server = createServer((request, response) => {
    response.statusCode = Number(request.url!.slice(1, 4))
    response.end('hello')
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const requests = [
    ['GET', '/200/a'],
    ['POST', '/201'],
    ['GET', '/404?x=1'],
    ['DELETE', '/500'],
    ['GET', '/410'],
  ] as const
  const targets = { ...targetsOf(...requests), origins: [{ ...origin, authority }] }
  const exchanges = requests.map(([, path], targetIndex) =>
    exchangeOf({ targetIndex, status: Number(path.slice(1, 4)), bodyBytes: 5 }),
  )
  const home = tempFolder(t)
  const list = requests.map(([method, path]) => {
    return `http://${authority}${path}${method === 'GET' ? '' : ` ${method} x=1`}\n`
  })
  writeFileSync(join(home, 'urls.txt'), list.join(''))
  for (const csv of [false, true]) {
    for (const displayId of [false, true]) {
      for (const timestamp of csv ? [false] : [false, true]) {
        for (const fullUrl of [false, true]) {
          const options = { csv, displayId, timestamp, fullUrl, colour: true }
          const conf = [
            'verbose=true',
            'parser=false',
            `csv=${csv}`,
            `display-id=${displayId}`,
            `timestamp=${timestamp}`,
            `fullurl=${fullUrl}`,
            '',
          ].join('\n')
          writeFileSync(join(home, 'siege.conf'), conf)
          const args = ['-R', 'siege.conf', '-c1', '-r5', '-f', 'urls.txt']
          const run = await runProgram(siege, args, { home })
          const real = run.stdout.replace(/^New configuration.*\nRun siege.*\n/, '')
          const expected = csv ? real.replace(/\x1b\[[\d;]*m/g, '') : real
          assert.equal(masked(linesOf(options, targets, ...exchanges)), masked(expected), conf)
        }
      }
    }
  }
})

/** Times and dates become the same, in their width. */
function masked(text: string): string {
  return text
    .replace(/\d+\.\d\d(?= secs:|,)/g, (found) => '#'.repeat(found.length))
    .replace(/[A-Z][a-z]{2}, (?=\d{4}-)/g, 'Day, ')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'date')
}

/** A reader of CSV of our own, by RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? bare!)
    if (end === '\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

test('LineWriter writes what came by FTP as siege does, in a list with others', () => {
  const ftp: Origin = { scheme: 'ftp', host: 'h', port: 21, authority: 'h' }
  const mixed: LineTargets = {
    ...targetsOf(['GET', '/plain'], ['GET', '/pub/f.txt'], ['PUT', '/up']),
    origins: [origin, ftp],
    originIndexOf: (index) => Math.min(index, 1),
  }
  const exchanges = [
    exchangeOf(),
    exchangeOf({ targetIndex: 1, status: 150, bodyBytes: 5 }),
    exchangeOf({ targetIndex: 2, status: 226, bodyBytes: 0, endNs: 12.345e9 }),
    exchangeOf({
      targetIndex: -1,
      status: 150,
      unlisted: { method: 'GET', requestTarget: '/x', origin: ftp },
    }),
  ]
  assert.equal(
    linesOf({}, mixed, ...exchanges),
    'HTTP/1.1 200     0.00 secs:      12 bytes ==> GET  /plain\n' +
      'FTP/150   0.00 secs:       5 bytes ==> GET    /pub/f.txt\n' +
      'FTP/226  12.35 secs:       0 bytes ==> PUT    ftp://h/up\n' +
      'FTP/150   0.00 secs:      12 bytes ==> GET    /x\n',
  )
  assert.match(
    linesOf({ csv: true }, mixed, ...exchanges),
    /^HTTP\/1\.1,200,.*\nFTP,150, {2}0\.00, {6}5,\/pub\/f\.txt,1,.*\nFTP,226,/,
  )
  assert.match(
    linesOf({ displayId: true }, mixed, exchanges[1]!),
    /^ {3}0\) FTP\/150 {3}0\.00 secs/,
  )
})
