/** Reads the `content` of `<meta http-equiv=refresh>` as browsers do (HTML LS 4.2.5.3). */

export interface RefreshText {
  /** As written, or null when the page is to be loaded again. */
  readonly reference: string | null
}

/** Null for a text that refreshes nothing. The delay is read and not kept: nobody waits here. */
export function readRefresh(content: string): RefreshText | null {
  const time = /^[\t\n\f\r ]*(\d*)([\d.]*)/.exec(content)
  if (time === null || (time[1] === '' && !time[2]?.startsWith('.'))) return null
  const rest = content.slice(time[0].length)
  if (rest === '') return { reference: null }
  const separator = /^(?:[\t\n\f\r ]+[;,]?|[;,])[\t\n\f\r ]*/.exec(rest)
  if (separator === null) return null
  const text = rest.slice(separator[0].length)
  return { reference: text === '' ? null : referenceOf(text) }
}

function referenceOf(text: string): string {
  const label = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(text)
  // Without all of `url=`, an `u` begins the reference, and no quotes are looked for.
  if (label === null && /^u/i.test(text)) return text
  const value = label === null ? text : text.slice(label[0].length)
  const quote = value.charAt(0)
  if (quote !== '"' && quote !== "'") return value
  const end = value.indexOf(quote, 1)
  return end < 0 ? value.slice(1) : value.slice(1, end)
}
