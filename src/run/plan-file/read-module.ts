/**
 * Reads a plan that is a JavaScript or TypeScript module: what it exports by default, or as `plan`.
 *
 * The module may do as it likes while it is loaded. What it gives must be plain data, since it is
 * printed, sent to threads and kept with results.
 */
import nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../base/errors.ts'
import { type PlacedPlan, type PlanPath, pathText, unplacedPlan } from './placed-plan.ts'

const VALUE_COUNT_MAX = 100_000
const DEPTH_MAX = 64

/** `name` is for messages. @throws {UsageError} when it cannot be loaded or gives no plain data. */
export async function readModule(name: string, file: string): Promise<PlacedPlan> {
  const isTyped = /\.[cm]?ts$/i.test(file)
  if (isTyped && !('typescript' in process.features && process.features.typescript)) {
    const text = `Node.js ${process.version} does not run TypeScript; use Node.js 22.18 or later, or write the plan as .mjs`
    throw new UsageError([{ text, file: name }])
  }
  const exported = await loaded(name, file)
  const value = Object.hasOwn(exported, 'default') ? exported.default : exported.plan
  if (value === undefined) {
    const text = 'there is no plan in this file; write: export default definePlan({ ... })'
    throw new UsageError([{ text, file: name }])
  }
  return unplacedPlan(name, new PlainCopy(name).of(value, []))
}

async function loaded(name: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    lendOnager()
    return await settled(import(pathToFileURL(file).href))
  } catch (error) {
    // Whatever a person's own code throws is theirs to see, in one line.
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const problem = { text: `the plan cannot be loaded: ${text}`, file: name }
    throw new UsageError([{ ...problem, ...placeOf(error, file) }])
  }
}

/** Node ends without a word when nothing is left that could settle what is waited for. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isOver: (() => void) | undefined
  const never = new Promise<never>((_, reject) => {
    isOver = () => reject(new Error('it waits for something that never comes'))
    process.once('beforeExit', isOver)
  })
  try {
    return await Promise.race([promise, never])
  } finally {
    process.off('beforeExit', isOver!)
  }
}

/** Where in the module an error was made; nothing where its stack does not say. */
function placeOf(
  error: unknown,
  file: string,
): { readonly line?: number; readonly column?: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const url = pathToFileURL(file).href
  const at = stack.indexOf(`${url}:`)
  const [, line, column] = /^:(\d+):(\d+)/.exec(at === -1 ? '' : stack.slice(at + url.length)) ?? []
  return line === undefined ? {} : { line: Number(line), column: Number(column) }
}

/**
 * A plan may lie anywhere and import from 'onager' all the same: where its own folder has no such
 * package, it gets the one that reads it.
 */
function lendOnager(): void {
  const url = import.meta.resolve('onager')
  // The types are those of Node.js 20, which has only the hooks that run in a thread of their own.
  const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: ResolveHook) => void }
  if (registerHooks === undefined) {
    nodeModule.register(`data:text/javascript,${encodeURIComponent(hookSource)}`, { data: url })
    return
  }
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'onager') return next(specifier, context)
      try {
        return next(specifier, context)
      } catch {
        return { url, shortCircuit: true }
      }
    },
  })
}

interface Resolved {
  readonly url: string
  readonly shortCircuit?: boolean
}

interface ResolveHook {
  resolve(
    specifier: string,
    context: object,
    next: (specifier: string, context: object) => Resolved,
  ): Resolved
}

const hookSource = `
let url
export function initialize(data) { url = data }
export async function resolve(specifier, context, next) {
  if (specifier !== 'onager') return next(specifier, context)
  return next(specifier, context).catch(() => ({ url, shortCircuit: true }))
}`

/** Copies plain data and refuses all else. */
class PlainCopy {
  readonly #file: string
  readonly #above = new Set<object>()
  #valueCount = 0

  constructor(file: string) {
    this.#file = file
  }

  of(value: unknown, at: PlanPath): unknown {
    if (++this.#valueCount > VALUE_COUNT_MAX) {
      this.#refuse(at, `the plan has more than ${VALUE_COUNT_MAX} values; use a feeder`)
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value !== 'object')
      this.#refuse(at, `this is ${kindOf(value)}, which is no plain data`)
    if (this.#above.has(value)) this.#refuse(at, 'this is a part of itself')
    if (this.#above.size >= DEPTH_MAX)
      this.#refuse(at, `this is nested more than ${DEPTH_MAX} deep`)
    this.#above.add(value)
    const copy = Array.isArray(value)
      ? value.map((entry, index) => this.of(entry, [...at, index]))
      : this.#object(value, at)
    this.#above.delete(value)
    return copy
  }

  #object(value: object, at: PlanPath): object {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      this.#refuse(at, `this is ${kindOf(value)}, which is no plain data`)
    }
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
    return Object.fromEntries(entries.map(([name, entry]) => [name, this.of(entry, [...at, name])]))
  }

  #refuse(at: PlanPath, text: string): never {
    const where = at.length === 0 ? '' : `${pathText(at)}: `
    throw new UsageError([{ text: where + text, file: this.#file }])
  }
}

function kindOf(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return `a ${value.constructor.name}`
  return typeof value === 'number' ? String(value) : `a ${typeof value}`
}
