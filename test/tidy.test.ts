/**
 * Reads the project's source as text and holds it to the rules: layers, bans, sizes, headers,
 * dead files, benches, links. Broken samples come first: a rule that catches nothing is none.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from './support/files.ts'
import { functionsOf, importsOf, mask, type SourceFile } from './support/source-text.ts'
import { type Breach, breachesOf } from './support/tidy-rules.ts'

const HEADER = '/** A sample. */\n'

test('mask() tells code, strings and comments apart, at their own positions', () => {
  const text = [
    'const a = "x // no" // yes',
    "const b = 'it\\'s /* no */' /* yes",
    'yes */ const c = `no ${d /* yes */ + `no ${e}` + {f: 1}.f} no`',
    'const g = /[/"]no/ / 2 // yes',
  ].join('\n')
  const { code, comments, codeAndStrings } = mask(text)
  for (const part of [code, comments, codeAndStrings]) assert.equal(part.length, text.length)
  assert.doesNotMatch(code, /no|yes/)
  assert.deepEqual(comments.match(/yes/g)?.length, 5)
  assert.doesNotMatch(comments, /no/)
  assert.doesNotMatch(codeAndStrings, /yes/)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    assert.match(code, new RegExp(`\\b${name}\\b`))
})

test('importsOf() finds every form of import, and none in strings or comments', () => {
  const text = `import './bare.ts'
import type { A } from './type.ts'
import {
  b,
} from "./lines.ts"
export { c } from './again.ts'
const d = await import('./lazy.ts')
new Worker(new URL('./thread.js', import.meta.url))
// import './comment.ts'
const e = "import './string.ts'"
`
  assert.deepEqual(
    importsOf(mask(text))
      .map(({ specifier, line }) => `${line} ${specifier}`)
      .sort(),
    ['1 ./bare.ts', '2 ./type.ts', '5 ./lines.ts', '6 ./again.ts', '7 ./lazy.ts', '8 ./thread.js'],
  )
})

test('functionsOf() counts the lines of functions, methods and arrows, not of blocks', () => {
  const text = `function a(b: { c: string }): Promise<void> {
  if (b.c === '{') {
    return
  }
}
class D {
  e() {
  }
}
const f = async () => {

}
for (const g of h()) {
}
`
  assert.deepEqual(
    functionsOf(mask(text)).map(({ line, lineCount }) => [line, lineCount]),
    [
      [1, 5],
      [7, 2],
      [10, 3],
    ],
  )
})

test('breachesOf() catches what reaches upwards or sideways through the layers', () => {
  assertBreach('src/wire/a.ts', "import '../engine/b.ts'", /wire \(rank 1\).*engine \(rank 3\)/)
  assertBreach('src/wire/a.ts', "import type { B } from '../metrics/b.ts'", /of metrics \(rank 1\)/)
  assertBreach('src/engine/a.ts', "import '../wire/_b.ts'", /private to wire/)
  assertBreach('src/nowhere/a.ts', '', /'nowhere' is no layer/)
  assertBreach('src/siege/a.ts', "import '../cli/main.ts'", /siege \(rank 5\).*cli \(rank 6\)/)
  assertClean('src/cli/main.ts', "import '../siege/main.ts'\nimport '../base/b.ts'")
})

test('breachesOf() catches packages and parts of Node where they do not belong', () => {
  assertBreach('src/wire/a.ts', "import { x } from 'node:fs'", /'node:fs' belongs in/)
  assertBreach('src/engine/a.ts', "await import('node:net')", /'node:net' belongs in/)
  assertClean('src/engine/net/a.ts', "import 'node:net'")
  assertClean('src/wire/a.test.ts', "import 'node:fs'\nimport 'known'")
  assertClean('test/support/property.ts', "import fc from 'fast-check'")
  assertBreach('src/wire/a.test.ts', "import fc from 'fast-check'", /property.ts, which gives it/)
  assertBreach('src/siege/a.ts', "import 'fast-check'", /'fast-check' is not in package.json/)
  assertBreach('test/a.ts', "import '@scope/unknown/part'", /'@scope\/unknown' is not in/)
  assertBreach('src/siege/a.ts', "import '../../test/support/b.ts'", /which is for tests/)
})

test('breachesOf() catches each banned word and names what to use instead', () => {
  assertBreach('src/engine/a.ts', 'Date.now()', /:2: 'Date.now' .*; take the clock/)
  assertBreach('src/engine/a.ts', 'new Date()', /clock/)
  assertBreach('src/siege/a.ts', 'Math.random()', /seededRandom/)
  assertBreach('src/engine/a.ts', 'setTimeout(f, 1)', /alarm/)
  assertClean('src/engine/net/a.ts', 'setTimeout(f, 1)')
  assertBreach('src/plan/a.ts', 'Buffer.from([])', /Uint8Array/)
  assertBreach('src/report/a.ts', 'console.log(1)', /let the program print/)
  assertBreach('src/siege/a.ts', 'export enum A { b }', /as const/)
  assertBreach('src/siege/a.ts', 'const a: any = 1', /unknown/)
  assertBreach('src/siege/a.ts', 'const a = b as any', /unknown/)
  assertBreach('src/siege/a.ts', 'function f(a: Map<string, any>) {}', /unknown/)
  assertBreach('src/siege/a.ts', 'namespace A { }', /use a file/)
  assertBreach('src/siege/a.ts', 'export default 1', /by name/)
  assertBreach('src/siege/a.ts', 'class A { constructor(private a: B) {} }', /declare the field/)
  assertBreach('src/siege/a.ts', 'class A { constructor(a: B, readonly b: C) {} }', /declare/)
  assertClean('src/siege/a.ts', 'class A { constructor(a: readonly B[]) {} }')
  assertBreach('src/siege/a.ts', 'a() // TODO later', /issue/)
  assertBreach('src/siege/a.ts', '/* FIXME */', /issue/)
  assertBreach('src/siege/a.ts', '// @ts-ignore', /mend/)
  assertBreach('test/a.test.ts', "test.only('x', f)", /all tests/)
  assertClean('src/siege/a.ts', "const text = 'any enum A { TODO Math.random console.log'")
  assertClean('src/siege/a.ts', '// Any of them: any, Date.now or console.log')
})

test('breachesOf() catches what is too long, and files without a header', () => {
  assertBreach('src/siege/a.ts', `const ${'x'.repeat(91)} = 1`, /:2: 101 columns/)
  assertClean('src/siege/a.ts', `const ${'x'.repeat(90)} = 1`)
  assertClean('src/siege/a.ts', `const text = '${'x'.repeat(200)}'`)
  assertBreach('src/siege/a.ts', 'a()\n'.repeat(599), /601 lines/)
  assertBreach('src/siege/a.ts', `function a() {\n${'b()\n'.repeat(69)}}`, /:2: a function of 71/)
  assertClean('src/siege/a.ts', `function a() {\n${'b()\n'.repeat(68)}}`)
  const [breach] = breachesIn([{ path: 'test/a.ts', text: 'const a = 1\n' }])
  assert.match(breach ?? '', /begins without a comment/)
})

test('breachesOf() catches files that only tests import', () => {
  const lonely = { path: 'src/wire/lonely.ts', text: HEADER }
  const itsTest = { path: 'src/wire/lonely.test.ts', text: `${HEADER}import './lonely.ts'` }
  assert.deepEqual(breachesIn([lonely, itsTest]), [
    'src/wire/lonely.ts:1: imported by no other file of the program',
  ])
  const user = { path: 'src/siege/main.ts', text: `${HEADER}import '../wire/lonely.ts'` }
  assert.deepEqual(breachesIn([lonely, itsTest, user]), [])
})

test('breachesOf() catches HOT marks without a bench, or with one that is not there', () => {
  const main = 'src/siege/main.ts'
  const bench = { path: 'bench/micro/a.bench.ts', text: HEADER }
  const marked = (comment: string) => [{ path: main, text: `${HEADER}${comment}\nf()` }, bench]
  assert.match(breachesIn(marked('/** HOT. */'))[0] ?? '', /:2: HOT without the bench/)
  const missing = breachesIn(marked('/** HOT (bench/micro/b.bench.ts). */'))
  assert.match(missing[0] ?? '', /there is no bench\/micro\/b\.bench\.ts/)
  assert.deepEqual(breachesIn(marked('/** HOT (bench/micro/a.bench.ts). */')), [])
  const header = '/** A sample. HOT marks: bench/micro/a.bench.ts. */\n// HOT\n'
  assert.deepEqual(breachesIn([{ path: main, text: header }, bench]), [])
})

test('the source keeps all rules', () => {
  const files = ['src', 'test', 'bench'].flatMap(sourceFiles)
  assert.ok(files.length > 50, `only ${files.length} files were found`)
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = packageJson()
  const packages = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
  const breaches = breachesOf({ files, packages, devPackages: Object.keys(devDependencies) })
  assert.ok(breaches.length === 0, `\n${breaches.join('\n')}`)
})

test('links between documents lead somewhere, and every document is linked to', () => {
  const documents = [...markdownFiles('.'), ...markdownFiles('docs')]
  const linked = new Set<string>()
  for (const path of documents) {
    const text = readFileSync(join(projectRoot, path), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
      const resolved = join(dirname(path), target)
      assert.ok(existsSync(join(projectRoot, resolved)), `${path} links to ${target}, not there`)
      if (resolved !== path) linked.add(resolved)
    }
  }
  const lonely = documents.filter((path) => path !== 'README.md' && !linked.has(path))
  assert.deepEqual(lonely, [], 'documents that no other links to')
})

test('the change log begins with the version of the package, or with what is not released', () => {
  const text = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8')
  const heading = /^## (.+)$/m.exec(text)?.[1] ?? ''
  assert.ok(heading === 'Unreleased' || heading.startsWith(packageJson().version), heading)
})

test('every dependency has its line in docs/dependencies.md', () => {
  const text = readFileSync(join(projectRoot, 'docs', 'dependencies.md'), 'utf8')
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = packageJson()
  const used = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  const described = [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
  assert.deepEqual(described.sort(), used.sort())
})

test('the lock file names no place to download from', () => {
  assert.doesNotMatch(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'), /"resolved"/)
})

function breachesIn(files: readonly SourceFile[]): Breach[] {
  return breachesOf({ files, packages: [], devPackages: ['fast-check', 'known'] })
}

/** The sample as the only file, with the complaint about dead files left out. */
function sampleBreaches(path: string, body: string): Breach[] {
  const breaches = breachesIn([{ path, text: `${HEADER}${body}\n` }])
  return breaches.filter((breach) => !breach.includes('imported by no other'))
}

function assertBreach(path: string, body: string, expected: RegExp): void {
  const breaches = sampleBreaches(path, body)
  assert.equal(breaches.length, 1, `${body.slice(0, 80)}\n${breaches.join('\n')}`)
  assert.match(breaches[0] ?? '', expected)
}

function assertClean(path: string, body: string): void {
  assert.deepEqual(sampleBreaches(path, body), [])
}

function sourceFiles(folder: string): SourceFile[] {
  const absolute = join(projectRoot, folder)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => ({
      path: relative(projectRoot, join(absolute, name)),
      text: readFileSync(join(absolute, name), 'utf8'),
    }))
}

function markdownFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

interface PackageJson {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function packageJson(): PackageJson {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
}
