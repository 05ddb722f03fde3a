/**
 * What tables have in common. Closing tags of cells are left out, as HTML allows: a thousand rows
 * have many.
 */
import { foreign, html, type Markup, nothing, type Part } from './markup.ts'

export interface Table {
  readonly caption: string
  /** Columns of numbers are set right, and sorted as numbers; a name of nothing is not shown. */
  readonly columns: readonly (string | { readonly number: string } | { readonly bar: string })[]
  readonly rows: readonly Markup[]
  /** Long: scrolls upwards, too, and sorts. */
  readonly isLong?: boolean
}

/** Scrolls within itself where there is no room for it. */
export function tableMarkup({ caption, columns, rows, isLong = false }: Table): Markup {
  return html`<div class="scroll${isLong ? ' tall' : ''}" tabindex="0" role="region" aria-label="${caption}">
<table${isLong ? html` data-sortable` : nothing}><caption>${caption}</caption>
<thead><tr>${columns.map(columnHead)}</thead>
<tbody>${rows}</tbody></table></div>
`
}

function columnHead(column: Table['columns'][number]): Markup {
  if (typeof column === 'string') return html`<th scope="col">${column}`
  if ('bar' in column) return html`<th scope="col"><span class="hidden">${column.bar}</span>`
  return html`<th scope="col" class="n">${column.number}`
}

/** `name` heads the row. */
export function row(name: Part, ...cells: readonly Markup[]): Markup {
  return html`<tr><th scope="row">${name}${cells}</tr>\n`
}

export function numberCell(value: string | number): Markup {
  return html`<td class="n">${value}`
}

/** A number that is bad unless it is 0. */
export function badCountCell(count: number): Markup {
  return count === 0 ? numberCell(0) : html`<td class="n bad">${count}`
}

/** A word with a sign, so that it is told by more than its colour. */
export function mark(kind: 'pass' | 'fail' | 'none', word: string): Markup {
  const sign = { pass: '\u2713', fail: '\u2717', none: '\u2013' }[kind]
  return html`<span class="mark ${kind}"><span aria-hidden="true">${sign}</span> ${word}</span>`
}

/** Facts as a list of names and values; what is null is left out. */
export function factsMarkup(facts: readonly (readonly [string, Markup | string | null])[]): Markup {
  return html`<dl class="facts">${facts.map(([name, value]) =>
    value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>
`
}

/** The piece of a drawing that stands in a legend. */
export function lineKey(tone: string, kind: string): Markup {
  return html`<svg class="key" width="22" height="10" aria-hidden="true">
<line class="s-${tone} ${kind}" x1="1" x2="21" y1="5" y2="5"/></svg>`
}

/** An example of a server's own words below a name. */
export function exampleMarkup(example: string): Markup {
  return example === '' ? nothing : html`<p class="example">${foreign(example)}</p>`
}
