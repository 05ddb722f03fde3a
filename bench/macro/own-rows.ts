/** Ours against ours: what features cost beside the same run without them. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contender, contenderOf, type Job, onagerProgram } from './contenders.ts'
import type { Measurement } from './measure.ts'
import type { RaceRow, Targets } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'onager-own-rows-'))

/** A page without resources of its own, so that both runs ask for the same. */
const PAGE = '<!doctype html><title>A page</title><p>Some words of a page without anything else.'
const ANSWER = '{"token":"abc123","items":[1,2,3]}'

export function ownRows(targets: Targets): RaceRow[] {
  const job: Job = {
    url: targets.httpUrl,
    connectionCount: 50,
    connection: 'keep-alive',
    durationSeconds: targets.durationSeconds,
  }
  const siege = contenderOf('onager siege', job)
  const plain = runContender('onager run URL', ['--users=50', targets.httpUrl], job)
  const page = { ...job, url: `${targets.httpUrl}page.html` }
  const rateRatio = (rival: string, ratio: number) => ({ rival, rateRatio: ratio })
  return [
    {
      kind: 'race',
      name: 'siege: cookies, redirects and parser on, against all of them off',
      contenders: [siegeWith('features on', true, page), siegeWith('features off', false, page)],
      target: rateRatio('features off', 0.8),
    },
    {
      kind: 'race',
      name: 'onager run: one URL, against siege',
      contenders: [plain, siege],
      target: rateRatio('onager siege', 0.9),
    },
    {
      kind: 'race',
      name: 'onager run: variables, rows, extraction and checks, against one URL',
      contenders: [runContender('onager run, script', [scriptFile(targets.httpUrl)], job), plain],
      target: rateRatio('onager run URL', 0.6),
    },
  ]
}

/** What nginx has to say for these rows, by path. */
export const ownPages: readonly {
  readonly path: string
  readonly type: string
  readonly body: string
}[] = [
  { path: '/page.html', type: 'text/html', body: PAGE },
  { path: '/login', type: 'application/json', body: ANSWER },
]

function siegeWith(name: string, isOn: boolean, job: Job): Contender {
  const base = contenderOf('onager siege', job)
  const rc = base.command[base.command.indexOf('-R') + 1]!
  const file = join(folder, `${name.replace(' ', '-')}.conf`)
  const kept = readFileSync(rc, 'utf8').replace(/^parser.*\n/m, '')
  const features = ['parser', 'cookies', 'follow-location'].map((word) => `${word} = ${isOn}\n`)
  writeFileSync(file, kept + features.join(''))
  return { ...base, name, command: base.command.map((word) => (word === rc ? file : word)) }
}

function runContender(name: string, words: readonly string[], job: Job): Contender {
  const options = ['--json', `--duration=${job.durationSeconds}s`]
  return {
    name,
    command: [process.execPath, onagerProgram, 'run', ...options, ...words],
    tellsOnStdout: true,
    requestCountOf: (measurement) => requestsOf(measurement).completed,
    rateOf: (measurement) => requestsOf(measurement).completed_per_second,
  }
}

function requestsOf({ stdout }: Measurement) {
  // Our own format: docs/schema/summary.schema.json.
  const { requests } = JSON.parse(stdout) as {
    requests: { completed: number; completed_per_second: number }
  }
  return requests
}

function scriptFile(url: string): string {
  const file = join(folder, 'script.yaml')
  const lines = [
    `base-url: ${url}`,
    'load: { users: 50 }',
    'feeders: { rows: { rows: [{ id: a1 }, { id: b2 }, { id: c3 }] } }',
    'steps:',
    '  - get: /login?id=${id}',
    '    check: { status: 200, body-contains: token }',
    '    extract: { token: { json: /token } }',
    '  - get: /item/${token}',
    '    check: { status: 200 }',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
