/**
 * The HTML report as a file: what the page is made of is read here, when a report is wanted and not
 * before, and a place that cannot be written to is found before a run begins.
 */
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import { type HtmlAssets, type HtmlOptions, renderHtml } from '../report/html/render-html.ts'
import { machineZone } from '../report/local-time.ts'
import type { RunResult } from '../result/run-result.ts'

const ofThisMachine: HtmlOptions = { zone: machineZone }

/** A named pipe without a reader must answer with an error, not wait for one. */
const OPEN_FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

/** A report on its way to a file that can be written to. */
export interface HtmlFile {
  /** Null, or in a sentence what went wrong. */
  write(result: RunResult): string | null
}

/**
 * Tries the file and loads what the page is made of. A file that is made by that stays until it is
 * written.
 * @throws {UsageError} when it cannot be written to.
 */
export function openHtmlFile(path: string): HtmlFile {
  if (path === '-') {
    throw new UsageError('--html -: standard output carries the report; give the name of a file')
  }
  try {
    closeSync(openSync(path, OPEN_FLAGS))
  } catch (error) {
    throw new UsageError(`--html ${path}: cannot be written to: ${systemReason(error)}`)
  }
  const assets = loadHtmlAssets()
  return {
    write(result) {
      const text = renderHtml(result, assets, ofThisMachine)
      try {
        writeFileSync(path, text)
        return null
      } catch (error) {
        return `the HTML report ${path} could not be written: ${systemReason(error)}`
      }
    },
  }
}

/** The report as text, unless asked otherwise in this machine's time zone. */
export function htmlReport(result: RunResult, options: HtmlOptions = ofThisMachine): string {
  return renderHtml(result, loadHtmlAssets(), options)
}

export function loadHtmlAssets(): HtmlAssets {
  const require = createRequire(import.meta.url)
  const { createHash } = process.getBuiltinModule('node:crypto')
  const library = (name: string) => readFileSync(require.resolve(`uplot/dist/${name}`), 'utf8')
  return {
    chartLibrary: library('uPlot.iife.min.js'),
    chartStyle: library('uPlot.min.css'),
    pageScripts: [
      new URL('../report/html/browser/theme.js', import.meta.url),
      new URL('../report/html/browser/tables.js', import.meta.url),
      new URL('../report/html/browser/charts.js', import.meta.url),
    ].map(pageScript),
    hash: (text) => createHash('sha256').update(text).digest('base64'),
  }
}

/** Without the address of a map that the page would not be allowed to load. */
function pageScript(url: URL): string {
  return readFileSync(url, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}
