/**
 * Results as files: `run.onager.json`, described in docs/result-file.md.
 *
 * What is read back is exactly what was written. A file may be of any origin: whatever is wrong
 * with one is told in a sentence, and nothing of it is trusted. Opening files is others' business.
 */
import { ONAGER_VERSION } from '../base/version.ts'
import type { Packing } from '../metrics/hdr-v2.ts'
import { JsonNode, WrongJson } from './json-node.ts'
import { HistogramReader, histogramJson } from './result-file-histogram.ts'
import { readSnapshot, snapshotJson } from './result-file-snapshot.ts'
import type { LoadFacts, PlanFacts, RunResult, ThreadHealth, UsedUpFeeder } from './run-result.ts'
import type { WatchedSeries } from './watched.ts'

const FORMAT = 'onager-result'
/** Raised when a file no longer means what older readers take it for. */
export const FORMAT_VERSION = 1

export type ResultReading = { readonly result: RunResult } | { readonly problem: string }

/** JSON with a line for each part, so that its head can be read without the rest. */
export function encodeResult(result: RunResult, packing: Packing): string {
  const { watched, usedUpFeeders } = result
  const parts = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    onagerVersion: result.onagerVersion,
    startedAtMs: result.startedAtMs,
    elapsedNs: result.elapsedNs,
    endedBy: result.endedBy,
    plan: result.plan,
    threads: result.threads.map((thread) => ({
      ...thread,
      loopLag: histogramJson(thread.loopLag, packing),
    })),
    ...(watched === undefined ? {} : { watched: watched.map(watchedJson) }),
    ...(usedUpFeeders === undefined ? {} : { usedUpFeeders }),
    counts: snapshotJson(result.snapshot, packing),
  }
  const lines = Object.entries(parts).map(([name, part]) => `"${name}":${JSON.stringify(part)}`)
  return `{${lines.join(',\n')}}\n`
}

/** The result in the text of a file, or a sentence about what is wrong with the file. */
export function decodeResult(text: string, packing: Packing): ResultReading {
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() === '') return { problem: 'this file is empty' }
  if (!json.trimStart().startsWith('{')) return { problem: `this file is no ${WHAT}` }
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    return { problem: syntaxProblem(json, error) }
  }
  try {
    return readParts(new JsonNode(parsed), packing)
  } catch (error) {
    if (!(error instanceof WrongJson)) throw error
    return { problem: `this file is damaged, or was changed: ${error.message}` }
  }
}

const WHAT = 'result of a run, such as onager run --out FILE writes'

function syntaxProblem(json: string, error: unknown): string {
  if (isCutShort(json)) {
    return `this file is cut short after ${json.length} characters: use a whole copy, or run again`
  }
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  const line = json.slice(0, Number(position ?? 0)).split('\n').length
  const place = position === undefined ? '' : ` in line ${line}`
  return `this file is no ${WHAT}: its JSON is broken${place}`
}

/** Whether a bracket or text that was opened is never closed. */
function isCutShort(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < json.length; i++) {
    const character = json[i]
    if (isInText) {
      if (character === '\\') i++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
  }
  return isInText || depth > 0
}

function readParts(file: JsonNode, packing: Packing): ResultReading {
  const format = file.optional('format')
  const version = file.optional('formatVersion')
  if (format === null || version === null || format.text() !== FORMAT) {
    return { problem: `this file is JSON, but no ${WHAT}` }
  }
  const writer = readVersion(file.field('onagerVersion'))
  if (version.count() > FORMAT_VERSION) {
    const problem =
      `this file was written by onager ${writer} in a form that onager ${ONAGER_VERSION} ` +
      `does not know; use onager ${writer} or newer`
    return { problem }
  }
  const histograms = new HistogramReader(packing)
  const plan = readPlan(file.field('plan'))
  const counts = file.field('counts')
  const snapshot = readSnapshot(counts, histograms)
  checkLength(counts.field('names'), snapshot.names, plan.requestNames)
  checkLength(counts.field('checks'), snapshot.checks, plan.checks)
  const watched = file.optional('watched')
  const usedUpFeeders = file.optional('usedUpFeeders')
  const result: RunResult = {
    onagerVersion: writer,
    startedAtMs: readMoment(file.field('startedAtMs')),
    elapsedNs: file.field('elapsedNs').amount(),
    endedBy: file.field('endedBy').oneOf('count', 'time', 'failures', 'threshold', 'signal'),
    plan,
    snapshot,
    threads: file.field('threads').list((thread) => readThread(thread, histograms)),
    ...(watched === null ? {} : { watched: watched.list(readWatched) }),
    ...(usedUpFeeders === null ? {} : { usedUpFeeders: usedUpFeeders.list(readFeeder) }),
  }
  return { result }
}

function readFeeder(node: JsonNode): UsedUpFeeder {
  return { name: node.field('name').text(), rowCount: node.field('rowCount').count() }
}

/** It is shown, and may be of any origin. */
function readVersion(node: JsonNode): string {
  const version = node.text()
  if (/^[\w.+-]{1,40}$/.test(version)) return version
  throw new WrongJson(node.place, 'is no version')
}

/** A share that counted nothing has an empty list. */
function checkLength(
  node: JsonNode,
  counted: readonly unknown[],
  planned: readonly unknown[],
): void {
  if (counted.length === 0 || counted.length === planned.length) return
  throw new WrongJson(node.place, `has ${counted.length} entries, but the plan ${planned.length}`)
}

/** A moment that can be shown as a date. */
function readMoment(node: JsonNode): number {
  const atMs = node.number()
  if (Math.abs(atMs) <= 8.64e15) return atMs
  throw new WrongJson(node.place, `is ${atMs}, no moment`)
}

function readPlan(node: JsonNode): PlanFacts {
  const count = (name: string) => node.field(name).count()
  return {
    userCount: count('userCount'),
    iterationCount: node.field('iterationCount').orNull((each) => each.count()),
    durationNs: node.field('durationNs').orNull((each) => each.amount()),
    thinkTimeNsMax: node.field('thinkTimeNsMax').amount(),
    walk: node.field('walk').oneOf('in-order', 'random', 'once'),
    targetCount: count('targetCount'),
    originCount: count('originCount'),
    httpVersion: node.field('httpVersion').oneOf('1.0', '1.1'),
    keepAlive: node.field('keepAlive').yesOrNo(),
    timeoutNs: node.field('timeoutNs').amount(),
    failureCountMax: node.field('failureCountMax').orNull((each) => each.count()),
    threadCount: count('threadCount'),
    seed: node.field('seed').number(),
    load: readLoad(node.field('load')),
    requestNames: node.field('requestNames').list((name) => name.text()),
    checks: node.field('checks').list((check) => ({
      name: check.field('name').text(),
      nameIndex: check.field('nameIndex').count(),
    })),
    thresholds: node.field('thresholds').list((threshold) => threshold.text()),
    title: node.field('title').text(),
  }
}

function readLoad(node: JsonNode): LoadFacts {
  return {
    model: node.field('model').oneOf('closed', 'open'),
    stages: node.field('stages').list((stage) => ({
      durationNs: stage.field('durationNs').orNull((each) => each.amount()),
      from: stage.field('from').amount(),
      to: stage.field('to').amount(),
    })),
    arrivals: node.field('arrivals').orNull((each) => each.oneOf('even', 'poisson')),
    totalCount: node.field('totalCount').orNull((each) => each.count()),
    warmUpNs: node.field('warmUpNs').amount(),
    drainNs: node.field('drainNs').amount(),
    scenarios: node.field('scenarios').list((scenario) => ({
      name: scenario.field('name').text(),
      weight: scenario.field('weight').amount(),
    })),
  }
}

function readThread(node: JsonNode, histograms: HistogramReader): ThreadHealth {
  return {
    cpuUserNs: node.field('cpuUserNs').amount(),
    cpuSystemNs: node.field('cpuSystemNs').amount(),
    busyRatio: node.field('busyRatio').amount(),
    eventLoopUtilizationRatio: node.field('eventLoopUtilizationRatio').amount(),
    loopLag: histograms.read(node.field('loopLag'), 2),
    reactorName: node.field('reactorName').text(),
    reactorReason: node.field('reactorReason').orNull((each) => each.text()),
  }
}

function watchedJson({ points, ...series }: WatchedSeries): object {
  return { ...series, points: points.map(({ atNs, value }) => [atNs, value]) }
}

function readWatched(node: JsonNode): WatchedSeries {
  return {
    label: node.field('label').text(),
    source: node.field('source').text(),
    sampleCount: node.field('sampleCount').count(),
    failureCount: node.field('failureCount').count(),
    failureExample: node.field('failureExample').text(),
    min: node.field('min').number(),
    mean: node.field('mean').number(),
    max: node.field('max').number(),
    last: node.field('last').number(),
    samplesPerPoint: node.field('samplesPerPoint').count(),
    points: node.field('points').list((point) => {
      const [atNs, value] = point.list((each) => each.number())
      if (atNs !== undefined && value !== undefined) return { atNs, value }
      throw new WrongJson(point.place, 'is no pair of a time and a value')
    }),
  }
}
