/** Command lines of ab, generated: what people write, and what they should not. */
import { fc } from '../support/property.ts'

export interface AbCase {
  /** HOST and PORT in them stand for those of the server. */
  readonly args: readonly string[]
  /** Behind the server's URL; words that are no path replace it. */
  readonly path: string
}

type Words = readonly string[]

const none: Words = []

/** Words of options that may stand in any order. */
function inAnyOrder(groups: fc.Arbitrary<readonly Words[]>): fc.Arbitrary<string[]> {
  return groups
    .chain((some) => fc.shuffledSubarray([...some], { minLength: some.length }))
    .map((some) => some.flat())
}

const flags = fc.subarray(['k', 'l', 'd', 'S', 'q', 'r', 'I']).chain((letters) =>
  fc.boolean().map((isBundled) => {
    if (letters.length === 0) return none
    return isBundled ? [`-${letters.join('')}`] : letters.map((letter) => `-${letter}`)
  }),
)

/** All ways to write a number that `atoi` reads as such. */
function written(value: number): fc.Arbitrary<string> {
  const forms = [`${value}`, ` ${value}`, `+${value}`, `0${value}`, `${value}x`, `${value}.9`]
  return fc.constantFrom(...forms, String(value + 2 ** 32))
}

function numberOption(letter: string, value: number): fc.Arbitrary<Words> {
  return fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 9 }), written(value))
    .map(([isAttached, oddness, odd]) => {
      const text = oddness === 0 ? odd : String(value)
      return isAttached ? [`-${letter}${text}`] : [`-${letter}`, text]
    })
}

/** `-n` comes before `-t` only where it is meant to be overruled: the run would be long. */
const loads = fc
  .record({ count: fc.integer({ min: 1, max: 12 }), share: fc.integer({ min: 1, max: 12 }) })
  .chain(({ count, share }) =>
    fc
      .tuple(
        numberOption('n', count),
        numberOption('c', Math.min(count, share)),
        fc.constantFrom<Words>(none, none, none, ['-t', '30'], ['-n', '3', '-t0']),
      )
      .map(([n, c, before]) => [...before, ...n, ...c]),
  )

const manyRequests = fc.constantFrom<Words>(['-n151', '-c', '7'], ['-n', '160', '-q'], ['-n1234'])

/** Order matters among these. */
const methods = fc.constantFrom<Words>(
  none,
  none,
  ['-i'],
  ['-i', '-m', 'GET'],
  ['-p', 'body'],
  ['-p', 'body', '-T', 'application/json'],
  ['-T', '', '-p', 'body'],
  ['-u', 'body'],
  ['-p', 'empty'],
  ['-m', 'DELETE'],
  ['-m', 'get'],
  ['-p', 'body', '-m', 'PATCH'],
)

const headers = fc
  .subarray([
    'X-One: 1',
    'X-Two:2',
    'X-Two: again',
    'Accept-Encoding: gzip',
    'host: other.test',
    'Host : odd.test',
    'USER-AGENT: mine/1.0',
    'Accept: text/html',
    'X-Empty:',
    'X-Blank: ',
    'No colon',
    ': no name',
    'X-Latin: \u00e9',
    'Authorization: Bearer x',
  ])
  .map((lines) => lines.flatMap((line) => ['-H', line]))

const logins = fc.constantFrom<Words>(
  none,
  none,
  ['-P', 'pu:pp'],
  ['-C', 'a=1'],
  ['-C', 'a=1; b=2'],
  ['-C', ''],
)

const authorizations = fc.constantFrom<Words>(
  ['-A', 'user:pass'],
  ['-A', '  user:pa:ss', '-P', 'pu:pp'],
  ['-A', 'one:1', '-A', 'two:2'],
  ['-A', ''],
  ['-A', 'no colon'],
)

const reports = fc.constantFrom<Words>(
  none,
  none,
  ['-v', '1'],
  ['-v2'],
  ['-v', '3'],
  ['-v4'],
  ['-w'],
  ['-w', '-v', '2'],
  ['-x', 'border=1', '-y', 'class=a'],
  ['-z', 'align=right'],
  ['-e', 'e.csv'],
  ['-g', 'g.tsv'],
  ['-e', 'e.csv', '-g', 'g.tsv'],
  ['-e', 'missing/e.csv'],
  ['-g', 'folder'],
)

const surroundings = fc.constantFrom<Words>(
  none,
  none,
  ['-s', '50'],
  ['-s', '-1'],
  ['-b', '4096'],
  ['-b', 'x'],
  ['-B', '127.0.0.1'],
  ['-B', '127.0.0.9'],
  ['-f', 'TLS1.2'],
  ['-f', 'bogus'],
  ['-Z', 'ECDHE-RSA-AES128-GCM-SHA256'],
)

const paths = fc.constantFrom('/', '/ok', '/404', '/500?x=1', '/302', '/a/b;c?d=e&f=%20', '//a')

/** Through the server as a proxy, or to it. */
const targets = fc.oneof(
  { weight: 6, arbitrary: paths.map((path) => ({ proxy: none, path })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('http://site.test/x', 'http://site.test:81/?y').map((path) => ({
      proxy: ['-X', 'HOST:PORT'],
      path,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HOST:PORT/x', 'localhost:PORT/').map((path) => ({
      proxy: none,
      path,
    })),
  },
)

/** A login in `-A` and a field of that name are one too many: ours sends the field alone. */
const credentials = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(headers, logins).map(([lines, others]) => [lines, others]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(headers, authorizations)
      .map(([lines, given]) => [lines.filter((line) => !line.startsWith('Auth')), given])
      .map(([lines = [], given = []]) => [withoutLoneFlags(lines), given]),
  },
)

function withoutLoneFlags(words: Words): Words {
  return words.filter((word, index) => word !== '-H' || (words[index + 1] ?? '-H') !== '-H')
}

export const goodCases: fc.Arbitrary<AbCase> = fc
  .record({
    args: inAnyOrder(
      fc
        .tuple(
          flags,
          fc.oneof({ weight: 15, arbitrary: loads }, { weight: 1, arbitrary: manyRequests }),
          methods,
          credentials,
          reports,
          surroundings,
        )
        .map(([flag, load, method, fields, report, rest]) => [
          flag,
          load,
          method,
          ...fields,
          report,
          rest,
        ]),
    ),
    target: targets,
  })
  .map(({ args, target }) => ({ args: [...target.proxy, ...args], path: target.path }))

/** For servers whose requests are not seen, and which have pages of their own. */
export const siteCases: fc.Arbitrary<AbCase> = fc.record({
  args: inAnyOrder(fc.tuple(flags, loads, reports, surroundings)),
  path: fc.constantFrom('/', '/', '/missing', '/?x=1'),
})

export const hostileCases: fc.Arbitrary<AbCase> = fc
  .tuple(
    fc.subarray(['-r', '-l', '-d', '-S', '-q', '-i', '-k', '-w']),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([letters, count, share]) => ({
    args: [...letters, `-n${count}`, `-c${Math.min(count, share)}`, '-s', '30'],
    path: '/',
  }))

/** Each is refused, or stops before anything is sent. */
export const wrongCases: fc.Arbitrary<AbCase> = fc
  .tuple(
    flags,
    fc.constantFrom<Words>(
      ['-n', '0'],
      ['-n', '-5'],
      ['-nabc'],
      ['-n', '4294967296'],
      ['-n1', '-c2'],
      ['-n5', '-c5', '-n3'],
      ['-t1', '-c', '50001'],
      ['-c', '-1'],
      ['-c200001', '-n300000'],
      ['-i', '-p', 'body'],
      ['-i', '-i'],
      ['-p', 'body', '-i'],
      ['-p', 'body', '-u', 'body'],
      ['-m', 'X', '-p', 'body'],
      ['-p', 'missing'],
      ['-u', 'missing'],
      ['-p', 'missing', '-n', '0'],
      ['-n', '0', '-p', 'missing'],
      ['-p', '.'],
      ['-p', ''],
      ['-V'],
      ['-w', '-V'],
      ['-V', '-n', '0'],
      ['-h'],
      ['-n'],
      ['-kn'],
      ['-A', 'x'.repeat(800)],
      ['-P', 'x'.repeat(800)],
      ['-B', 'nosuch.invalid'],
      ['-B', ''],
      ['-B', '::1'],
    ),
    fc.constantFrom('/', '/', ' -k', '', 'http://:80/', 'http://h:0/', 'http:///x', '8080/', '- x'),
  )
  .map(([flag, wrong, path]) => ({ args: [...flag, ...wrong], path }))
