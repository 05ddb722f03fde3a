/**
 * Rows of the option table about what is shown and written, and the options that stop before a
 * run.
 */

import { watchSource } from '../fleet/watch-option.ts'
import { oneOf, text, yesOrNo } from '../plan/option-readers.ts'
import type { ReadResult } from '../plan/option-table.ts'
import type { SiegeRows } from './settings.ts'

export const outputOptions: SiegeRows<
  | 'verbose'
  | 'quiet'
  | 'json'
  | 'classic'
  | 'debug'
  | 'color'
  | 'csv'
  | 'timestamp'
  | 'fullUrl'
  | 'displayId'
  | 'spinner'
  | 'logOption'
  | 'mark'
  | 'logging'
  | 'logFile'
  | 'showLogFile'
  | 'htmlFile'
  | 'watches'
  | 'get'
  | 'print'
  | 'getMethod'
  | 'rcFile'
  | 'showConfig'
  | 'showVersion'
  | 'showHelp'
> = {
  verbose: {
    group: 'Output',
    short: 'v',
    long: 'verbose',
    argument: 'none',
    flagValue: true,
    directives: ['verbose'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'a line for each request (this is the default)',
  },
  quiet: {
    group: 'Output',
    short: 'q',
    long: 'quiet',
    argument: 'none',
    flagValue: true,
    directives: ['quiet'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: 'nothing but errors',
  },
  json: {
    group: 'Output',
    short: 'j',
    long: 'json-output',
    argument: 'none',
    flagValue: true,
    directives: ['json_output', 'json-output'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: 'the statistics as JSON on stdout, and nothing else',
  },
  classic: {
    group: 'Output',
    long: 'classic',
    isOurs: true,
    argument: 'none',
    flagValue: true,
    directives: ['classic'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: "siege's own figures only, no percentiles",
  },
  debug: {
    group: 'Output',
    short: 'D',
    long: 'debug',
    argument: 'none',
    flagValue: true,
    directives: ['debug'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'show the heads of requests and responses',
  },
  color: {
    group: 'Output',
    long: 'no-color',
    isOurs: true,
    argument: 'none',
    flagValue: false,
    directives: ['color'],
    default: true,
    template: 'on',
    read: yesOrNo,
    help: 'no colours (never used but on a terminal)',
  },
  csv: {
    group: 'Output',
    directives: ['csv'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'verbose lines with fields between commas (false)',
  },
  timestamp: {
    group: 'Output',
    directives: ['timestamp'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'verbose lines begin with date and time (false)',
  },
  fullUrl: {
    group: 'Output',
    directives: ['fullurl'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'verbose lines show whole URLs, not only paths (false)',
  },
  displayId: {
    group: 'Output',
    directives: ['display-id'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'verbose lines show the number of the user (false)',
  },
  spinner: {
    group: 'Output',
    directives: ['spinner'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'accepted for old files, without effect',
  },

  logOption: {
    group: 'Log file',
    short: 'l',
    long: 'log',
    argument: 'optional-attached',
    argumentName: 'FILE',
    flagValue: '',
    default: null,
    read: (raw) => ({ value: raw }),
    help: 'append results to a log; no blank before FILE',
    details: 'Without FILE the line goes to logfile.',
  },
  mark: {
    group: 'Log file',
    short: 'm',
    long: 'mark',
    argument: 'required',
    argumentName: 'TEXT',
    default: null,
    read: oneLine,
    help: 'write TEXT into the log first; implies -l',
  },
  logging: {
    group: 'Log file',
    directives: ['logging'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: 'add a line of results to the log file (false)',
  },
  logFile: {
    group: 'Log file',
    directives: ['logfile'],
    default: '/var/log/siege.log',
    example: '/var/log/siege.log',
    read: text('the name of a file'),
    help: 'the log file (/var/log/siege.log)',
  },
  showLogFile: {
    group: 'Log file',
    directives: ['show-logfile'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'say at the end of a logged run where the log is (true)',
  },

  htmlFile: {
    group: 'Output',
    long: 'html',
    isOurs: true,
    argument: 'required',
    argumentName: 'FILE',
    default: null,
    read: text('the name of a file'),
    help: 'write a report with charts into an HTML file',
    details:
      'It is one file that needs no network: what was tested and how it went, charts of each second, percentiles, phases, statuses, failures with an example of each, the plan and how the generator fared. A file that cannot be written to is found before anything is sent.',
  },
  watches: {
    group: 'Other',
    long: 'watch',
    isOurs: true,
    argument: 'required',
    argumentName: 'URL|COMMAND',
    isRepeatable: true,
    default: [],
    read: watchSource,
    help: 'a number of a page or command, each second',
    details:
      'The report shows its minimum, mean, maximum and last value, and the JSON every sample. Of a URL it is the first number in the page; URL#NAME picks a sample of Prometheus\'s text format, with labels if need be (URL#NAME{code="200"}), and URL#/json/pointer a number in JSON. Anything else is a command for the shell, whose first number on stdout counts. LABEL= in front gives it a name. A sample that takes longer than a second is a failure. Nothing is sampled where nothing would show it: with -g, -p, -q and --classic, unless --html is given.',
  },
  get: {
    group: 'Other',
    short: 'g',
    long: 'get',
    argument: 'none',
    flagValue: true,
    default: false,
    read: yesOrNo,
    help: 'one request, its heads shown',
  },
  print: {
    group: 'Other',
    short: 'p',
    long: 'print',
    argument: 'none',
    flagValue: true,
    default: false,
    read: yesOrNo,
    help: 'the same with the body',
  },
  getMethod: {
    group: 'Other',
    directives: ['gmethod'],
    default: 'HEAD',
    template: 'HEAD',
    read: oneOf<'GET' | 'HEAD'>({ GET: 'GET', HEAD: 'HEAD' }, 'GET or HEAD'),
    help: 'method of -g, GET or HEAD (HEAD)',
  },
  rcFile: {
    group: 'Other',
    short: 'R',
    long: 'rc',
    argument: 'required',
    argumentName: 'FILE',
    default: null,
    read: text('the name of a file'),
    help: 'configuration file (~/.siege/siege.conf)',
  },
  showConfig: {
    group: 'Other',
    short: 'C',
    long: 'config',
    argument: 'none',
    flagValue: true,
    default: false,
    read: yesOrNo,
    help: 'show the configuration and stop',
  },
  showVersion: {
    group: 'Other',
    short: 'V',
    long: 'version',
    argument: 'none',
    flagValue: true,
    default: false,
    read: yesOrNo,
    help: 'show the version and stop',
  },
  showHelp: {
    group: 'Other',
    short: 'h',
    long: 'help',
    argument: 'none',
    flagValue: true,
    default: false,
    read: yesOrNo,
    help: 'show this and stop',
  },
}

function oneLine(raw: string): ReadResult<string> {
  return /[\r\n]/.test(raw) ? { mustBe: 'one line' } : { value: raw }
}
