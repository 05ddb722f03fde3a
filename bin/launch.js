// Starts a compiled program, or says in one sentence what is missing.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const compiled = new URL('../dist/src/', import.meta.url)

/** Runs the function `main` of a module below dist/src and sets the exit status. */
export async function launch(program, modulePath) {
  if (!existsSync(new URL(modulePath, compiled))) {
    const root = fileURLToPath(new URL('..', import.meta.url))
    process.stderr.write(`${program} is not built yet: run "npm run build" in ${root}\n`)
    process.exitCode = 3
    return
  }
  const { runMain } = await import(new URL('cli/run-main.js', compiled))
  const { main } = await import(new URL(modulePath, compiled))
  await runMain(program, main)
}
