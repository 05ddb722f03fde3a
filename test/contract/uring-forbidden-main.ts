/** Runs the program named by its arguments where io_uring is forbidden. */
import { spawnSync } from 'node:child_process'
import { forbidUring } from './uring-filter.ts'

forbidUring()
const { status } = spawnSync(process.execPath, process.argv.slice(2), { stdio: 'inherit' })
process.exitCode = status ?? 1
