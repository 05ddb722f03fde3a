/** IPv6 addresses in text form (RFC 4291 section 2.2) as numbers. */

/** The eight 16-bit groups of an address that is known to be one, without a zone. */
export function ipv6Groups(address: string): number[] {
  // An IPv4 tail stands for two groups.
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const group = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)
    return `${group(a, b)}:${group(c, d)}`
  })
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = tail === undefined ? [] : new Array(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}
