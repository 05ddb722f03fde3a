/** Runs of the engine on the instant reactor, with the plan that siege makes of a command line. */

import { FailureBudget } from '../../src/engine/failure-budget.ts'
import { Runner } from '../../src/engine/runner.ts'
import { nodeBrowsingPorts } from '../../src/fleet/browsing-ports.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { readSiegeCommandLine } from '../../src/siege/command-line.ts'
import { planFromSettings } from '../../src/siege/plan-from-settings.ts'
import { targetsOf } from '../../src/siege/targets.ts'
import { latin1Bytes } from '../../src/wire/bytes.ts'
import { InstantReactor } from './instant-reactor.ts'

const USER_COUNT = 50
/** A user opens its next connection before the last one's slot is free again. */
const SLOT_COUNT = 4 * USER_COUNT

export type EngineJob = 'keep-alive' | 'close' | 'cookies'

const answers: Readonly<Record<EngineJob, Uint8Array>> = {
  'keep-alive': answer('keep-alive', ''),
  close: answer('close', ''),
  cookies: answer('keep-alive', 'Set-Cookie: sid=8f14e45fceea167a5a36dedd; Path=/\r\n'),
}

function answer(connection: 'keep-alive' | 'close', fields: string): Uint8Array {
  const body = 'x'.repeat(612)
  return latin1Bytes(
    'HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 01 Dec 2025 00:34:56 GMT\r\n' +
      `Content-Type: text/plain\r\nContent-Length: ${body.length}\r\n` +
      `Connection: ${connection}\r\n${fields}\r\n${body}`,
  )
}

/** As `siege -b -c50 -r...` without page resources. */
function planOf(job: EngineJob, requestsPerUser: number): Plan {
  const connection = job === 'close' ? 'close' : 'keep-alive'
  const siegerc = `connection = ${connection}\nparser = false\nprotocol = HTTP/1.1\n`
  const argv = ['-R', 'rc', '-b', `-c${USER_COUNT}`, `-r${requestsPerUser}`, 'http://127.0.0.1/']
  const commandLine = readSiegeCommandLine(argv, {}, () => ({ text: siegerc }))
  return planFromSettings(commandLine.settings, targetsOf(commandLine, {}), {
    readText: () => ({ isMissing: true, reason: 'no files here' }),
    environment: {},
    randomSeed: 1,
    architecture: 'x64',
    system: 'linux',
    lists: { login: null, auth: null },
    storedCookies: [],
  })
}

export interface EngineRun {
  /** Runs to the end; to be called once. */
  run(): Promise<{ readonly completedCount: number; readonly hash: number }>
}

export function engineRun(job: EngineJob, requestsPerUser: number): EngineRun {
  const plan = planOf(job, requestsPerUser)
  const reactor = new InstantReactor(answers[job], SLOT_COUNT)
  const runner = new Runner({
    plan,
    users: { first: 0, count: USER_COUNT },
    reactor,
    recorder: new CountingRecorder(),
    resolveName: () => {},
    failureBudget: new FailureBudget(null),
    browsing: nodeBrowsingPorts(plan, 0),
  })
  return {
    async run() {
      const { snapshot } = await runner.run()
      return { completedCount: snapshot.completedCount, hash: reactor.hash }
    },
  }
}
