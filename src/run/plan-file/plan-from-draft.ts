/**
 * From a complete plan as written to the one that every engine understands.
 *
 * All that is wrong is found before anything is sent: contradictions, names that nothing has, files
 * that cannot be read.
 */
import { UsageError } from '../../base/errors.ts'
import { ONAGER_VERSION } from '../../base/version.ts'
import { pinnedCpus } from '../../fleet/pin-option.ts'
import { sourceAddresses } from '../../fleet/source-option.ts'
import { latin1FromText } from '../../plan/latin1.ts'
import type { BrowsePlan, Plan, TlsPlan } from '../../plan/plan.ts'
import { readThresholds, type Threshold, thresholdNameProblems } from '../../plan/slo.ts'
import { TargetListBuilder } from '../../plan/target-list.ts'
import type { VariableLookup } from '../../plan/variables.ts'
import { VARIABLE_NAME } from '../../script/text-template.ts'
import { feedersFromDraft } from './feeders-from-draft.ts'
import { loadFromDraft } from './load-from-draft.ts'
import { type PlacedPlan, PlanProblems } from './placed-plan.ts'
import type { PlanDraft, ScenarioDraft } from './plan-draft.ts'
import { durationNs } from './quantities.ts'
import { RequestReader } from './request-from-draft.ts'
import {
  fieldProblem,
  type GivenField,
  givenFields,
  headFields,
  keepsAlive,
} from './request-head.ts'
import { type ReadBytes, textFromUtf8Bytes } from './run-files.ts'
import { fixedHeaders, scriptFromDraft } from './script-from-draft.ts'
import { targetsFromFile, targetsFromList } from './targets-from-draft.ts'
import { FixedScope } from './variable-scope.ts'

export interface PlanPorts {
  readonly read: ReadBytes
  /** For `$(NAME)` in files of URLs. */
  readonly environment: VariableLookup
}

const PEM_BYTES_MAX = 16 * 1024 * 1024
const LOGIN_ATTEMPT_COUNT_MAX = 3

/**
 * `draft` is complete; `placed` is the file that it came from.
 * @throws {UsageError} with everything that is wrong.
 */
export function planFromDraft(draft: PlanDraft, placed: PlacedPlan, ports: PlanPorts): Plan {
  const problems = new PlanProblems(placed)
  const constants = constantsOf(draft, problems)
  const headers = planHeaders(draft, problems)
  const what = whatToRequest(draft, { constants, headers, ports, problems })
  const scope = new FixedScope(constants)
  const requests = new RequestReader(undefined, ports.read, problems)
  const fields = fixedHeaders(headers, constants).map(({ name, value }): GivenField => {
    const template = requests.template(value, 'field', ['headers', name], scope)
    return { name, value: template.join('') }
  })
  const isKeptAlive = keepsAlive(fields, draft['keep-alive'] ?? true)
  const thresholds = thresholdsOf(draft, what, problems)
  const load = loadFromDraft(draft, problems)
  const tls = tlsPlan(draft, ports.read, problems)
  const sources = sourcesOf(draft, problems)
  const cpus = cpusOf(draft, problems)
  if (!problems.isEmpty) throw new UsageError(problems.all())
  return {
    load,
    ...what,
    walk: draft.order ?? 'in-order',
    request: {
      httpVersion: '1.1',
      head: headFields({
        fields: withoutCookies(fields, draft),
        keepsAlive: isKeptAlive,
        userAgent: `onager/${ONAGER_VERSION}`,
      }),
    },
    connection: {
      keepAlive: isKeptAlive,
      timeoutNs: durationNs(draft.timeout ?? '10s') ?? 0,
      ...(draft['connect-rate'] === undefined ? {} : { connectRatePerS: draft['connect-rate'] }),
      ...(sources.length === 0 ? {} : { sourceAddresses: sources }),
    },
    tls,
    browse: browsePlan(draft, fields),
    proxy: null,
    failureCountMax: null,
    failEmptyBodies: false,
    ...(thresholds.length === 0 ? {} : { thresholds }),
    ...(draft.title === undefined ? {} : { title: draft.title }),
    threadCount: draft.threads ?? 1,
    ...(cpus.length === 0 ? {} : { pinnedCpus: cpus }),
    reactor: draft.reactor ?? 'auto',
    seed: draft.seed ?? 0,
  }
}

function cpusOf({ pin }: PlanDraft, problems: PlanProblems): readonly number[] {
  if (pin === undefined) return []
  const read = pinnedCpus(String(pin))
  if ('value' in read) return read.value
  problems.add(['pin'], `pin must be ${read.mustBe}, not ${pin}`)
  return []
}

function sourcesOf({ source }: PlanDraft, problems: PlanProblems): readonly string[] {
  if (source === undefined) return []
  const read = sourceAddresses(source)
  if ('value' in read) return read.value
  problems.add(['source'], `source must be ${read.mustBe}, not ${source}`)
  return []
}

interface Around {
  readonly constants: ReadonlyMap<string, string>
  readonly headers: readonly GivenField[]
  readonly ports: PlanPorts
  readonly problems: PlanProblems
}

type WhatToRequest = Pick<Plan, 'targets' | 'script' | 'requestNames' | 'targetNameIndexes'>

function whatToRequest(draft: PlanDraft, around: Around): WhatToRequest {
  const { constants, headers, ports, problems } = around
  const { urls, scenarios } = draft
  const requests = new RequestReader(draft['base-url'], ports.read, problems)
  if (urls !== undefined && scenarios !== undefined) {
    problems.addAtKey(['urls'], 'a plan has urls or scenarios, not both')
  } else if (urls === undefined && (scenarios ?? []).length === 0) {
    problems.add(
      [],
      'there is nothing to request: give a URL, or a plan with steps, scenarios or urls',
    )
  }
  const feeders = feedersFromDraft(draft, ports.read, problems)
  if (urls === undefined) {
    const parts = scriptFromDraft(scenarios ?? [], {
      constants,
      feeders,
      requests,
      planHeaders: headers,
      problems,
    })
    const targets = new TargetListBuilder()
    for (const origin of parts.origins) targets.originIndex(origin)
    addDoubledNames(scenarios ?? [], problems)
    return { targets: targets.build(), script: parts.script, requestNames: parts.requestNames }
  }
  if (feeders.size > 0) {
    problems.addAtKey(['feeders'], 'feeders belong to steps or scenarios; urls have no variables')
  }
  for (const { name, value } of headers) {
    // Without steps nothing ever has a value but fixed texts.
    requests.template(value, 'field', ['headers', name], new FixedScope(constants))
  }
  const surroundings = {
    scope: new FixedScope(constants),
    requests,
    read: ports.read,
    environment: ports.environment,
    problems,
  }
  return typeof urls === 'string'
    ? targetsFromFile(urls, surroundings)
    : targetsFromList(urls, surroundings)
}

function addDoubledNames(scenarios: readonly ScenarioDraft[], problems: PlanProblems): void {
  for (const [index, { name }] of scenarios.entries()) {
    if (scenarios.findIndex((other) => other.name === name) === index) continue
    problems.add(['scenarios', index, 'name'], `there are two scenarios ${name}`)
  }
}

function constantsOf(draft: PlanDraft, problems: PlanProblems): ReadonlyMap<string, string> {
  const constants = new Map<string, string>()
  for (const [name, value] of Object.entries(draft.variables ?? {})) {
    if (!VARIABLE_NAME.test(name)) {
      problems.addAtKey(
        ['variables', name],
        `${JSON.stringify(name)} cannot be a variable: names begin with a letter and have letters, digits, _, - and .`,
      )
    }
    constants.set(name, String(value))
  }
  return constants
}

function planHeaders(draft: PlanDraft, problems: PlanProblems): GivenField[] {
  const fields = givenFields(draft.headers)
  for (const { name, value } of fields) {
    const problem = fieldProblem(name, value)
    if (problem !== null) problems.addAtKey(['headers', name], problem)
  }
  return fields
}

function thresholdsOf(
  draft: PlanDraft,
  { requestNames, script }: WhatToRequest,
  problems: PlanProblems,
): readonly Threshold[] {
  const checkNames = (script?.checks ?? []).map(({ name }) => name)
  return [draft.slo ?? []].flat().flatMap((text, index) => {
    const path = typeof draft.slo === 'string' ? ['slo'] : ['slo', index]
    const reading = readThresholds(text)
    for (const problem of reading.problems) problems.add(path, problem.text, problem.column - 1)
    for (const problem of thresholdNameProblems(
      reading.thresholds,
      requestNames ?? [],
      checkNames,
    )) {
      problems.add(path, problem)
    }
    return reading.thresholds
  })
}

/** Where users keep cookies, those that a person gave join them (RFC 6265, 5.4). */
function withoutCookies(fields: readonly GivenField[], draft: PlanDraft): readonly GivenField[] {
  return draft.cookies === true ? fields.filter((field) => !isCookie(field)) : fields
}

function isCookie({ name }: GivenField): boolean {
  return name.toLowerCase() === 'cookie'
}

function browsePlan(draft: PlanDraft, fields: readonly GivenField[]): BrowsePlan {
  const { resources } = draft
  return {
    followsRedirects: draft['follow-redirects'] ?? false,
    cookies:
      draft.cookies === true
        ? {
            // An iteration of a scenario is a new person.
            expiresAtWrap: draft.urls === undefined,
            stored: [],
            given: fields.filter(isCookie).map(({ value }) => latin1FromText(value)),
          }
        : null,
    resources:
      typeof resources === 'object'
        ? {
            noFollowHosts: [],
            parallelCount: resources.parallel ?? 1,
            onlySameOrigin: resources['same-origin'] ?? true,
            srcset: true,
            preloadsAndIcons: true,
            css: true,
          }
        : null,
    caches: false,
    logins: [],
    loginAttemptCountMax: LOGIN_ATTEMPT_COUNT_MAX,
    loginTargets: null,
    authTargets: null,
  }
}

function tlsPlan(draft: PlanDraft, read: ReadBytes, problems: PlanProblems): TlsPlan {
  const pem = (key: 'ca' | 'cert' | 'key'): string | null => {
    const file = draft[key]
    if (file === undefined) return null
    const bytes = read(file, PEM_BYTES_MAX)
    const result = typeof bytes === 'string' ? { reason: bytes } : textFromUtf8Bytes(bytes)
    if ('text' in result) return result.text
    problems.add([key], `${key} ${file} cannot be read: ${result.reason}`)
    return null
  }
  const cert = pem('cert')
  if (cert === null && draft.key !== undefined) {
    problems.addAtKey(['key'], 'a key belongs to a cert, and there is none')
  }
  return {
    verify: draft.insecure !== true,
    ca: pem('ca'),
    cert,
    key: draft.key === undefined ? cert : pem('key'),
    ciphers: null,
    versionMin: null,
    versionMax: null,
    resume: true,
  }
}
