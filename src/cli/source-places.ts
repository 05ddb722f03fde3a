/**
 * Stack traces of the joined modules with the lines of the source: looked up when there is a trace
 * to show, because Node's own way would read every map at every start.
 */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in a joined module: its URL, line and column, both from 1. */
const PLACE = /(file:\/\/[^\s()]*\/dist\/programs\/[^\s():]+\.js):(\d+):(\d+)/g
const ROOT = /^(.*\/)dist\/programs\//

/** The trace, with places in the source (from the project's folder) wherever they are known. */
export function withSourcePlaces(stack: string): string {
  const maps = new Map<string, SourceMap | null>()
  return stack.replaceAll(PLACE, (place, url: string, line: string, column: string) => {
    const map = maps.get(url) ?? mapOf(url)
    maps.set(url, map)
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    const source = fileURLToPath(new URL(entry.originalSource, url))
    const root = ROOT.exec(fileURLToPath(url))?.[1] ?? ''
    return `${relative(root, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function mapOf(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')))
  } catch {
    // A trace with places in the joined modules is better than none.
    return null
  }
}
