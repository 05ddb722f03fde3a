// Joins the modules of the programs into few files, dist/programs: a start then opens ten files
// instead of two hundred. What is loaded lazily in the source stays in files of its own, and no
// module is in two files, so that a class is the same wherever it is asked for.
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { root } from './install.mjs'

const FOLDER = 'dist/programs'

/** What `bin/`, threads and `require` ask for by name, as in tsc's output: see `bin/launch.js`. */
const entryPoints = [
  'src/cli/run-main.ts',
  'src/cli/main.ts',
  'src/siege/main.ts',
  'src/siege/lay-siege.ts',
  'src/siege/companions/bombardment.ts',
  'src/siege/companions/siege-config.ts',
  'src/siege/companions/siege2csv.ts',
  'src/ab/main.ts',
  'src/fleet/thread-main.ts',
  'src/run/library.ts',
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
      const text = readFileSync(path, 'utf8')
      const place = relative(join(root, 'src'), path).replace(/\.ts$/, '.js')
      const url = `import.meta.url.replace(/^(.*\\/${FOLDER.replace('/', '\\/')}\\/).*/, '$1${place}')`
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
    })
  },
}

export async function bundle() {
  rmSync(join(root, FOLDER), { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints,
    outbase: 'src',
    outdir: FOLDER,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    // Names and lines stay readable: a stack trace in a report of a bug has to say something.
    minify: false,
    sourcemap: true,
    sourcesContent: false,
    plugins: [ownPlaces],
    logLevel: 'warning',
  })
}
