// Starts a compiled program, or says in one sentence what is missing.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const compiled = new URL('../dist/src/', import.meta.url)

/** Runs the function `main` of a module below dist/src and sets the exit status. */
export async function launch(program, modulePath) {
  if (!existsSync(new URL(modulePath, compiled))) {
    const root = fileURLToPath(new URL('..', import.meta.url))
    process.stderr.write(`${program} is not built yet: run "npm run build" in ${root}\n`)
    process.exitCode = 3
    return
  }
  const { runMain } = await load('cli/run-main.js')
  const { main } = await load(modulePath)
  await runMain(program, main)
}

/**
 * Loads one file after the other. `import` has all of them open at once, which ends in a stack
 * trace where few descriptors are allowed, and is slower. Node 22.0 to 22.11 know nothing else.
 */
async function load(modulePath) {
  const url = new URL(modulePath, compiled)
  try {
    return require(fileURLToPath(url))
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error
    return await import(url)
  }
}
