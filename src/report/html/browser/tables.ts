/**
 * Lets tables marked with `data-sortable` be sorted by the heads of their columns, and the requests
 * be filtered by name.
 *
 * Columns of numbers begin with the largest; what has no number is last either way.
 */
import type { Page, PageElement } from './dom.ts'

// The types of a browser are not in scope: see dom.ts.
const { document } = globalThis as unknown as Page

type Order = 'ascending' | 'descending'

interface Row {
  readonly element: PageElement
  readonly texts: readonly string[]
  /** Where it stood at first. */
  readonly place: number
}

function rowsOf(table: PageElement): Row[] {
  return [...table.querySelectorAll('tbody > tr')].map((element, place) => {
    const texts = [...element.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')
    return { element, texts, place }
  })
}

function makeSortable(table: PageElement): void {
  const rows = rowsOf(table)
  const body = table.querySelector('tbody')
  const heads = [...table.querySelectorAll('thead th')]
  if (body === null) return
  for (const [column, head] of heads.entries()) {
    const isNumber = head.classList.contains('n')
    const usual: Order = isNumber ? 'descending' : 'ascending'
    const button = document.createElement('button')
    button.setAttribute('type', 'button')
    button.textContent = head.textContent
    head.replaceChildren(button)
    button.addEventListener('click', () => {
      const order = head.getAttribute('aria-sort') === usual ? opposite(usual) : usual
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', order)
      const compare = isNumber ? compareNumbers : compareTexts
      const sorted = rows.toSorted(
        (a, b) => compare(a.texts[column] ?? '', b.texts[column] ?? '', order) || a.place - b.place,
      )
      body.append(...sorted.map(({ element }) => element))
    })
  }
}

function opposite(order: Order): Order {
  return order === 'ascending' ? 'descending' : 'ascending'
}

function compareTexts(a: string, b: string, order: Order): number {
  return order === 'ascending' ? a.localeCompare(b) : b.localeCompare(a)
}

function compareNumbers(a: string, b: string, order: Order): number {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  return order === 'ascending' ? x - y : y - x
}

/** `<0.01 %` is a little less than 0.01, and more than nothing. */
function numberOf(text: string): number | null {
  const value = Number.parseFloat(text.replace(/^[<>]/, ''))
  if (Number.isNaN(value)) return null
  return text.startsWith('<') ? value * 0.999 : text.startsWith('>') ? value * 1.000001 : value
}

function makeFilter(input: PageElement, table: PageElement): void {
  const rows = rowsOf(table).map(({ element, texts }) => ({
    element,
    name: (texts[0] ?? '').toLowerCase(),
  }))
  const told = document.getElementById('shown-count')
  const all = told?.textContent ?? ''
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase()
    let count = 0
    for (const { element, name } of rows) {
      element.hidden = !name.includes(wanted)
      if (!element.hidden) count++
    }
    if (told !== null) told.textContent = wanted === '' ? all : `${count} of ${all}`
  })
}

for (const table of document.querySelectorAll('table[data-sortable]')) makeSortable(table)
const filter = document.getElementById('filter')
const named = document.querySelector('#names table')
if (filter !== null && named !== null) {
  makeFilter(filter, named)
  for (const tools of document.querySelectorAll('.tools')) tools.hidden = false
}
