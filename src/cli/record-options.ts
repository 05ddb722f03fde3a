/** The option table of `onager record`, and what its values must be. */
import { helpRow } from '../plan/help-only-options.ts'
import { text, wholeNumber, yesOrNo } from '../plan/option-readers.ts'
import type { OptionRow, OptionTable, Reader } from '../plan/option-table.ts'
import { REQUEST_METHODS } from '../plan/url-line.ts'

export interface RecordSettings {
  readonly output: string
  readonly port: number
  readonly host: string
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  readonly methods: readonly string[]
  readonly hosts: readonly string[]
  readonly isWithoutResources: boolean
  readonly isUnique: boolean
  readonly isWithoutHttps: boolean
  readonly isInsecure: boolean
  readonly timeoutS: number
  readonly isVerbose: boolean
  readonly showHelp: boolean
}

export const RECORD_GROUPS: readonly string[] = ['Recording', 'Which requests', 'Connections']

/** A name that a line of the list can refer to: body files are named after it. */
const outputName: Reader<string> = (raw) =>
  raw === '' || raw.trim() !== raw || /[\0-\x1f\x7f]/.test(raw)
    ? { mustBe: 'the name of a file, without blanks at its ends' }
    : { value: raw }

const methodList: Reader<readonly string[]> = (raw) => {
  const methods = raw.split(',').map((word) => word.trim().toUpperCase())
  const isKnown = methods.every((method) => REQUEST_METHODS.includes(method))
  return isKnown ? { value: methods } : { mustBe: `a list of ${REQUEST_METHODS.join(', ')}` }
}

const hostPattern: Reader<readonly string[]> = (raw) =>
  /^[^\s/]+$/.test(raw)
    ? { value: [raw] }
    : { mustBe: 'a host, host:port or *.domain, without a scheme or path' }

const urlPattern: Reader<readonly string[]> = (raw) =>
  raw === '' ? { mustBe: 'a part of a URL' } : { value: [raw] }

function flag(long: string, group: string, help: string): OptionRow<boolean> {
  return { long, argument: 'none', default: false, flagValue: true, read: yesOrNo, group, help }
}

export const recordOptions: OptionTable<RecordSettings> = {
  output: {
    short: 'o',
    long: 'output',
    argument: 'required',
    argumentName: 'FILE',
    default: 'urls.txt',
    read: outputName,
    group: 'Recording',
    help: 'append to this list [urls.txt]',
  },
  isUnique: flag('unique', 'Recording', 'leave out what is in the list already'),
  isVerbose: { ...flag('verbose', 'Recording', 'show each line as it is recorded'), short: 'v' },
  showHelp: helpRow('Recording'),
  hosts: {
    long: 'host-only',
    argument: 'required',
    argumentName: 'HOST',
    default: [],
    read: hostPattern,
    isRepeatable: true,
    group: 'Which requests',
    help: 'only those to HOST, HOST:PORT or *.DOMAIN (repeatable)',
  },
  methods: {
    long: 'method',
    argument: 'required',
    argumentName: 'LIST',
    words: REQUEST_METHODS,
    default: [],
    read: methodList,
    isRepeatable: true,
    group: 'Which requests',
    help: 'only these methods: GET,POST',
  },
  includes: {
    long: 'include',
    argument: 'required',
    argumentName: 'PATTERN',
    default: [],
    read: urlPattern,
    isRepeatable: true,
    group: 'Which requests',
    help: 'only URLs with this in them; * is anything (repeatable)',
  },
  excludes: {
    long: 'exclude',
    argument: 'required',
    argumentName: 'PATTERN',
    default: [],
    read: urlPattern,
    isRepeatable: true,
    group: 'Which requests',
    help: 'no URLs with this in them (repeatable)',
  },
  isWithoutResources: flag(
    'no-resources',
    'Which requests',
    'no images, style sheets, scripts, fonts or media',
  ),
  port: {
    short: 'p',
    long: 'port',
    argument: 'required',
    argumentName: 'NUM',
    default: 9001,
    read: wholeNumber(0, 65_535),
    group: 'Connections',
    help: 'listen on this port; 0 takes a free one [9001]',
  },
  host: {
    long: 'bind',
    longAliases: ['host'],
    argument: 'required',
    argumentName: 'ADDRESS',
    default: '127.0.0.1',
    read: text('an address or name of this machine'),
    group: 'Connections',
    help: 'listen here; 0.0.0.0 lets other machines in [127.0.0.1]',
  },
  timeoutS: {
    short: 't',
    long: 'timeout',
    argument: 'required',
    argumentName: 'SECS',
    default: 120,
    read: wholeNumber(1, 86_400),
    group: 'Connections',
    help: 'wait so long for a silent server [120]',
  },
  isWithoutHttps: flag('no-https', 'Connections', 'pass HTTPS through unread and unrecorded'),
  isInsecure: flag('insecure', 'Connections', 'take any certificate of a server'),
}
