// npm run bench: builds and measures whole programs against each other, see bench/macro.
import { join } from 'node:path'
import { build } from './build.mjs'
import { root, runOrExit } from './install.mjs'

await build({ onlyIfStale: false })
runOrExit(process.execPath, [
  join(root, 'dist', 'bench', 'macro', 'main.js'),
  ...process.argv.slice(2),
])
