/**
 * `onager record`: runs the recording proxy until told to stop, and says how to use it.
 *
 * What siege's companion sproxy does, with HTTPS, bodies and filters.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EnvironmentError, UsageError } from '../base/errors.ts'
import { MS_PER_S } from '../base/units.ts'
import { getoptGnu } from '../plan/getopt-gnu.ts'
import { helpLines } from '../plan/option-help.ts'
import { SettingsDraft } from '../plan/option-table.ts'
import { CertificateAuthority } from '../recorder/certificate-authority.ts'
import { RequestFilter } from '../recorder/filter.ts'
import { Notebook } from '../recorder/notebook.ts'
import { type Recorder, startRecorder } from '../recorder/recorder.ts'
import { RECORD_GROUPS, type RecordSettings, recordOptions } from './record-options.ts'

const HELP = `Records what a browser requests as a list of URLs for siege.

Usage: onager record [options]

  onager record                              then browse through 127.0.0.1:9001
  siege -N -F -f urls.txt -r once            replay exactly what was recorded

  onager record --host-only www.example.com --no-resources
  onager record -o api.txt --include /api/ --method POST,PUT --unique
  chromium --proxy-server=127.0.0.1:9001     a browser that uses it
  curl -x 127.0.0.1:9001 --cacert ~/.onager/ca.pem https://www.example.com/

${helpLines(recordOptions, RECORD_GROUPS).join('\n')}

Each request becomes a line: URL, method, content type and body. A body that is no
text of one line goes to a file of its own in FILE.bodies; siege finds it when it
is started in the same folder as the recorder. Header fields and cookies are not
recorded: siege keeps cookies of its own, and -H sets fields for a whole run.

What pages consist of, and where redirects lead, is recorded like everything else.
siege fetches such things by itself unless it is told not to: replay with -N
(--no-parser) and -F (--no-follow), or record with --no-resources and without them.

To read HTTPS the recorder plays each server with a certificate of an authority of
its own. That is made when first needed and kept in ~/.onager (ca.pem, and its key
for you alone); nothing else is ever written there. A browser has to trust ca.pem,
which it finds at http://127.0.0.1:9001/ca.pem as well. With --no-https, and for
hosts that are not recorded, HTTPS passes through unread. NODE_EXTRA_CA_CERTS names
a file of further authorities that the recorder trusts when it talks to servers.
Other protocols, such as WebSockets, pass through.
`

/** @throws {UsageError | EnvironmentError} */
export async function record(argv: readonly string[]): Promise<number> {
  const settings = readSettings(argv)
  if (settings.showHelp) {
    process.stdout.write(HELP)
    return 0
  }
  const failure = withResolvers<EnvironmentError>()
  const { isVerbose } = settings
  const notebook = new Notebook(
    { path: settings.output, isUnique: settings.isUnique },
    {
      recorded: (line) => {
        if (isVerbose) process.stdout.write(`${shown(line)}\n`)
      },
      failed: failure.resolve,
    },
  )
  const recorder = await start(settings, notebook)
  const stopped = toldToStop()
  const error = await Promise.race([stopped, failure.promise])
  await recorder.close()
  notebook.close()
  process.stdout.write(summary(settings, notebook))
  if (error instanceof EnvironmentError) throw error
  return 0
}

function readSettings(argv: readonly string[]): RecordSettings {
  const line = getoptGnu(argv, recordOptions)
  const draft = new SettingsDraft(recordOptions)
  for (const { key, spelling, raw } of line.flags) {
    draft.read(key, spelling, raw, { kind: 'flag', spelling })
  }
  const settings = draft.settings()
  const operands = line.operands.map(({ text }) => ({
    text: `there is no use for ${JSON.stringify(text)} here; the list is named with --output FILE`,
  }))
  // What a list has already is read again, which only a file allows.
  const stdout =
    settings.output === '-'
      ? [{ text: '--output -: the list cannot go to standard output; give the name of a file' }]
      : []
  const problems = [...line.problems, ...draft.problems, ...operands, ...stdout]
  if (problems.length > 0 && !settings.showHelp) throw new UsageError(problems)
  return settings
}

async function start(settings: RecordSettings, notebook: Notebook): Promise<Recorder> {
  const folder = join(process.env.HOME || homedir(), '.onager')
  const authority = settings.isWithoutHttps ? null : await CertificateAuthority.open(folder)
  const told = new Set<string>()
  const recorder = await startRecorder({
    port: settings.port,
    host: settings.host,
    upstream: {
      isInsecure: settings.isInsecure,
      timeoutMs: settings.timeoutS * MS_PER_S,
    },
    filter: new RequestFilter(settings),
    notebook,
    authority,
    distrusted: (host) => {
      if (told.has(host)) return
      told.add(host)
      const file = authority?.certFile ?? ''
      process.stderr.write(`A browser does not trust the certificate for ${host}: see ${file}\n`)
    },
  })
  process.stdout.write(greeting(settings, recorder, authority))
  return recorder
}

function greeting(
  settings: RecordSettings,
  recorder: Recorder,
  authority: CertificateAuthority | null,
): string {
  const place = recorder.url.replace('http://', '')
  const lines = [
    `Recording to ${settings.output}.`,
    `Set ${place} as the proxy of your browser, for HTTP and HTTPS.`,
  ]
  if (authority === null) {
    lines.push('HTTPS passes through unread (--no-https).')
  } else {
    const made = authority.isNew ? 'made just now and kept for the next time' : 'from the last time'
    lines.push(
      `For HTTPS it has to trust ${authority.certFile} (${made}):`,
      '  Firefox   Settings, Certificates, View, Authorities, Import',
      '  Chromium  Settings, Security, Manage certificates, Authorities, Import',
      `  curl      --cacert ${authority.certFile}`,
      'Whoever has its key can read what such a browser sends: stop trusting it afterwards.',
    )
  }
  lines.push('Ctrl-C ends the recording.')
  return `${lines.join('\n')}\n`
}

function summary(settings: RecordSettings, notebook: Notebook): string {
  const { recordedCount, duplicateCount, unsayableCount } = notebook.counts
  const lines = [`${requests(recordedCount)} recorded to ${settings.output}.`]
  if (duplicateCount > 0)
    lines.push(`${requests(duplicateCount)} had been there before (--unique).`)
  if (unsayableCount > 0) {
    lines.push(`${requests(unsayableCount)} left out: siege has no way to send them.`)
  }
  return `${lines.join('\n')}\n`
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}

/** What a page sends is not to steer the terminal. */
function shown(line: string): string {
  return line.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '?')
}

/** Resolves at the first signal; the second one ends the program as if nobody listened. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const stop = () => {
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

/** `Promise.withResolvers` of Node 22. */
function withResolvers<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
