/**
 * Where we differ from real siege on purpose, as far as comparisons meet it: named rules that make
 * both sides alike. Each name is a row of docs/differences.md, which a test checks; anything that
 * no rule covers is a difference nobody decided on.
 */

export interface Rule {
  /** As in the last column of docs/differences.md. */
  readonly name: string
  /** Applied to requests as they are on the wire, of both sides. */
  readonly request?: (raw: string) => string
  /** Applied to stdout and stderr of both sides. */
  readonly text?: (text: string) => string
}

const TIMED_LABELS =
  'Elapsed time|Response time|Throughput|Transaction rate|Concurrency|Longest transaction|Shortest transaction'
const TIMED_LINE: RegExp = new RegExp(`^((?:${TIMED_LABELS}):\\t+)( *[\\d.]+)`, 'gm')

export const rules: readonly Rule[] = [
  {
    name: 'version-and-platform',
    request: (raw) =>
      raw.replace(
        /^User-Agent: Mozilla\/5\.0 \([\w.-]+\) Siege\/4\.\d\.\d$/m,
        'User-Agent: Mozilla/5.0 (PLATFORM) Siege/4',
      ),
    text: (text) => text.replace(/^\*\* SIEGE 4\.\d\.\d(?: \(onager [\d.]+\))?$/m, '** SIEGE 4'),
  },
  {
    name: 'no-type-and-length-without-body',
    request: (raw) => {
      if (!/^(?:DELETE|OPTIONS) /.test(raw) || !/^Content-Length: 0\r$/m.test(raw)) return raw
      return raw.replace(/^Content-Type: .*\r\nContent-Length: 0\r\n/m, '')
    },
  },
]

export function alikeRequest(raw: string): string {
  return rules.reduce((text, { request }) => request?.(text) ?? text, raw)
}

export function alikeText(text: string): string {
  return withoutTimes(rules.reduce((current, { text: rule }) => rule?.(current) ?? current, text))
}

/** No two runs take the same time: digits of what is measured are masked, their places kept. */
function withoutTimes(text: string): string {
  return text
    .replace(/[\d.]{4,}(?= secs:)/g, (digits) => digits.replace(/\d/g, '0'))
    .replace(TIMED_LINE, (_, label: string, value: string) => label + ' '.repeat(value.length))
}
