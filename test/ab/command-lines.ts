/** Command lines of ab, generated: what people write, and what they should not. */
import { fc } from '../support/property.ts'

export interface AbCase {
  readonly args: readonly string[]
  /** Behind the server's URL; a whole word that is no path replaces it. */
  readonly path: string
}

const flags = fc.subarray(['-k', '-l', '-d', '-S', '-q', '-r', '-I'])

const loads = fc
  .record({ count: fc.integer({ min: 1, max: 12 }), share: fc.integer({ min: 1, max: 12 }) })
  .map(({ count, share }) => [`-n${count}`, '-c', String(Math.min(count, share))])

const methods = fc.constantFrom<readonly string[]>(
  [],
  [],
  ['-i'],
  ['-p', 'body'],
  ['-p', 'body', '-T', 'application/json'],
  ['-u', 'body'],
  ['-p', 'empty'],
  ['-m', 'DELETE'],
  ['-p', 'body', '-m', 'PATCH'],
)

const headers = fc
  .subarray([
    'X-One: 1',
    'X-Two:2',
    'Accept-Encoding: gzip',
    'host: other.test',
    'USER-AGENT: mine/1.0',
    'Accept: text/html',
    'X-Empty:',
  ])
  .map((lines) => lines.flatMap((line) => ['-H', line]))

const logins = fc.constantFrom<readonly string[]>(
  [],
  [],
  ['-A', 'user:pass'],
  ['-A', '  user:pa:ss', '-P', 'pu:pp'],
  ['-C', 'a=1'],
  ['-C', 'a=1; b=2'],
)

const reports = fc.constantFrom<readonly string[]>(
  [],
  [],
  ['-v', '1'],
  ['-v2'],
  ['-v', '3'],
  ['-w'],
  ['-x', 'border=1', '-y', 'class=a'],
  ['-e', 'e.csv'],
  ['-g', 'g.tsv', '-s', '5'],
)

const paths = fc.constantFrom('/', '/ok', '/404', '/500?x=1', '/302', '/a/b;c?d=e&f=%20')

export const goodCases: fc.Arbitrary<AbCase> = fc
  .tuple(flags, loads, methods, headers, logins, reports, paths)
  .map(([flag, load, method, header, login, report, path]) => ({
    args: [...flag, ...load, ...method, ...header, ...login, ...report],
    path,
  }))

/** Each is refused, or stops before anything is sent. */
export const wrongCases: fc.Arbitrary<AbCase> = fc
  .tuple(
    flags,
    fc.constantFrom<readonly string[]>(
      ['-n', '0'],
      ['-n', '-5'],
      ['-nabc'],
      ['-n1', '-c2'],
      ['-n5', '-c5', '-n3'],
      ['-c', '-1'],
      ['-c200001', '-n300000'],
      ['-i', '-p', 'body'],
      ['-p', 'body', '-i'],
      ['-p', 'body', '-u', 'body'],
      ['-m', 'X', '-p', 'body'],
      ['-p', 'missing'],
      ['-u', 'missing'],
      ['-p', '.'],
      ['-V'],
      ['-w', '-V'],
      ['-h'],
      ['-n'],
      ['-A', 'x'.repeat(800)],
      ['-P', 'x'.repeat(800)],
    ),
    fc.constantFrom('/', '/', ' -k', ''),
  )
  .map(([flag, wrong, path]) => ({ args: [...flag, ...wrong], path }))
