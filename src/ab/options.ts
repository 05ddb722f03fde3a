/**
 * The option table of ab: its letters, and long options of our own beside them.
 *
 * Numbers are read as ab reads them, by C's `atoi`: `5x` is 5 and `abc` is 0. What is then too
 * small or too large is told in `command-line.ts`, in ab's order and words.
 */
import { pinnedCpus } from '../fleet/pin-option.ts'
import { oneOf, wholeNumber } from '../plan/option-readers.ts'
import type { OptionRow, OptionTable, ReadResult } from '../plan/option-table.ts'
import type { ReactorWish } from '../plan/plan.ts'
import type { AbSettings } from './settings.ts'

const THREAD_COUNT_MAX = 1024
const ATOI = /^[ \t\n\v\f\r]*([+-]?\d+)/

/** C's `atoi`, with its overflow into 32 bits. */
export function atoi(raw: string): number {
  const digits = ATOI.exec(raw)?.[1]
  return digits === undefined ? 0 : Number(BigInt.asIntN(32, BigInt(digits)))
}

const number = (raw: string): ReadResult<number> => ({ value: atoi(raw) })
const text = (raw: string): ReadResult<string> => ({ value: raw })
const list = (raw: string): ReadResult<readonly string[]> => ({ value: [raw] })
const flag = (): ReadResult<boolean> => ({ value: true })

const LOAD = 'Load'
const REQUEST = 'Request'
const REPORT = 'Report'
const TLS = 'TLS'
const OURS = 'Not in ApacheBench'

function numberRow(
  short: string,
  value: number,
  shape: { readonly argumentName: string; readonly group: string; readonly help: string },
): OptionRow<number> {
  return { short, argument: 'required', default: value, read: number, ...shape }
}

function textRow<Value extends string | null>(
  short: string,
  value: Value,
  shape: { readonly argumentName: string; readonly group: string; readonly help: string },
): OptionRow<Value | string> {
  return { short, argument: 'required', default: value, read: text, ...shape }
}

function listRow(
  short: string,
  shape: { readonly argumentName: string; readonly help: string },
): OptionRow<readonly string[]> {
  return {
    short,
    argument: 'required',
    default: [],
    read: list,
    isRepeatable: true,
    group: REQUEST,
    ...shape,
  }
}

function flagRow(short: string, group: string, help: string): OptionRow<boolean> {
  return { short, argument: 'none', default: false, flagValue: true, read: flag, group, help }
}

function ourFlagRow(long: string, help: string): OptionRow<boolean> {
  return {
    long,
    isOurs: true,
    argument: 'none',
    default: false,
    flagValue: true,
    read: flag,
    group: OURS,
    help,
  }
}

const reactors: Readonly<Record<string, ReactorWish>> = {
  auto: 'auto',
  node: 'node',
  epoll: 'epoll',
  uring: 'uring',
}

export const abOptions: OptionTable<AbSettings> = {
  requestCount: numberRow('n', 1, {
    argumentName: 'requests',
    group: LOAD,
    help: 'how many requests to make, all users together',
  }),
  concurrency: numberRow('c', 1, {
    argumentName: 'concurrency',
    group: LOAD,
    help: 'how many requests to have under way at once',
  }),
  timeLimit: numberRow('t', 0, {
    argumentName: 'timelimit',
    group: LOAD,
    help: 'seconds after which to stop; 50000 requests unless -n follows',
  }),
  timeout: numberRow('s', 30, {
    argumentName: 'timeout',
    group: LOAD,
    help: 'seconds to wait for each step of a request; 30 by default',
  }),
  windowBytes: numberRow('b', 0, {
    argumentName: 'windowsize',
    group: LOAD,
    help: "size of the sockets' buffers in bytes; not on the node reactor",
  }),
  bindAddress: textRow('B', null, {
    argumentName: 'address',
    group: LOAD,
    help: 'address to connect from',
  }),
  postFile: textRow('p', null, {
    argumentName: 'postfile',
    group: REQUEST,
    help: 'file whose contents to POST; see -T',
  }),
  putFile: textRow('u', null, {
    argumentName: 'putfile',
    group: REQUEST,
    help: 'file whose contents to PUT; see -T',
  }),
  contentType: textRow('T', 'text/plain', {
    argumentName: 'content-type',
    group: REQUEST,
    help: "type of what is sent; 'text/plain' by default",
  }),
  verbosity: numberRow('v', 0, {
    argumentName: 'verbosity',
    group: REPORT,
    help: 'how much to tell: 2 shows heads, 3 statuses as well',
  }),
  html: flagRow('w', REPORT, 'print the report as HTML tables'),
  head: flagRow('i', REQUEST, 'use HEAD instead of GET'),
  tableAttributes: textRow('x', '', {
    argumentName: 'attributes',
    group: REPORT,
    help: 'HTML attributes of the table; implies -w',
  }),
  rowAttributes: textRow('y', '', {
    argumentName: 'attributes',
    group: REPORT,
    help: 'HTML attributes of its rows; implies -w',
  }),
  cellAttributes: textRow('z', 'bgcolor=white', {
    argumentName: 'attributes',
    group: REPORT,
    help: 'HTML attributes of its cells; implies -w',
  }),
  cookies: listRow('C', {
    argumentName: 'attribute',
    help: "cookie to send, as 'name=value'; repeatable",
  }),
  headers: listRow('H', {
    argumentName: 'attribute',
    help: "header line to send, as 'Accept-Encoding: gzip'; repeatable",
  }),
  logins: listRow('A', {
    argumentName: 'attribute',
    help: 'login for Basic authentication, user and password with a colon between',
  }),
  proxyLogins: listRow('P', {
    argumentName: 'attribute',
    help: 'login for the proxy, in the same form',
  }),
  proxy: textRow('X', null, {
    argumentName: 'proxy:port',
    group: REQUEST,
    help: 'HTTP proxy to go through; with CONNECT for https',
  }),
  showVersion: flagRow('V', REPORT, 'print the version and stop'),
  keepAlive: flagRow('k', REQUEST, 'keep connections open'),
  hidesPercentiles: flagRow('d', REPORT, 'leave the percentiles out'),
  hidesConfidence: flagRow('S', REPORT, 'leave deviation and median out'),
  quiet: flagRow('q', REPORT, 'tell no progress'),
  variableLength: flagRow('l', REPORT, 'accept responses of any length'),
  gnuplotFile: textRow('g', null, {
    argumentName: 'filename',
    group: REPORT,
    help: 'file for the times of each request, for gnuplot',
  }),
  csvFile: textRow('e', null, {
    argumentName: 'filename',
    group: REPORT,
    help: 'file for the percentiles as CSV',
  }),
  goesOn: flagRow('r', LOAD, 'go on after errors of sockets'),
  method: textRow('m', null, { argumentName: 'method', group: REQUEST, help: 'method to use' }),
  showUsage: flagRow('h', REPORT, 'print this to stderr and stop with status 22'),
  hidesServerName: flagRow('I', TLS, 'send no server name (SNI)'),
  ciphers: textRow('Z', null, {
    argumentName: 'ciphersuite',
    group: TLS,
    help: "ciphers to offer, in OpenSSL's notation",
  }),
  protocol: textRow('f', 'ALL', {
    argumentName: 'protocol',
    group: TLS,
    help: 'version to use: TLS1, TLS1.1, TLS1.2, TLS1.3 or ALL',
  }),
  certificateFile: textRow('E', null, {
    argumentName: 'certfile',
    group: TLS,
    help: 'PEM file with our certificate, its chain and its key',
  }),
  http11: ourFlagRow('http1.1', 'speak HTTP/1.1 instead of 1.0'),
  threadCount: {
    long: 'threads',
    isOurs: true,
    argument: 'required',
    argumentName: 'number',
    default: 1,
    read: wholeNumber(1, THREAD_COUNT_MAX),
    group: OURS,
    help: 'threads that share the work; 1 by default',
  },
  pinnedCpus: {
    long: 'pin',
    isOurs: true,
    argument: 'required',
    argumentName: 'cpus',
    default: [],
    read: pinnedCpus,
    group: OURS,
    help: 'bind threads to these CPUs in turn, as 2,3 or 0-3',
  },
  reactor: {
    long: 'reactor',
    isOurs: true,
    argument: 'required',
    argumentName: 'name',
    default: 'auto',
    read: oneOf(reactors, 'auto, node, epoll or uring'),
    group: OURS,
    help: 'how to wait for sockets: auto, node, epoll or uring',
  },
  verify: ourFlagRow('verify', 'check the certificates of servers'),
  classic: ourFlagRow('classic', "print ab's report and nothing below it"),
  json: ourFlagRow('json', 'print the figures as JSON instead'),
  htmlFile: {
    long: 'html',
    isOurs: true,
    argument: 'required',
    argumentName: 'filename',
    default: null,
    read: text,
    group: OURS,
    help: 'file for a report with charts, as one HTML page',
  },
  showHelp: ourFlagRow('help', 'print this to stdout and stop'),
}

/** The groups in the order in which the usage shows them. */
export const GROUPS: readonly string[] = [LOAD, REQUEST, REPORT, TLS, OURS]
