/** A chart's drawing and its data for the script are of the same values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linearScale } from './scale.ts'
import { chartJson, type TimeChart, timeChartMarkup } from './time-chart.ts'

function chartOf(values: readonly (number | null)[], kind: 'line' | 'area' = 'line'): TimeChart {
  const data = {
    edgesNs: Array.from({ length: values.length + 1 }, (_, second) => second * 1e9),
    series: [{ name: 'p50', tone: 'p50', kind, values }] as const,
  }
  return {
    id: 'test',
    title: 'Test',
    description: 'A test.',
    unit: 'ns',
    heightPx: 100,
    scale: linearScale(10e6),
    data,
    drawn: data,
    warmUpNs: 0,
  }
}

function pathsOf(chart: TimeChart): string[] {
  return [...timeChartMarkup(chart).text.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path!)
}

test('timeChartMarkup() draws steps that hold for their interval', () => {
  assert.deepEqual(pathsOf(chartOf([5e6, 5e6, 10e6, 0])), ['M0 50H500V0H750V100H1000'])
})

test('timeChartMarkup() leaves a gap where there is no value', () => {
  assert.deepEqual(pathsOf(chartOf([5e6, null, null, 10e6])), ['M0 50H250M750 0H1000'])
  assert.deepEqual(pathsOf(chartOf([null])), [''])
})

test('timeChartMarkup() fills an area down to the axis', () => {
  const [area] = pathsOf(chartOf([5e6, 10e6], 'area'))
  assert.equal(area, 'M0 50H500V0H1000V100H0Z')
})

test('timeChartMarkup() fills a fan between neighbouring series', () => {
  const chart = chartOf([2e6, 4e6])
  const { edgesNs, series } = chart.data
  const upper = { ...series[0]!, name: 'p90', values: [5e6, 10e6] }
  const drawn = { edgesNs, series: [...series, upper] }
  const [fan] = pathsOf({ ...chart, drawn, isFan: true })
  assert.equal(fan, 'M0 50H500V0H1000V60H500V80H0Z')
})

test('chartJson() has times in ms with the digits that can be seen, and keeps gaps', () => {
  const { edgesS, series } = chartJson(chartOf([1_234_567.8, null, 0]))
  assert.deepEqual(edgesS, [0, 1, 2, 3])
  assert.deepEqual(series[0]?.values, [1.235, null, 0])
})
