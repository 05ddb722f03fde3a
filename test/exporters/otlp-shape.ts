/**
 * Holds the JSON of an OTLP push to the protocol: every field known, of the right type and form,
 * and in agreement with the others. Written from the protocol's definition, not from our encoder.
 */
import assert from 'node:assert/strict'

type Check = (value: unknown, at: string) => void

const NS_PER_DAY = 86_400n * 1_000_000_000n

/** fixed64 and int64: decimal digits in a text. */
const uint64: Check = (value, at) => {
  assert.ok(typeof value === 'string' && /^\d+$/.test(value), `${at}: ${String(value)}`)
  assert.ok(BigInt(value) < 2n ** 64n, at)
}

const double: Check = (value, at) => {
  assert.ok(typeof value === 'number' && Number.isFinite(value), `${at}: ${String(value)}`)
}

const text: Check = (value, at) => {
  assert.ok(typeof value === 'string' && !/\p{Surrogate}/u.test(value), `${at}: ${String(value)}`)
}

const isTrue: Check = (value, at) => assert.equal(value, true, at)

/** AGGREGATION_TEMPORALITY_CUMULATIVE, as a number. */
const cumulative: Check = (value, at) => assert.equal(value, 2, at)

/** Near the clock of this machine. */
const time: Check = (value, at) => {
  uint64(value, at)
  const distance = BigInt(String(value)) - BigInt(Date.now()) * 1_000_000n
  assert.ok(distance < NS_PER_DAY && distance > -NS_PER_DAY, `${at}: ${String(value)}`)
}

function listOf(check: Check): Check {
  return (value, at) => {
    assert.ok(Array.isArray(value), at)
    value.forEach((item, index) => {
      check(item, `${at}[${index}]`)
    })
  }
}

/** Fields with `?` may be missing; no others may be there. */
function message(fields: Readonly<Record<string, Check>>, whole?: (value: never) => void): Check {
  return (value, at) => {
    assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), at)
    const given: Readonly<Record<string, unknown>> = { ...value }
    const known = Object.keys(fields).map((name) => name.replace('?', ''))
    for (const name of Object.keys(given)) assert.ok(known.includes(name), `${at}.${name}`)
    for (const [name, check] of Object.entries(fields)) {
      const plain = name.replace('?', '')
      if (plain in given) check(given[plain], `${at}.${plain}`)
      else assert.notEqual(plain, name, `${at}.${plain} is missing`)
    }
    // Checked field by field just now.
    whole?.(value as never)
  }
}

const attributes: Check = (value, at) => {
  listOf(message({ key: text, value: message({ stringValue: text }) }))(value, at)
  // Checked just now.
  const keys = (value as readonly { key: string }[]).map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length, `${at}: ${keys}`)
}

const numberPoint = message(
  {
    attributes,
    startTimeUnixNano: time,
    timeUnixNano: time,
    'asInt?': uint64,
    'asDouble?': double,
  },
  (point: Readonly<Record<string, string>>) => {
    assert.notEqual('asInt' in point, 'asDouble' in point)
    assert.ok(BigInt(point.startTimeUnixNano!) <= BigInt(point.timeUnixNano!))
  },
)

const histogramPoint = message(
  {
    attributes,
    startTimeUnixNano: time,
    timeUnixNano: time,
    count: uint64,
    sum: double,
    bucketCounts: listOf(uint64),
    explicitBounds: listOf(double),
    'min?': double,
    'max?': double,
  },
  (point: HistogramPoint) => {
    const { bucketCounts, explicitBounds, count } = point
    assert.equal(bucketCounts.length, explicitBounds.length + 1)
    const sum = bucketCounts.reduce((total, bucket) => total + BigInt(bucket), 0n)
    assert.equal(sum, BigInt(count))
    explicitBounds.forEach((bound, index) => {
      assert.ok(index === 0 || bound > explicitBounds[index - 1]!)
    })
  },
)

interface HistogramPoint {
  readonly count: string
  readonly bucketCounts: readonly string[]
  readonly explicitBounds: readonly number[]
}

const filled =
  (check: Check): Check =>
  (value, at) => {
    listOf(check)(value, at)
    assert.ok(Array.isArray(value) && value.length > 0, `${at} is empty`)
  }

const metric = message(
  {
    name: (value, at) => assert.match(String(value), /^[A-Za-z][\w./-]{0,254}$/, at),
    description: text,
    unit: text,
    'gauge?': message({ dataPoints: filled(numberPoint) }),
    'sum?': message({
      dataPoints: filled(numberPoint),
      aggregationTemporality: cumulative,
      isMonotonic: isTrue,
    }),
    'histogram?': message({
      dataPoints: filled(histogramPoint),
      aggregationTemporality: cumulative,
    }),
  },
  (value: object) => {
    const kinds = Object.keys(value).filter((key) => ['gauge', 'sum', 'histogram'].includes(key))
    assert.equal(kinds.length, 1)
  },
)

const push = message({
  resourceMetrics: filled(
    message({
      resource: message({ attributes }),
      scopeMetrics: filled(
        message({ scope: message({ name: text, version: text }), metrics: filled(metric) }),
      ),
    }),
  ),
})

export interface PushedPoint {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
  readonly value: number
}

/** Every number pushed, by name and attributes; of a histogram its count. */
export function pushedPoints(json: string): Map<string, PushedPoint> {
  const body: unknown = JSON.parse(json)
  push(body, 'push')
  const points = new Map<string, PushedPoint>()
  // Its shape was checked just now.
  for (const { name, ...kind } of (body as Pushed).resourceMetrics[0]!.scopeMetrics[0]!.metrics) {
    const data = kind.gauge ?? kind.sum ?? kind.histogram
    for (const point of data?.dataPoints ?? []) {
      const labels = point.attributes.map(({ key, value }) => `${key}=${value.stringValue}`)
      const id = [name, ...labels].join(' ')
      assert.equal(points.has(id), false, `${id} is there twice`)
      const { startTimeUnixNano, timeUnixNano } = point
      const value = Number(point.count ?? point.asInt ?? point.asDouble)
      points.set(id, { startTimeUnixNano, timeUnixNano, value })
    }
  }
  return points
}

interface Pushed {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string
        readonly gauge?: PushedData
        readonly sum?: PushedData
        readonly histogram?: PushedData
      }[]
    }[]
  }[]
}

interface PushedData {
  readonly dataPoints: readonly {
    readonly attributes: readonly { key: string; value: { stringValue: string } }[]
    readonly startTimeUnixNano: string
    readonly timeUnixNano: string
    readonly count?: string
    readonly asInt?: string
    readonly asDouble?: number
  }[]
}
