/**
 * The option table of `onager run`.
 *
 * What is not said is null, so that it leaves alone what a plan file says; the defaults of a run
 * are in `plan-file/complete.ts`.
 */

import { QUOTA_COUNT_MAX } from '../engine/shared-quota.ts'
import { pinnedCpus } from '../fleet/pin-option.ts'
import { sourceAddresses } from '../fleet/source-option.ts'
import type { WatchSource } from '../fleet/watch.ts'
import { watchSource } from '../fleet/watch-option.ts'
import { helpRow } from '../plan/help-only-options.ts'
import {
  type HeaderField,
  headerField,
  oneOf,
  text,
  wholeNumber,
  yesOrNo,
} from '../plan/option-readers.ts'
import type { OptionRow, OptionTable, Reader, ReadResult } from '../plan/option-table.ts'
import { readThresholds } from '../plan/slo.ts'
import { REQUEST_METHODS } from '../plan/url-line.ts'
import { VARIABLE_NAME } from '../script/text-template.ts'
import type { PlanDraft, StageDraft } from './plan-file/plan-draft.ts'
import {
  durationNs,
  durationWords,
  ratePerSecond,
  rateWords,
  stagesFromText,
  stagesWords,
  thinkTime,
  thinkWords,
} from './plan-file/quantities.ts'

export interface RunSettings {
  readonly users: number | null
  readonly rate: string | null
  readonly duration: string | null
  readonly count: number | null
  readonly stages: readonly StageDraft[] | null
  readonly arrivals: 'even' | 'poisson' | null
  readonly maxInFlight: number | null
  readonly think: string | null
  readonly warmUp: string | null
  readonly drain: string | null
  readonly urlsFile: string | null
  readonly baseUrl: string | null
  readonly order: PlanDraft['order'] | null
  readonly method: string | null
  readonly headers: readonly HeaderField[]
  readonly body: string | null
  readonly contentType: string | null
  readonly variables: readonly { readonly name: string; readonly value: string }[]
  readonly followRedirects: boolean | null
  readonly cookies: boolean | null
  readonly resources: boolean | null
  readonly timeout: string | null
  readonly keepAlive: boolean | null
  readonly insecure: boolean | null
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  readonly threads: number | null
  readonly reactor: NonNullable<PlanDraft['reactor']> | null
  readonly source: string | null
  readonly pin: string | null
  readonly connectRate: number | null
  readonly seed: number | null
  readonly slo: readonly string[]
  readonly abortOnSlo: boolean | null
  readonly title: string | null
  readonly out: string | null
  readonly html: string | null
  readonly json: boolean
  readonly quiet: boolean
  readonly watches: readonly WatchSource[]
  readonly prometheus: ListenAddress | null
  readonly otlp: string | null
  readonly printPlan: boolean
  readonly printSchema: boolean
  readonly showHelp: boolean
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

export const RUN_GROUPS: readonly string[] = ['Load', 'Requests', 'Connections', 'Result', 'Help']

/** A text that `read` understands, kept as it is written. */
function written(read: (raw: string) => unknown, mustBe: string): Reader<string> {
  return (raw) => (read(raw) === null ? { mustBe } : { value: raw.trim() })
}

const stages: Reader<readonly StageDraft[]> = (raw) => {
  const value = stagesFromText(raw)
  return value === null ? { mustBe: stagesWords } : { value }
}

const method: Reader<string> = (raw) =>
  REQUEST_METHODS.includes(raw.toUpperCase())
    ? { value: raw.toUpperCase() }
    : { mustBe: REQUEST_METHODS.join(', ') }

const anyText: Reader<string> = (raw) => ({ value: raw })

function variable(raw: string): ReadResult<RunSettings['variables']> {
  const equals = raw.indexOf('=')
  const name = raw.slice(0, equals)
  if (equals < 0 || !VARIABLE_NAME.test(name)) return { mustBe: 'NAME=VALUE' }
  return { value: [{ name, value: raw.slice(equals + 1) }] }
}

const conditions: Reader<readonly string[]> = (raw) => {
  const { thresholds, problems } = readThresholds(raw)
  const [problem] = problems
  if (problem !== undefined) return { mustBe: `conditions such as p99<200ms (${problem.text})` }
  return { value: thresholds.map((threshold) => threshold.text) }
}

function listenAddress(raw: string): ReadResult<ListenAddress> {
  const parts = /^(?:(?:\[([^\]]+)\]|([^:\s/]*)):)?(\d{1,5})$/.exec(raw.trim())
  const port = Number(parts?.[3])
  if (parts === null || port > 65_535) return { mustBe: 'a port such as 9464, or HOST:PORT' }
  const host = parts[1] ?? parts[2] ?? ''
  return { value: { host: host === '' ? '127.0.0.1' : host, port } }
}

const httpUrl: Reader<string> = (raw) =>
  /^https?:\/\/[^\s/]/i.test(raw) && URL.canParse(raw)
    ? { value: raw }
    : { mustBe: 'a URL that begins with http:// or https://' }

const fileName = text('the name of a file')

function flag(long: string, group: string, help: string): OptionRow<boolean> {
  return { long, argument: 'none', default: false, flagValue: true, read: yesOrNo, group, help }
}

/** Nothing said leaves it to the plan. */
function choice(
  long: string,
  group: string,
  flagValue: boolean,
  help: string,
): OptionRow<boolean | null> {
  return { long, argument: 'none', default: null, flagValue, read: yesOrNo, group, help }
}

function valued<Value>(
  long: string,
  argumentName: string,
  group: string,
  read: Reader<Value>,
  help: string,
): OptionRow<Value | null> {
  return { long, argument: 'required', argumentName, default: null, read, group, help }
}

const duration = written(durationNs, durationWords)

export const runOptions: OptionTable<RunSettings> = {
  users: {
    ...valued(
      'users',
      'NUM',
      'Load',
      wholeNumber(1, 1_000_000),
      'so many users, each going on as soon as it is done [10]',
    ),
    short: 'u',
  },
  rate: {
    ...valued(
      'rate',
      'RATE',
      'Load',
      written(ratePerSecond, rateWords),
      'begin so many, however long they take: 500/s, 90/m',
    ),
    short: 'r',
  },
  duration: {
    ...valued('duration', 'TIME', 'Load', duration, 'for so long: 30s, 5m, 1h30m [10s]'),
    short: 'd',
  },
  count: {
    ...valued(
      'count',
      'NUM',
      'Load',
      wholeNumber(1, QUOTA_COUNT_MAX),
      'until so many iterations have been begun',
    ),
    short: 'n',
  },
  stages: {
    ...valued('stages', 'LIST', 'Load', stages, 'ramps: 30s:100/s,2m:1000/s,1m, or users: 1m:200'),
    details:
      'Each goes in a straight line from the level before, the first from --rate, --users or 0; a time alone stays.',
  },
  arrivals: {
    ...valued(
      'arrivals',
      'HOW',
      'Load',
      oneOf({ even: 'even', poisson: 'poisson' }, 'even or poisson'),
      'with a rate: even, or poisson as from many people [even]',
    ),
    words: ['even', 'poisson'],
  },
  maxInFlight: {
    ...valued(
      'max-in-flight',
      'NUM',
      'Load',
      wholeNumber(1, 1_000_000),
      'with a rate: drop and count what is beyond [2000]',
    ),
    details: 'By default 2000, or what begins in one second if that is more.',
  },
  think: {
    ...valued(
      'think',
      'TIME',
      'Load',
      written(thinkTime, thinkWords),
      'pause between iterations: 1s, 1s..3s, "exponential 2s"',
    ),
  },
  warmUp: valued(
    'warm-up',
    'TIME',
    'Load',
    duration,
    'leave the first part out of the figures [0s]',
  ),
  drain: valued(
    'drain',
    'TIME',
    'Load',
    duration,
    'let what is under way at the end go on so long [--timeout]',
  ),
  urlsFile: {
    ...valued('file', 'FILE', 'Requests', fileName, "URLs, one on each line, in siege's format"),
    short: 'f',
  },
  baseUrl: valued(
    'base-url',
    'URL',
    'Requests',
    text('a URL'),
    'goes before each URL of the plan without a host',
  ),
  order: {
    ...valued(
      'order',
      'HOW',
      'Requests',
      oneOf(
        { 'in-order': 'in-order', random: 'random', once: 'once' } as const,
        'in-order, random or once',
      ),
      'go through the URLs in-order, random, or once [in-order]',
    ),
    words: ['in-order', 'random', 'once'],
  },
  method: {
    ...valued(
      'method',
      'NAME',
      'Requests',
      method,
      'GET, POST ... of the URLs [GET, or POST with a body]',
    ),
    short: 'm',
    words: REQUEST_METHODS,
  },
  headers: {
    long: 'header',
    short: 'H',
    argument: 'required',
    argumentName: 'FIELD',
    default: [],
    read: headerField,
    isRepeatable: true,
    group: 'Requests',
    help: 'send this header field, "Name: value" (repeatable)',
  },
  body: {
    ...valued('body', 'TEXT', 'Requests', anyText, 'send this, or what is in the file of @FILE'),
    longAliases: ['data'],
    short: 'b',
  },
  contentType: {
    ...valued(
      'content-type',
      'TYPE',
      'Requests',
      text('a type such as application/json'),
      'of the body [by how it looks]',
    ),
    short: 'T',
  },
  variables: {
    long: 'var',
    argument: 'required',
    argumentName: 'NAME=VALUE',
    default: [],
    read: variable,
    isRepeatable: true,
    group: 'Requests',
    help: 'set a fixed variable of the plan (repeatable)',
  },
  followRedirects: choice('follow-redirects', 'Requests', true, 'go where redirects point'),
  cookies: choice('cookies', 'Requests', true, 'each user keeps cookies (steps do anyway)'),
  resources: choice('resources', 'Requests', true, 'load what pages need, six at a time'),
  timeout: valued(
    'timeout',
    'TIME',
    'Connections',
    duration,
    'wait so long for a silent server [10s]',
  ),
  keepAlive: choice('no-keep-alive', 'Connections', false, 'a new connection for each request'),
  insecure: {
    ...choice('insecure', 'Connections', true, 'take any certificate of the server'),
    short: 'k',
  },
  ca: valued('ca', 'FILE', 'Connections', fileName, 'trust these certificates too (PEM)'),
  cert: valued('cert', 'FILE', 'Connections', fileName, 'show this certificate (PEM)'),
  key: valued('key', 'FILE', 'Connections', fileName, 'its key, unless --cert holds it (PEM)'),
  threads: valued(
    'threads',
    'NUM',
    'Connections',
    wholeNumber(1, 512),
    'share the load among threads [1]',
  ),
  pin: valued(
    'pin',
    'CPUS',
    'Connections',
    (raw) => {
      const read = pinnedCpus(raw)
      return 'value' in read ? { value: raw } : read
    },
    'bind threads to these CPUs, in turn: 2,3 or 0-3',
  ),
  reactor: {
    ...valued(
      'reactor',
      'NAME',
      'Connections',
      oneOf(
        { auto: 'auto', uring: 'uring', epoll: 'epoll', node: 'node' } as const,
        'auto, uring, epoll or node',
      ),
      'sockets by uring, epoll, node or auto [auto]',
    ),
    words: ['auto', 'uring', 'epoll', 'node'],
  },
  connectRate: valued(
    'connect-rate',
    'NUM',
    'Connections',
    wholeNumber(1, 1_000_000),
    'open so many a second at most',
  ),
  source: valued(
    'source',
    'ADDRS',
    'Connections',
    (raw) => {
      const read = sourceAddresses(raw)
      return 'value' in read ? { value: raw } : read
    },
    'connect from these addresses, in turn',
  ),
  seed: valued(
    'seed',
    'NUM',
    'Connections',
    wholeNumber(0),
    'makes everything random the same in each run',
  ),
  slo: {
    long: 'slo',
    argument: 'required',
    argumentName: 'LIST',
    default: [],
    read: conditions,
    isRepeatable: true,
    group: 'Result',
    help: 'exit status 1 unless all hold: "p99<200ms,errors<0.1%"',
  },
  abortOnSlo: choice('abort-on-slo', 'Result', true, 'end as soon as one of them cannot hold'),
  title: valued('title', 'TEXT', 'Result', text('a text'), 'what reports call the run'),
  out: {
    ...valued('out', 'FILE', 'Result', fileName, 'keep the result, for onager report'),
    short: 'o',
  },
  html: valued('html', 'FILE', 'Result', fileName, 'write a report for a browser'),
  json: flag('json', 'Result', 'the summary as JSON on stdout, and nothing else'),
  quiet: { ...flag('quiet', 'Result', 'no progress and no report'), short: 'q' },
  watches: {
    long: 'watch',
    argument: 'required',
    argumentName: 'SOURCE',
    default: [],
    read: watchSource,
    isRepeatable: true,
    group: 'Result',
    help: 'sample a number each second: a URL or a command (repeatable)',
  },
  prometheus: valued(
    'prometheus',
    '[HOST:]PORT',
    'Result',
    listenAddress,
    'offer the counts to Prometheus while it runs',
  ),
  otlp: valued('otlp', 'URL', 'Result', httpUrl, 'send the counts to an OpenTelemetry collector'),
  printPlan: flag('print-plan', 'Help', 'print the whole plan that would run, and send nothing'),
  printSchema: flag('print-schema', 'Help', 'print the JSON Schema of plan files, for editors'),
  showHelp: helpRow('Help'),
}
