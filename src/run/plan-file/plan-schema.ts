/**
 * What a plan may hold, as a zod schema: the values themselves are neither changed nor completed.
 *
 * zod is handed in, so that a run without a plan file never loads it. The message of every part is
 * the end of the sentence "NAME must be ..."; `schema-problems.ts` makes whole sentences of them.
 * What concerns several parts at once (`users` and `rate`, variables) is not decided here.
 *
 * The descriptions end up in docs/schema/plan.schema.json, which editors show while one types.
 */
import type { z as Zod, ZodOptional, ZodType } from 'zod'
import { nearestWord } from '../../base/nearest-word.ts'
import { QUOTA_COUNT_MAX } from '../../engine/shared-quota.ts'
import { METHOD_KEYS, type PlanDraft } from './plan-draft.ts'
import {
  DURATION_PATTERN,
  durationNs,
  durationWords,
  RATE_PATTERN,
  ratePerSecond,
  rateWords,
  statusRange,
  statusWords,
  thinkTime,
  thinkWords,
} from './quantities.ts'

export type ZodModule = typeof Zod

const USER_COUNT_MAX = 1_000_000
const THREAD_COUNT_MAX = 512

export function planSchema(z: ZodModule): ZodType<PlanDraft> {
  const parts = partsOf(z)
  const { object, text, flag, whole, oneOf, duration, think, mapOf, scalar, orList } = parts
  const requests = requestParts(z, parts)
  return object({
    $schema: text('the address of a schema').describe('For editors; onager does not read it.'),
    title: text('a text').describe('What reports call the run.'),
    load: loadSchema(z, parts).describe('How much load, and for how long.'),
    think: think().describe('A pause of a user between two iterations.'),
    'base-url': text('a URL').describe('Goes before every URL that has no host of its own.'),
    headers: mapOf(orList(scalar)).describe('Header fields of every request.'),
    timeout: duration().describe(
      'How long to wait for a connection, for the first byte, or while nothing comes [10s].',
    ),
    'keep-alive': flag.describe('Use connections again [true].'),
    'follow-redirects': flag.describe('Go where a redirect points [false].'),
    cookies: flag.describe('Each user keeps cookies of its own [true].'),
    resources: z
      .union(
        [
          flag,
          object({
            parallel: whole(1, 64).describe('How many a user loads at once [6].'),
            'same-origin': flag.describe('Only from the host of the page [true].'),
          }),
        ],
        { error: 'true, false or settings such as { parallel: 6 }' },
      )
      .describe('Load the images, styles and scripts of pages, as a browser would [false].'),
    insecure: flag.describe('Take any certificate of the server [false].'),
    ca: text('the name of a PEM file').describe('Certificates to trust besides the usual ones.'),
    cert: text('the name of a PEM file').describe('A certificate to show to the server.'),
    key: text('the name of a PEM file').describe('The key of `cert`, unless that holds it.'),
    threads: whole(1, THREAD_COUNT_MAX).describe('Threads that share the users [1].'),
    pin: z
      .union([whole(0, 1023), text('CPUs')], { error: 'CPUs such as 2,3 or 0-3' })
      .describe('CPUs that threads are bound to, in turn, such as 2,3 or 0-3.'),
    reactor: oneOf(['auto', 'node', 'epoll', 'uring']).describe('What drives the sockets [auto].'),
    'connect-rate': whole(1, 1_000_000).describe('New connections a second, at most.'),
    source: text('addresses such as 192.0.2.1,192.0.2.2').describe(
      'Addresses of this machine to connect from, in turn.',
    ),
    seed: whole(0).describe('Of everything random: the same seed gives the same choices.'),
    slo: orList(text('a condition such as p99<200ms')).describe(
      'Conditions such as p99<200ms, errors<0.1% or "login: p95<300ms"; one that fails makes the exit status 1.',
    ),
    'abort-on-slo': flag.describe('End the run as soon as a condition cannot hold [false].'),
    variables: mapOf(scalar).describe('Fixed texts, used as ${name}.'),
    feeders: mapOf(feederSchema(z, parts)).describe('Rows of values, one for each iteration.'),
    scenarios: z
      .array(scenarioSchema(parts, requests), { error: 'a list of scenarios' })
      .describe('Sessions of users; each iteration is one of them, by weight.'),
    steps: requests.steps.describe('Instead of scenarios: the steps of the only one.'),
    order: oneOf(['in-order', 'random', 'once']).describe('How users go through urls [in-order].'),
    urls: z
      .union(
        [
          text('the name of a file'),
          z.array(z.union([text('a URL'), requests.request], { error: 'a URL or a request' })),
        ],
        { error: 'the name of a file or a list of URLs' },
      )
      .describe("Instead of scenarios: a file in siege's format, or a list of requests."),
  })
}

/** Builders that know the names of their keys and the words of their messages. */
function partsOf(z: ZodModule) {
  const text = (mustBe: string) => z.string({ error: mustBe }).min(1, { error: mustBe })
  const checked = (mustBe: string, isRight: (text: string) => boolean, pattern?: RegExp) => {
    const base = z.string({ error: mustBe })
    const shaped =
      pattern === undefined ? base : base.regex(pattern, { error: mustBe, abort: true })
    return shaped.refine(isRight, { error: mustBe })
  }
  const flag = z.boolean({ error: 'true or false' })
  const scalarWords = 'a text, a number, true or false (long numbers in quotes)'
  const isExact = (value: number) => Number.isSafeInteger(value) || !Number.isInteger(value)
  const scalar = z.union(
    [z.string(), z.number().refine(isExact, { error: scalarWords }), z.boolean()],
    { error: scalarWords },
  )
  return {
    text,
    flag,
    scalar,
    checked,
    duration: () => checked(durationWords, (value) => durationNs(value) !== null, DURATION_PATTERN),
    rate: () => checked(rateWords, (value) => ratePerSecond(value) !== null, RATE_PATTERN),
    think: () => checked(thinkWords, (value) => thinkTime(value) !== null),
    whole: (min: number, max: number = Number.MAX_SAFE_INTEGER) => {
      const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`
      const error = `a whole number${range}`
      return z.int({ error }).min(min, { error }).max(max, { error })
    },
    oneOf: <const Word extends string>(words: readonly [Word, ...Word[]]) =>
      z.enum(words, { error: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` }),
    mapOf: <Value extends ZodType>(value: Value) =>
      z.record(z.string(), value, { error: 'names with values, each on its own line' }),
    orList: <Value extends ZodType>(value: Value) =>
      z.union([value, z.array(value)], { error: 'one value or a list of them' }),
    /** Every key of `optional` may be left out. */
    object: <
      Optional extends Record<string, ZodType>,
      Required extends Record<string, ZodType> = Record<never, never>,
    >(
      optional: Optional,
      required?: Required,
    ) => {
      const shape = { ...z.object(optional).partial().shape, ...required } as Required &
        OptionalShape<Optional>
      return z.strictObject(shape, { error: (issue) => objectText(issue, Object.keys(shape)) })
    },
  }
}

type OptionalShape<Shape extends Record<string, ZodType>> = {
  [Key in keyof Shape]: ZodOptional<Shape[Key]>
}
type Parts = ReturnType<typeof partsOf>

/** A sentence for each unknown key, on its own line. */
function objectText(
  issue: { readonly code?: string; readonly keys?: readonly string[] },
  known: readonly string[],
): string {
  if (issue.code !== 'unrecognized_keys') return 'settings with names, each on its own line'
  return (issue.keys ?? []).map((key) => unknownKeyText(key, known)).join('\n')
}

function unknownKeyText(key: string, known: readonly string[]): string {
  const distanceMax = Math.min(2, key.length >> 1)
  const nearest = nearestWord(key.replaceAll('_', '-'), known, distanceMax)
  if (nearest !== undefined) return `there is no ${key} here; did you mean ${nearest}?`
  const names = known.filter((name) => name !== '$schema')
  return `there is no ${key} here; there are ${names.join(', ')}`
}

function loadSchema(z: ZodModule, { object, whole, rate, oneOf, duration }: Parts) {
  const stage = object(
    {
      users: whole(0, USER_COUNT_MAX).describe('How many users there are at its end.'),
      rate: rate().describe('How many iterations begin at its end.'),
    },
    { duration: duration().describe('How long it is; 0s jumps to its level at once.') },
  )
  return object({
    users: whole(1, USER_COUNT_MAX).describe(
      'Closed model: so many users, each going on as soon as it is done [10].',
    ),
    rate: rate().describe('Open model: so many iterations begin, however long the others take.'),
    arrivals: oneOf(['even', 'poisson']).describe(
      'With a rate: at equal distances, or at random as from many people [even].',
    ),
    'max-in-flight': whole(1, USER_COUNT_MAX).describe(
      'With a rate: the most iterations under way; what is due beyond is dropped and counted [2000].',
    ),
    duration: duration().describe('How long the run is [10s].'),
    count: whole(1, QUOTA_COUNT_MAX).describe(
      'Ends the run after so many iterations of all users together.',
    ),
    stages: z
      .array(stage, { error: 'a list of stages' })
      .min(1, { error: 'a list with at least one stage' })
      .describe('Levels one after the other, each reached in a straight line from the one before.'),
    'warm-up': duration().describe('The first part of the run, left out of the figures [0s].'),
    drain: duration().describe('At the end, how long what is under way may go on [the timeout].'),
  })
}

function feederSchema(z: ZodModule, { object, text, mapOf, scalar, oneOf }: Parts) {
  return z.union(
    [
      text('the name of a file'),
      object({
        file: text('the name of a file').describe(
          'CSV with names in its first line (.csv, .tsv), or JSON lines (.jsonl, .ndjson).',
        ),
        rows: z
          .array(mapOf(scalar), { error: 'a list of rows' })
          .describe('The rows themselves, instead of a file.'),
        order: oneOf(['in-order', 'random', 'unique']).describe(
          'Which row an iteration gets; unique: each once, and the run ends with the last [in-order].',
        ),
      }),
    ],
    { error: 'the name of a file, or settings such as { file: accounts.csv, order: unique }' },
  )
}

function scenarioSchema(
  { object, text, checked }: Parts,
  { steps, z }: ReturnType<typeof requestParts>,
) {
  const weight = 'a number above 0'
  return object(
    {
      name: text('a text').describe('What reports call it.'),
      weight: z
        .number({ error: weight })
        .gt(0, { error: weight })
        .max(1e9, { error: weight })
        .describe('Its share of the iterations, beside the weights of the others [1].'),
      feeders: z
        .array(
          checked('the name of a feeder', (name) => name !== ''),
          { error: 'a list of feeders' },
        )
        .describe('Those that give it a row [those whose columns its steps use].'),
    },
    { steps: steps.describe('What a user does, in order.') },
  )
}

function requestParts(z: ZodModule, parts: Parts) {
  const { object, text, checked, mapOf, scalar, orList, oneOf, think } = parts
  const method = checked('a method such as PURGE', (word) => /^[A-Za-z][A-Za-z-]{0,31}$/.test(word))
  const url = text('a URL, or a path behind base-url')
  const name = text('a text').describe('What statistics call it [its method and URL].')
  const requestShape = {
    ...Object.fromEntries(
      METHOD_KEYS.map((word) => [
        word,
        url.describe(`The URL of a ${word.toUpperCase()} request.`),
      ]),
    ),
    method: method.describe('A method that has no key of its own, with url.'),
    url: url.describe('The URL, with method [GET].'),
    json: z.unknown().describe('The body, sent as JSON.'),
    form: mapOf(orList(scalar)).describe('The body, sent as a form.'),
    body: z.string({ error: 'a text' }).describe('The body, as text.'),
    'body-file': text('the name of a file').describe('The body, sent as it is in the file.'),
    'content-type': text('a type such as application/json').describe('Of the body.'),
  }
  const step = object({
    name,
    group: text('a text').describe('Goes before the name: checkout/login.'),
    ...requestShape,
    headers: mapOf(orList(scalar)).describe('Header fields of this request.'),
    check: checkSchema(z, parts).describe('What must hold of the response.'),
    extract: mapOf(extractionSchema(z, parts)).describe(
      'Values out of the response, for later steps: the variable and where it comes from.',
    ),
    think: think().describe('A pause after this step.'),
    'on-error': oneOf(['stop', 'continue']).describe(
      'After a failure, a check that does not hold, a value that is not found: end the iteration, or go on [stop].',
    ),
  })
  const steps = z
    .array(z.union([text('a URL'), step], { error: 'a URL or a step such as { get: /cart }' }), {
      error: 'a list of steps',
    })
    .min(1, { error: 'a list with at least one step' })
  return { z, request: object({ name, ...requestShape }), steps }
}

function checkSchema(z: ZodModule, { object, text, checked, mapOf, scalar, orList }: Parts) {
  const status = z
    .union([z.int(), z.string()], { error: statusWords })
    .refine((value) => statusRange(value) !== null, { error: statusWords })
  const pattern = z.union(
    [
      text('a regular expression'),
      object({ flags: text('letters such as i') }, { regex: text('a regular expression') }),
    ],
    { error: 'a regular expression' },
  )
  const pointer = checked('a JSON pointer such as /user/id', (value) => /^(?:\/|$)/.test(value))
  return object({
    status: orList(status).describe('200, 2xx, 200-299, or a list of them.'),
    header: mapOf(text('a regular expression')).describe('Fields and what their values match.'),
    'has-header': orList(text('the name of a field')).describe('Fields that must be there.'),
    'body-contains': orList(text('a text')).describe('Text that must be in the body.'),
    'body-matches': orList(pattern).describe('Regular expressions that the body must match.'),
    json: mapOf(
      z.union([scalar, z.null()], { error: 'a text, a number, true, false or null' }),
    ).describe('JSON pointers and the values that must be there.'),
    'has-json': orList(pointer).describe('JSON pointers that must lead to something.'),
  })
}

function extractionSchema(z: ZodModule, { object, text, checked, scalar }: Parts) {
  const pointer = checked('a JSON pointer such as /user/id', (value) => /^(?:\/|$)/.test(value))
  return z.union(
    [
      pointer,
      object({
        json: pointer.describe('A JSON pointer.'),
        regex: text('a regular expression').describe('Its first group, or all of what it matches.'),
        flags: text('letters such as i').describe('Of the regular expression.'),
        header: text('the name of a field').describe('The value of a header field.'),
        cookie: text('the name of a cookie').describe('The value of a cookie that is set.'),
        default: scalar.describe('What to take where nothing is found.'),
      }),
    ],
    { error: 'a JSON pointer, or settings such as { cookie: sid }' },
  )
}
