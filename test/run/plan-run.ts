/** Plans in files of a folder of their own, read as `onager run` reads them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problemText, UsageError } from '../../src/base/errors.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { type LoadedPlan, loadPlan, type RunWishes } from '../../src/run/load-plan.ts'

export class PlanFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'onager-plans-'))

  write(name: string, text: string | Uint8Array): void {
    writeFileSync(join(this.path, name), text)
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }

  load(...argv: string[]): Promise<LoadedPlan> {
    return loadPlan(argv, { folder: this.path, environment: () => undefined, randomSeed: 7 })
  }

  async run(...argv: string[]): Promise<{ readonly plan: Plan; readonly wishes: RunWishes }> {
    const loaded = await this.load(...argv)
    assert.ok(loaded.kind === 'run')
    return loaded
  }

  async text(...argv: string[]): Promise<string> {
    const loaded = await this.load(...argv)
    assert.ok(loaded.kind === 'text')
    return loaded.text
  }

  /** What is told to be wrong, line by line; fails when nothing is. */
  async problems(...argv: string[]): Promise<string[]> {
    try {
      await this.load(...argv)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return error.problems.map(problemText)
    }
    return assert.fail(`nothing is wrong with ${argv.join(' ')}`)
  }

  /** The same of a plan in YAML. */
  problemsOf(yaml: string | Uint8Array): Promise<string[]> {
    this.write('plan.yaml', yaml)
    return this.problems('plan.yaml')
  }
}
