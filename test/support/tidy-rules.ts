/**
 * The rules that the source text keeps, each a function from files to breaches.
 *
 * They see all files at once and read none themselves, so that broken samples can be shown to them
 * (`tidy.test.ts` does, and then shows them the project).
 */
import { posix } from 'node:path'
import {
  functionsOf,
  importsOf,
  lineAt,
  type MaskedText,
  mask,
  type SourceFile,
} from './source-text.ts'

/** `path:line: what is wrong and what to do`. */
export type Breach = string

export interface Project {
  readonly files: readonly SourceFile[]
  /** Packages that the program may import, from `dependencies` in package.json. */
  readonly packages: readonly string[]
  /** Packages that tests and benches may import as well. */
  readonly devPackages: readonly string[]
}

/** A layer imports from lower ranks only. `cli` is the switchboard above the programs it starts. */
export const layerRanks: Readonly<Record<string, number>> = {
  base: 0,
  wire: 1,
  metrics: 1,
  plan: 1,
  browse: 1,
  result: 2,
  script: 2,
  engine: 3,
  report: 3,
  stats: 3,
  fleet: 4,
  siege: 5,
  ab: 5,
  practice: 5,
  recorder: 5,
  run: 5,
  cli: 6,
}

/** Only these folders touch the machine; the others are handed what they need. */
const folderMayUseNode = /^src\/(?:engine\/net|fleet|siege|ab|practice|recorder|run|cli)\//
const isTestCode = (path: string) => /\.test\.ts$|^test\/|^bench\//.test(path)

const LINE_COUNT_MAX = 600
const COLUMN_COUNT_MAX = 100
const FUNCTION_LINE_COUNT_MAX = 70

/** Started by a person, `bin/` or a thread, hence imported by nobody. */
const entryPoints: readonly string[] = [
  'src/siege/main.ts',
  'src/ab/main.ts',
  'src/cli/main.ts',
  'src/cli/run-main.ts',
  'src/run/library.ts',
]

/** A file with what the rules ask of it, worked out once. */
interface ReadFile extends SourceFile {
  readonly masked: MaskedText
  readonly imports: readonly ReadImport[]
}

interface ReadImport {
  readonly specifier: string
  readonly line: number
  /** The file it stands for, from the root; undefined for packages. */
  readonly target: string | undefined
}

export function breachesOf(project: Project): Breach[] {
  const files = project.files.map(readFile)
  return [
    ...files.flatMap(layerBreaches),
    ...files.flatMap((file) => packageBreaches(file, project)),
    ...files.flatMap(banBreaches),
    ...files.flatMap(sizeBreaches),
    ...files.flatMap(headerBreaches),
    ...orphanBreaches(files),
    ...hotBreaches(files),
  ]
}

function readFile(file: SourceFile): ReadFile {
  const masked = mask(file.text)
  const imports = importsOf(masked).map(({ specifier, line }) => {
    const isRelative = specifier.startsWith('.')
    const joined = posix.join(posix.dirname(file.path), specifier)
    return { specifier, line, target: isRelative ? joined.replace(/\.js$/, '.ts') : undefined }
  })
  return { ...file, masked, imports }
}

function layerOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1]
}

function layerBreaches({ path, imports }: ReadFile): Breach[] {
  const layer = layerOf(path)
  if (layer === undefined) return []
  const rank = layerRanks[layer]
  if (rank === undefined) {
    return [`${path}:1: '${layer}' is no layer; see the ranks in docs/architecture.md`]
  }
  return imports.flatMap(({ target, line, specifier }) => {
    const otherLayer = target === undefined ? undefined : layerOf(target)
    if (otherLayer === undefined || otherLayer === layer) return []
    const place = `${path}:${line}: ${layer} (rank ${rank})`
    if (posix.basename(target ?? '').startsWith('_')) {
      return [`${place} imports '${specifier}', which is private to ${otherLayer}`]
    }
    const otherRank = layerRanks[otherLayer] ?? Number.POSITIVE_INFINITY
    if (otherRank < rank) return []
    return [`${place} imports '${specifier}' of ${otherLayer} (rank ${otherRank}); only downwards`]
  })
}

const seededProperties = 'test/support/property.ts'

function packageBreaches(file: ReadFile, project: Project): Breach[] {
  const { path, imports } = file
  const isTest = isTestCode(path)
  return imports.flatMap(({ specifier, target, line }) => {
    const place = `${path}:${line}:`
    if (target !== undefined) {
      if (!isTest && /^(?:test|bench)\//.test(target)) {
        return [`${place} the program imports '${specifier}', which is for tests`]
      }
      return []
    }
    if (specifier.startsWith('node:')) {
      if (isTest || folderMayUseNode.test(path)) return []
      return [`${place} '${specifier}' belongs in engine/net, fleet or a program; take an argument`]
    }
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    if (name === 'fast-check' && isTest && path !== seededProperties) {
      return [
        `${place} import { fc } from ${seededProperties}, which gives it a seed that can be repeated`,
      ]
    }
    const known = isTest ? [...project.packages, ...project.devPackages] : project.packages
    return known.includes(name) ? [] : [`${place} '${name}' is not in package.json`]
  })
}

interface Ban {
  readonly pattern: RegExp
  /** Where the pattern is looked for. */
  readonly within: 'code' | 'comments'
  /** What to write instead. */
  readonly instead: string
  readonly isAllowedIn?: (path: string) => boolean
}

const inProgramsOrTests = (path: string) =>
  isTestCode(path) || /^src\/(?:siege|ab|practice|recorder|run|cli)\//.test(path)
const inNodeFoldersOrTests = (path: string) => isTestCode(path) || folderMayUseNode.test(path)

const bans: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\)/,
    within: 'code',
    instead: 'take the clock as an argument (nowNs of the reactor)',
    isAllowedIn: inProgramsOrTests,
  },
  {
    pattern: /\bMath\.random\b/,
    within: 'code',
    instead: 'use seededRandom of base/random.ts: runs must be repeatable',
  },
  {
    pattern: /\bset(?:Timeout|Interval|Immediate)\b/,
    within: 'code',
    instead: 'use the alarm of the reactor',
    isAllowedIn: inNodeFoldersOrTests,
  },
  {
    pattern: /\bprocess\.|\bBuffer\b|\bperformance\.now\b/,
    within: 'code',
    instead: 'take it as an argument, or use Uint8Array: this layer knows no machine',
    isAllowedIn: inNodeFoldersOrTests,
  },
  {
    pattern: /\bconsole\./,
    within: 'code',
    instead: 'return text and let the program print it',
    isAllowedIn: inProgramsOrTests,
  },
  { pattern: /\benum\s+\w+\s*\{/, within: 'code', instead: 'use an object as const' },
  {
    pattern: /(?:[:<,|&(]|\bas|=>)\s*any\b(?!\s*[:(])/,
    within: 'code',
    instead: 'use unknown and narrow it',
  },
  { pattern: /\b(?:namespace|module)\s+\w+\s*\{/, within: 'code', instead: 'use a file' },
  { pattern: /\bexport\s+default\b/, within: 'code', instead: 'export by name' },
  {
    pattern: /\bconstructor\s*\((?:[^)]*,)?\s*(?:public|private|protected|readonly)\s+\w/,
    within: 'code',
    instead: 'declare the field and assign it',
  },
  {
    pattern: /\b(?:test|it|describe)\.only\b|\bonly:\s*true/,
    within: 'code',
    instead: 'let all tests run',
  },
  { pattern: /\bTODO\b|\bFIXME\b|\bXXX\b/, within: 'comments', instead: 'do it, or open an issue' },
  {
    pattern: /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/,
    within: 'comments',
    instead: 'mend what is complained about',
  },
]

function banBreaches({ path, masked }: ReadFile): Breach[] {
  return bans
    .filter(({ isAllowedIn }) => isAllowedIn?.(path) !== true)
    .flatMap(({ pattern, within, instead }) =>
      [...masked[within].matchAll(new RegExp(pattern, 'g'))].map((match) => {
        const line = lineAt(masked[within], match.index)
        return `${path}:${line}: '${match[0].trim()}' is not used here; ${instead}`
      }),
    )
}

/**
 * A line that is long because of a text for people, which would only be harder to find if it were
 * cut in two: without what is inside strings it is short.
 */
function isLongByText(codeLine: string): boolean {
  return codeLine.replace(/ {2,}/g, ' ').length <= COLUMN_COUNT_MAX / 2
}

function sizeBreaches({ path, text, masked }: ReadFile): Breach[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const codeLines = masked.code.split('\n')
  const breaches = lines.flatMap((line, index) =>
    [...line].length <= COLUMN_COUNT_MAX || isLongByText(codeLines[index]!)
      ? []
      : [`${path}:${index + 1}: ${[...line].length} columns; at most ${COLUMN_COUNT_MAX}`],
  )
  if (lines.length > LINE_COUNT_MAX) {
    breaches.push(`${path}:1: ${lines.length} lines; at most ${LINE_COUNT_MAX}: divide it`)
  }
  for (const { line, lineCount } of functionsOf(masked)) {
    if (lineCount <= FUNCTION_LINE_COUNT_MAX) continue
    const most = FUNCTION_LINE_COUNT_MAX
    breaches.push(`${path}:${line}: a function of ${lineCount} lines; at most ${most}: divide it`)
  }
  return breaches
}

function headerBreaches({ path, text }: ReadFile): Breach[] {
  if (text.startsWith('/**')) return []
  return [`${path}:1: begins without a comment that says what the file owns`]
}

/** A file of the program that nothing but its own test imports is dead, or belongs in `test/`. */
function orphanBreaches(files: readonly ReadFile[]): Breach[] {
  const imported = new Set(
    files
      .filter(({ path }) => path.startsWith('src/') && !isTestCode(path))
      .flatMap(({ imports }) => imports.map(({ target }) => target)),
  )
  return files
    .filter(({ path }) => path.startsWith('src/') && !isTestCode(path))
    .filter(({ path }) => !imported.has(path) && !entryPoints.includes(path))
    .map(({ path }) => `${path}:1: imported by no other file of the program`)
}

/** A file with HOT marks names the bench that guards them, at the mark or in its header. */
function hotBreaches(files: readonly ReadFile[]): Breach[] {
  const paths = new Set(files.map(({ path }) => path))
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, masked: { comments } }) => {
      const hotAt = comments.search(/\bHOT\b/)
      if (hotAt < 0) return []
      const place = `${path}:${lineAt(comments, hotAt)}:`
      const benches = [...comments.matchAll(/\bbench\/[\w/.-]+\.ts\b/g)].map(([bench]) => bench)
      if (benches.length === 0) return [`${place} HOT without the bench that guards it`]
      return [...new Set(benches)]
        .filter((bench) => !paths.has(bench))
        .map((bench) => `${place} there is no ${bench}`)
    })
}
