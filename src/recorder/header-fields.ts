/**
 * Header fields that are about one connection, and taking them off before a message goes on.
 *
 * Fields are Node's raw form: names and values in turn, as they came, in their order.
 */

/** RFC 9110, section 7.6.1, and the old names that browsers still send to proxies. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** `rawFields` without those of the hop, and without `alsoWithout` (lower case). */
export function endToEndFields(
  rawFields: readonly string[],
  alsoWithout: readonly string[] = [],
): string[] {
  const dropped = new Set([...HOP_BY_HOP, ...alsoWithout])
  forEachField(rawFields, (name, value) => {
    if (name.toLowerCase() !== 'connection') return
    for (const option of value.split(',')) dropped.add(option.trim().toLowerCase())
  })
  const kept: string[] = []
  forEachField(rawFields, (name, value) => {
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  })
  return kept
}

/** `rawFields` with the host that the request really goes to (RFC 9112, section 3.2.2). */
export function withHost(rawFields: readonly string[], authority: string): string[] {
  return ['Host', authority, ...endToEndFields(rawFields, ['host'])]
}

function forEachField(
  rawFields: readonly string[],
  visit: (name: string, value: string) => void,
): void {
  for (let at = 0; at + 1 < rawFields.length; at += 2) visit(rawFields[at]!, rawFields[at + 1]!)
}
