/** Rows of the option table about how much load and on which URLs. */
import { pinnedCpus } from '../fleet/pin-option.ts'
import { sourceAddresses } from '../fleet/source-option.ts'
import { duration, oneOf, text, wholeNumber, yesOrNo } from '../plan/option-readers.ts'
import type { ReadResult } from '../plan/option-table.ts'
import type { ReactorWish } from '../plan/plan.ts'
import type { SiegeRows } from './settings.ts'

export const USER_COUNT_MAX = 1_000_000
export const CONNECT_RATE_MAX = 1_000_000
const THREAD_COUNT_MAX = 1024

export const loadOptions: SiegeRows<
  | 'userCount'
  | 'iterations'
  | 'durationSeconds'
  | 'delaySeconds'
  | 'benchmark'
  | 'internet'
  | 'failureCountMax'
  | 'userCountLimit'
  | 'threadCount'
  | 'pinnedCpus'
  | 'reactor'
  | 'sourceAddresses'
  | 'connectRatePerS'
  | 'seed'
  | 'urlsFile'
  | 'url'
  | 'urlEscaping'
> = {
  userCount: {
    group: 'Load',
    short: 'c',
    long: 'concurrent',
    argument: 'required',
    argumentName: 'NUM',
    directives: ['concurrent'],
    default: 25,
    template: '25',
    read: wholeNumber(1, USER_COUNT_MAX),
    help: 'simulated users (25)',
    details: 'Each user sends one request after the other. All start at once.',
  },
  iterations: {
    group: 'Load',
    short: 'r',
    long: 'reps',
    argument: 'required',
    argumentName: 'NUM|once',
    directives: ['reps'],
    default: null,
    example: '10',
    read: repetitions,
    help: 'requests of each user; once: the whole list once',
    details:
      'With once, every URL of the list is requested exactly once in all, shared out among the users. Without reps and time siege goes on until it is interrupted.',
  },
  durationSeconds: {
    group: 'Load',
    short: 't',
    long: 'time',
    argument: 'required',
    argumentName: 'NUM[S|M|H]',
    words: ['30S', '1M', '5M', '1H'],
    directives: ['time'],
    default: null,
    example: '5M',
    unit: 'minutes, unless S, M or H says otherwise',
    read: duration('m', 'a time above 0 such as 30S, 5M or 1H (no letter: minutes)', 0.001),
    help: 'length of the run: 30S, 5M, 1H (no letter: minutes)',
    details:
      'Requests in flight at the end count neither as success nor as failure. Time beats reps when both are set.',
  },
  delaySeconds: {
    group: 'Load',
    short: 'd',
    long: 'delay',
    argument: 'required',
    argumentName: 'SECONDS',
    directives: ['delay'],
    default: 0,
    template: '0.0',
    unit: 'seconds',
    read: duration('s', 'a number of seconds, 0 or more, such as 0.5'),
    help: 'random pause of 0 to SECONDS after each request (0)',
    details: 'The pause counts in the elapsed time, not in response times.',
  },
  benchmark: {
    group: 'Load',
    short: 'b',
    long: 'benchmark',
    argument: 'none',
    flagValue: true,
    directives: ['benchmark'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: 'no pauses, whatever the delay',
  },
  internet: {
    group: 'Load',
    short: 'i',
    long: 'internet',
    argument: 'none',
    flagValue: true,
    directives: ['internet'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: 'each request takes a random URL of the list',
  },
  failureCountMax: {
    group: 'Load',
    directives: ['failures'],
    default: 1024,
    example: '1024',
    read: failureLimit,
    help: 'transport failures after which the run stops (1024)',
    details:
      'Connections refused, reset, timed out and the like count, over all users; answers never do, whatever their status. 0 or less: never stop.',
  },
  userCountLimit: {
    group: 'Load',
    directives: ['limit'],
    default: null,
    example: '255',
    read: userLimit,
    help: 'cap on the number of users (none)',
    details: 'More users than this are cut down to it, with a warning. 0: no cap.',
  },
  threadCount: {
    group: 'Load',
    long: 'threads',
    isOurs: true,
    argument: 'required',
    argumentName: 'NUM',
    directives: ['threads'],
    default: 1,
    example: '1',
    read: wholeNumber(1, THREAD_COUNT_MAX),
    help: 'threads that share the users (1)',
    details: 'Each user does the same for any number of threads.',
  },
  pinnedCpus: {
    group: 'Load',
    long: 'pin',
    isOurs: true,
    argument: 'required',
    argumentName: 'CPUS',
    default: [],
    read: pinnedCpus,
    help: 'bind threads to these CPUs, in turn: 2,3 or 0-3',
    details:
      'So they neither move about nor share a CPU with what else was bound elsewhere, such as a server on the same machine. Linux only.',
  },
  connectRatePerS: {
    group: 'Load',
    long: 'connect-rate',
    isOurs: true,
    argument: 'required',
    argumentName: 'NUM',
    default: null,
    read: wholeNumber(1, CONNECT_RATE_MAX),
    help: 'open so many connections a second at most',
    details:
      'Users that would open one earlier wait for their turn, and their request begins with it: a crowd that arrives at once fills the queue of a server, and what is measured then is that queue.',
  },
  sourceAddresses: {
    group: 'Load',
    long: 'source',
    isOurs: true,
    argument: 'required',
    argumentName: 'ADDRS',
    default: [],
    read: sourceAddresses,
    help: 'connect from these addresses, in turn',
    details:
      'Several have commas between them. Each address has about 28,000 ports to one server, which is how many connections it can have open or just closed.',
  },
  reactor: {
    group: 'Load',
    long: 'reactor',
    isOurs: true,
    argument: 'required',
    argumentName: 'NAME',
    words: ['auto', 'uring', 'epoll', 'node'],
    directives: ['reactor'],
    default: 'auto',
    example: 'auto',
    read: oneOf<ReactorWish>(
      { auto: 'auto', uring: 'uring', epoll: 'epoll', node: 'node' },
      'auto, uring, epoll or node',
    ),
    help: 'sockets by uring, epoll, node or auto (auto)',
    details:
      'auto takes the fastest that works, in this order; the report says which one ran and why.',
  },
  seed: {
    group: 'Load',
    long: 'seed',
    isOurs: true,
    argument: 'required',
    argumentName: 'NUM',
    default: null,
    read: wholeNumber(0),
    help: 'makes random URLs and pauses the same in each run',
  },

  urlsFile: {
    group: 'URLs',
    short: 'f',
    long: 'file',
    argument: 'required',
    argumentName: 'FILE',
    directives: ['file'],
    default: '/etc/siege/urls.txt',
    example: '/etc/siege/urls.txt',
    read: text('the name of a file'),
    help: 'file with one URL per line',
    details: 'Not read when URLs are given on the command line or url is set.',
  },
  url: {
    group: 'URLs',
    directives: ['url'],
    default: null,
    example: 'http://127.0.0.1:8080/',
    read: text('a URL'),
    help: 'the URL to request when the command line names none',
  },
  urlEscaping: {
    group: 'URLs',
    directives: ['url-escaping'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'escape characters that may not stand in a URL (true)',
  },
}

const repetitionNumber = wholeNumber(1)

function repetitions(raw: string): ReadResult<number | 'once'> {
  if (raw.trim().toLowerCase() === 'once') return { value: 'once' }
  const read = repetitionNumber(raw)
  return 'value' in read ? read : { mustBe: `${read.mustBe}, or once` }
}

const anyWholeNumber = wholeNumber(-Number.MAX_SAFE_INTEGER)

/** siege stops at no number of failures when the limit is 0 or less. */
function failureLimit(raw: string): ReadResult<number | null> {
  const read = anyWholeNumber(raw)
  if ('mustBe' in read) return { mustBe: 'a whole number; 0: no limit' }
  return { value: read.value > 0 ? read.value : null }
}

const limitNumber = wholeNumber(0)

function userLimit(raw: string): ReadResult<number | null> {
  const read = limitNumber(raw)
  if ('mustBe' in read) return { mustBe: `${read.mustBe}; 0: no limit` }
  return { value: read.value > 0 ? read.value : null }
}
