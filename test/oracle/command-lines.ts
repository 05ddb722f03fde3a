/** Command lines of siege, generated: options, siegerc, URLs, methods, bodies, lists of URLs. */
import { fc } from '../support/property.ts'

export interface SiegeCase {
  /** Options, without the targets. */
  readonly args: readonly string[]
  readonly rcLines: readonly string[]
  /** Lines of a URL list, the scheme and authority left out. */
  readonly lines: readonly string[]
  /** The first line is given as an operand instead. */
  readonly isOperand: boolean
  /** Contents of body.json and body.txt in the working directory. */
  readonly bodyFile: string
}

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)

/** Everything that may stand in a URL, and what siege escapes; no `$`, no `#`, no second field. */
const urlCharacters = 'abcXYZ019-._~!&\'()*+,/:;=@[]%"<>\\^`{|}éß✓'
const path = fc
  .string({ unit: fc.constantFrom(...urlCharacters), maxLength: 12 })
  // A `%` with two digits behind it is a matter of its own: see the escapes below.
  .map((text) => text.replace(/%(?=[0-9A-Fa-f]{2})/g, ''))
const escapes = fc.constantFrom('', '%41', '%20', '%2F', '%7E', '%25', '%', '%4', '%zz')
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(word, word), { minLength: 1, maxLength: 3 })
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
)
/** The server answers with the status that the path begins with. (siege waits long for a 204.) */
const status = fc.constantFrom('', '', '', '/404', '/500', '/201', '/403', '/503')

const url = fc
  .tuple(status, path, escapes, query)
  .map(([first, middle, coded, last]) => `${first}/${middle}${coded}${last}`)

const bodyText = fc
  .string({
    unit: fc.constantFrom(...'abc XYZ019{}":,[]&=<>%+é✓\'/#'),
    minLength: 1,
    maxLength: 40,
  })
  .map((text) => text.trim())
  .filter((text) => text !== '' && !text.startsWith('<') && !text.startsWith('-'))

const withBody = fc
  .tuple(fc.constantFrom('POST', 'PUT', 'PATCH'), bodyText)
  .map(([method, text]) => ` ${method} ${text}`)
const withoutBody = fc.constantFrom('', '', '', ' DELETE', ' OPTIONS')
const withFile = fc.constantFrom(' POST < body.json', ' PUT <body.txt', ' DELETE < body.json')

/** A line with a method is sent as written by siege, so its URL has nothing to escape. */
const plainUrl = fc
  .tuple(status, word, query)
  .map(([first, name, last]) => `${first}/${name}${last}`)

const line = fc.oneof(
  { weight: 3, arbitrary: url },
  { weight: 2, arbitrary: fc.tuple(plainUrl, withBody).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(plainUrl, withoutBody).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(plainUrl, withFile).map((parts) => parts.join('')) },
)

const headerArgs = fc
  .array(fc.tuple(word, fc.stringMatching(/^[ -~]{0,12}$/)), { maxLength: 2 })
  .map((fields) => fields.flatMap(([name, value]) => ['-H', `X-${name}: v${value.trim()}`]))

const flags = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }).map((count) => [`-c${count}`]),
    fc.integer({ min: 1, max: 4 }).map((count) => ['-r', String(count)]),
    fc.constantFrom([], ['-b'], ['--benchmark']),
    headerArgs,
    fc.constantFrom([], ['-A', 'tester 1.0'], ['--user-agent=x/y (z)']),
    // Always given with a body file: siege no longer looks at the file's extension.
    fc.constantFrom(['-T', 'application/json'], ['--content-type=text/plain; charset=utf-8']),
  )
  .map((parts) => parts.flat())

const rcLines = fc
  .record({
    protocol: fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    connection: fc.constantFrom('close', 'keep-alive'),
    'accept-encoding': fc.constantFrom('gzip, deflate', 'identity', '*'),
    fullurl: fc.boolean(),
    'display-id': fc.boolean(),
    verbose: fc.boolean(),
  })
  .map((settings) => Object.entries(settings).map(([name, value]) => `${name} = ${value}`))

export const siegeCases: fc.Arbitrary<SiegeCase> = fc.record({
  args: flags,
  rcLines,
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  isOperand: fc.boolean(),
  bodyFile: bodyText,
})
