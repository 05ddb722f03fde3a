/**
 * Watches one thread of the generator: how busy it was and how late its event loop ran.
 *
 * Both decide whether the figures of a run are the target's or our own.
 */
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { NS_PER_MS, NS_PER_US } from '../base/units.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'

/** USER_HZ of Linux on every architecture Node runs on. */
const NS_PER_TICK = 1e7
/** Both event loops wait in whole milliseconds; being less than one late is being in time. */
const TIMELY_NS = NS_PER_MS

export interface ThreadReading {
  readonly cpuUserNs: number
  readonly cpuSystemNs: number
  /** Share of the time in which the event loop was not waiting. */
  readonly eventLoopUtilizationRatio: number
  /** How late a periodic timer was called, ns. */
  readonly loopLag: HistogramSnapshot
}

export class ThreadMeter {
  readonly #lag: Histogram = new Histogram(2)
  readonly #cpuAtStart: { userNs: number; systemNs: number } = threadCpu()
  readonly #loopAtStart = performance.eventLoopUtilization()

  /** A periodic timer was called, this late. */
  ticked(lateNs: number): void {
    this.#lag.record(Math.max(0, Math.round(lateNs - TIMELY_NS)))
  }

  /** `loopBusyRatio`: of a reactor with a loop of its own; undefined for Node's. */
  read(loopBusyRatio: number | undefined): ThreadReading {
    const cpu = threadCpu()
    return {
      cpuUserNs: cpu.userNs - this.#cpuAtStart.userNs,
      cpuSystemNs: cpu.systemNs - this.#cpuAtStart.systemNs,
      eventLoopUtilizationRatio:
        loopBusyRatio ?? performance.eventLoopUtilization(this.#loopAtStart).utilization,
      loopLag: this.#lag.snapshot(),
    }
  }
}

/** CPU time of this thread; of the whole process where the system does not tell threads apart. */
function threadCpu(): { userNs: number; systemNs: number } {
  const ofThread = isMainThread ? undefined : linuxThreadCpu()
  if (ofThread !== undefined) return ofThread
  const { user, system } = process.cpuUsage()
  return { userNs: user * NS_PER_US, systemNs: system * NS_PER_US }
}

/** proc(5), `/proc/[pid]/stat`: fields 14 and 15, counted behind the name in parentheses. */
function linuxThreadCpu(): { userNs: number; systemNs: number } | undefined {
  try {
    const text = fs.readFileSync('/proc/thread-self/stat', 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { userNs: Number(fields[11]) * NS_PER_TICK, systemNs: Number(fields[12]) * NS_PER_TICK }
  } catch {
    // Not Linux: the caller falls back to the process.
    return undefined
  }
}
