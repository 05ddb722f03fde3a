// Starts a compiled program, or says in one sentence what is missing.
import { statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
/** The modules joined, as they are shipped, and each for itself, as tsc compiles them. */
const joined = new URL('../dist/programs/', import.meta.url)
const compiled = new URL('../dist/src/', import.meta.url)

// Node 22 and newer keep what they have compiled in the folder for temporary files.
module.enableCompileCache?.()

/** Runs the function `main` of a module below src and sets the exit status. */
export async function launch(program, modulePath) {
  const folder = newestFolder()
  if (folder === null) {
    const root = fileURLToPath(new URL('..', import.meta.url))
    process.stderr.write(`${program} is not built yet: run "npm run build" in ${root}\n`)
    process.exitCode = 3
    return
  }
  const { runMain } = load(new URL('cli/run-main.js', folder))
  const { main } = load(new URL(modulePath, folder))
  await runMain(program, main)
}

/** Whoever runs tsc alone after a build gets what was just compiled. */
function newestFolder() {
  const joinedMs = builtMs(joined)
  const compiledMs = builtMs(compiled)
  if (joinedMs === -1 && compiledMs === -1) return null
  return joinedMs >= compiledMs ? joined : compiled
}

function builtMs(folder) {
  const file = new URL('cli/run-main.js', folder)
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1
}

/**
 * Loads one file after the other. `import` has all of them open at once, which ends in a stack
 * trace where few descriptors are allowed, and is slower.
 */
function load(url) {
  return require(fileURLToPath(url))
}
