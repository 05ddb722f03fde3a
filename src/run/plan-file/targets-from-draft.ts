/** From the `urls` of a plan to the engine's list of targets, and the names to count them under. */
import { latin1FromText, textFromLatin1 } from '../../plan/latin1.ts'
import type { TargetListData, TargetSpec } from '../../plan/target-list.ts'
import { TargetList, TargetListBuilder } from '../../plan/target-list.ts'
import { targetText } from '../../plan/target-title.ts'
import { TargetUrlReader } from '../../plan/target-url.ts'
import { parseUrlLine, REQUEST_METHODS } from '../../plan/url-line.ts'
import { readUrlList } from '../../plan/url-list.ts'
import type { VariableLookup } from '../../plan/variables.ts'
import { fixedText, renderBytes, renderText } from '../../script/text-template.ts'
import { methodOf, urlOf } from './complete.ts'
import type { PlanPath, PlanProblems } from './placed-plan.ts'
import type { RequestDraft } from './plan-draft.ts'
import type { RequestReader } from './request-from-draft.ts'
import { BODY_BYTES_MAX } from './request-from-draft.ts'
import type { ReadBytes } from './run-files.ts'
import type { FixedScope } from './variable-scope.ts'

export interface TargetParts {
  readonly targets: TargetListData
  readonly requestNames?: readonly string[]
  readonly targetNameIndexes?: Uint32Array
}

export interface TargetSurroundings {
  readonly scope: FixedScope
  readonly requests: RequestReader
  readonly read: ReadBytes
  readonly environment: VariableLookup
  readonly problems: PlanProblems
}

const LIST_BYTES_MAX = 2 ** 31 - 1
/** More names than that would be no table that people read. */
const NAMED_TARGET_COUNT_MAX = 100

/** A file in siege's format: its lines, variables and body files are siege's. */
export function targetsFromFile(file: string, around: TargetSurroundings): TargetParts {
  const { read, environment, problems } = around
  const bytes = read(file, LIST_BYTES_MAX)
  const result =
    typeof bytes === 'string'
      ? { problems: [{ text: `cannot read the file of URLs: ${bytes}`, file }] }
      : readUrlList(
          { name: file, bytes },
          { isEscaping: true, environment, readFile: (path) => read(path, BODY_BYTES_MAX) },
        )
  if (!('problems' in result)) return withShortNames(result.targets)
  for (const problem of result.problems) problems.addElsewhere(problem)
  return { targets: new TargetListBuilder().build() }
}

function withShortNames(targets: TargetListData): TargetParts {
  if (!isShort(targets.count)) return { targets }
  const list = new TargetList(targets)
  const names = Array.from({ length: list.count }, (_, index) => targetText(list, index))
  return { targets, ...countedBy(names) }
}

function isShort(count: number): boolean {
  return count > 1 && count <= NAMED_TARGET_COUNT_MAX
}

/** One name for each target. */
function countedBy(shown: readonly string[]): Omit<TargetParts, 'targets'> {
  const requestNames = [...new Set(shown)]
  const indexes = new Map(requestNames.map((name, index) => [name, index]))
  return {
    requestNames,
    targetNameIndexes: Uint32Array.from(shown, (name) => indexes.get(name) ?? 0),
  }
}

/** A short list gives each of its requests a name, a long one only those that have their own. */
export function targetsFromList(
  entries: readonly (string | RequestDraft)[],
  around: TargetSurroundings,
): TargetParts {
  if (entries.length === 0) around.problems.add(['urls'], 'there is no URL in this list')
  const builder = new TargetListBuilder()
  const urls = new TargetUrlReader(true)
  const names: (string | null)[] = []
  for (const [index, entry] of entries.entries()) {
    const path = ['urls', index]
    const request = typeof entry === 'string' ? lineRequest(entry, path, around) : entry
    const spec = request === null ? null : targetOf(request, path, urls, around)
    if (request === null || spec === null) continue
    builder.add(spec, index + 1)
    names.push(request.name ?? null)
  }
  const targets = builder.build()
  const isNamed = names.some((name) => name !== null)
  if (!isNamed && !isShort(names.length)) return { targets }
  const shown = names.map((name, index) => name ?? shownName(entries[index]!))
  return { targets, ...countedBy(shown) }
}

function shownName(entry: string | RequestDraft): string {
  const text = typeof entry === 'string' ? entry : `${methodOf(entry)} ${urlOf(entry)}`
  return withoutCredentials(text)
}

/** `user:password@` of a URL is nobody's business. */
export function withoutCredentials(text: string): string {
  return text.replace(/(^|\s)([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/i, '$1$2')
}

/** A line as in siege's list: `URL`, or `URL POST body`. Null: it is told what is wrong. */
function lineRequest(
  text: string,
  path: PlanPath,
  { requests, scope, problems }: TargetSurroundings,
): RequestDraft | null {
  const filled = renderText(requests.template(text, 'text', path, scope), [])
  const line = parseUrlLine(latin1FromText(filled.trim()))
  if ('problem' in line) {
    problems.add(path, line.problem, line.column - 1)
    return null
  }
  const { body, contentType, method } = line
  return {
    method,
    url: escapedDollars(textFromLatin1(line.url)),
    ...(contentType === null ? {} : { 'content-type': textFromLatin1(contentType) }),
    ...(body?.kind === 'text' ? { body: escapedDollars(textFromLatin1(body.text)) } : {}),
    ...(body?.kind === 'file' ? { 'body-file': textFromLatin1(body.path) } : {}),
  }
}

/** What was filled in once is not read for variables again. */
function escapedDollars(text: string): string {
  return text.replace(/\$+(?=\{)/g, (dollars) => dollars + dollars)
}

function targetOf(
  request: RequestDraft,
  path: PlanPath,
  urls: TargetUrlReader,
  { requests, scope, problems }: TargetSurroundings,
): TargetSpec | null {
  const method = methodOf(request)
  if (!REQUEST_METHODS.includes(method)) {
    problems.add(path, `${method} is no method of a list of URLs; write it as a step`)
  }
  const { template, origin } = requests.url(request, path, scope)
  const { body, contentType } = requests.body(request, path, scope)
  const text = fixedText(template)
  if (text === null || origin === null) return null
  const url = urls.read(latin1FromText(text))
  if ('problem' in url) return null
  const type = request['content-type'] ?? contentType
  return {
    origin,
    method,
    requestTarget: url.requestTarget,
    body: body === null || body instanceof Uint8Array ? body : renderBytes(body, []),
    contentType: type === null ? null : latin1FromText(type),
    isContentTypeExplicit: request['content-type'] !== undefined,
    credentials: url.prefix.credentials,
  }
}
