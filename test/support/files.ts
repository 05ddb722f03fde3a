/** Temporary folders and where the project's own files are. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Scope } from './scope.ts'

/** The project's root, seen from `dist/test/support`. */
export const projectRoot: string = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * A fresh empty folder that is gone when the scope ends; what a program that has just ended still
 * writes there, as a browser does, is waited for.
 */
export function tempFolder(scope: Scope): string {
  const path = mkdtempSync(join(tmpdir(), 'onager-test-'))
  scope.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 20 }))
  return path
}
