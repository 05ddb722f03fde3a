/**
 * The button that goes from the system's theme to light, to dark and back, and remembers it. Loaded
 * first, and by itself: whatever becomes of the charts, the page can be read.
 */
import type { Page } from './dom.ts'

// The types of a browser are not in scope: see dom.ts.
const page = globalThis as unknown as Page
const root = page.document.documentElement
const button = page.document.getElementById('theme')
const KEY = 'onager-theme'
const themes = ['auto', 'light', 'dark'] as const

function stored(): string {
  try {
    return page.localStorage.getItem(KEY) ?? 'auto'
  } catch {
    // A browser may forbid files to store anything: the choice then lasts as long as the page.
    return 'auto'
  }
}

function store(theme: string): void {
  try {
    page.localStorage.setItem(KEY, theme)
  } catch {
    // As above.
  }
}

function show(theme: string): void {
  if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme)
  else root.removeAttribute('data-theme')
  if (button === null) return
  button.hidden = false
  const name = page.document.getElementById('theme-name')
  if (name !== null) name.textContent = shown()
}

function shown(): (typeof themes)[number] {
  const theme = root.dataset.theme
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

function chooseNext(): void {
  const next = themes[(themes.indexOf(shown()) + 1) % themes.length]!
  show(next)
  store(next)
}

show(stored())
button?.addEventListener('click', chooseNext)
