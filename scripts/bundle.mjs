// Joins the modules of the programs into few files, dist/programs: a start then opens twenty files
// instead of two hundred. What is loaded lazily in the source stays in files of its own. No module
// is in two files of a program, so that a class is the same wherever it is asked for; what shares
// nothing with its program, as threads and pages do, is one file with all it needs.
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { root } from './install.mjs'

const FOLDER = 'dist/programs'

/** What `bin/` and `require` ask for by name, as in tsc's output: see `bin/launch.js`. */
const programFiles = [
  'src/cli/run-main.ts',
  'src/cli/main.ts',
  'src/siege/main.ts',
  'src/siege/lay-siege.ts',
  'src/siege/companions/bombardment.ts',
  'src/siege/companions/siege-config.ts',
  'src/siege/companions/siege2csv.ts',
  'src/ab/main.ts',
  'src/run/library.ts',
  'src/fleet/slice.ts',
]

const loneFiles = [
  'src/fleet/thread-main.ts',
  // Of 24 files of libraries the two that a run needs.
  'src/fleet/html-library.ts',
  // Written into HTML reports.
  'src/report/html/browser/theme.ts',
  'src/report/html/browser/tables.ts',
  'src/report/html/browser/charts.ts',
]

/**
 * A module still finds what lies around it (`new URL('./x.js', import.meta.url)`) as if it stood
 * below dist/programs where it stands below src.
 */
const ownPlaces = {
  name: 'own places',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const text = readFileSync(path, 'utf8')
      const place = relative(join(root, 'src'), path).replace(/\.ts$/, '.js')
      const url = `import.meta.url.replace(/^(.*\\/${FOLDER.replace('/', '\\/')}\\/).*/, '$1${place}')`
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
    })
  },
}

const joinedLibraries = new Set(['htmlparser2'])

/** All other libraries stay where npm puts them. */
const otherLibraries = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
).filter((name) => !joinedLibraries.has(name))

const settings = {
  absWorkingDir: root,
  outbase: 'src',
  outdir: FOLDER,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['koffi', ...otherLibraries],
  // Names and lines stay readable: a stack trace in a report of a bug has to say something.
  minify: false,
  sourcemap: true,
  sourcesContent: false,
  plugins: [ownPlaces],
  logLevel: 'warning',
}

export async function bundle() {
  rmSync(join(root, FOLDER), { recursive: true, force: true })
  await build({
    ...settings,
    entryPoints: programFiles,
    chunkNames: 'parts/[name]-[hash]',
    splitting: true,
  })
  for (const file of loneFiles) await build({ ...settings, entryPoints: [file] })
}
