/** Numbers of the live view: short, of a steady width, and never without a unit. */
import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../../base/units.ts'

/** Three digits that say something: `812 µs`, `2.11 ms`, `12.4 ms`, `1.04 s`. */
export function durationText(ns: number, micro: string): string {
  if (ns < 999.5 * NS_PER_US) return `${Math.round(ns / NS_PER_US)} ${micro}s`
  if (ns < 999.5 * NS_PER_MS) return `${threeDigits(ns / NS_PER_MS)} ms`
  return `${threeDigits(ns / NS_PER_S)} s`
}

/** `641/s`; with decimals where it is small. */
export function rateText(perSecond: number): string {
  return `${threeDigits(perSecond)}/s`
}

/** `641 requests/s`. */
export function unitRateText(perSecond: number, unit: 'requests' | 'arrivals'): string {
  return `${threeDigits(perSecond)} ${unit}/s`
}

export function bytesPerSecondText(bytesPerSecond: number): string {
  for (const [unit, size] of byteUnits) {
    if (bytesPerSecond >= size) return `${threeDigits(bytesPerSecond / size)} ${unit}/s`
  }
  return `${Math.round(bytesPerSecond)} B/s`
}

const byteUnits: readonly (readonly [string, number])[] = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
]

/** `0:52`, `12:05`, `1:00:00`: whole seconds that are over. */
export function clockText(ns: number): string {
  const seconds = Math.floor(Math.max(ns, 0) / NS_PER_S)
  const minutes = Math.floor(seconds / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** Of so many percent: `0.04 %`, `12.3 %`; what is not nothing never reads as nothing. */
export function percentText(ratio: number): string {
  const percent = ratio * 100
  if (percent > 0 && percent < 0.01) return '<0.01 %'
  if (percent > 99.9 && percent < 100) return '>99.9 %'
  return `${threeDigits(percent)} %`
}

/** Two decimals below 10, one below 100, none above. */
function threeDigits(value: number): string {
  if (value === 0) return '0'
  if (value < 9.995) return value.toFixed(2)
  if (value < 99.95) return value.toFixed(1)
  return String(Math.round(value))
}
