/**
 * The part of a browser that the page's scripts touch, as types alone.
 *
 * The library of the DOM would put hundreds of names (`name`, `status`, `event`) into the scope of
 * every other file of the project, where using one by mistake would then pass the compiler. Each
 * script is a module without imports, so that it can be written into the page as it is.
 */

export interface PageElement {
  textContent: string | null
  hidden: boolean
  tabIndex: number
  readonly value: string
  className: string
  readonly clientWidth: number
  readonly dataset: { readonly [name: string]: string | undefined }
  readonly classList: { add(name: string): void; contains(name: string): boolean }
  readonly style: { setProperty(name: string, value: string): void }
  querySelector(selectors: string): PageElement | null
  querySelectorAll(selectors: string): Iterable<PageElement>
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  append(...children: readonly PageElement[]): void
  replaceChildren(...children: readonly PageElement[]): void
  remove(): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

export interface PageEvent {
  /** Of keyboard events. */
  readonly key?: string
  preventDefault(): void
}

export interface Page {
  readonly document: {
    readonly documentElement: PageElement
    readonly body: PageElement
    createElement(name: string): PageElement
    getElementById(id: string): PageElement | null
    querySelector(selectors: string): PageElement | null
    querySelectorAll(selectors: string): Iterable<PageElement>
  }
  readonly localStorage: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
  }
  readonly uPlot: UPlotClass
  readonly ResizeObserver: new (changed: () => void) => { observe(element: PageElement): void }
  matchMedia(query: string): { addEventListener(type: 'change', listener: () => void): void }
  getComputedStyle(element: PageElement): { readonly color: string; readonly fontFamily: string }
}

/** As far as it is used of uPlot 1.6; data are columns, the first of them x. */
export interface UPlot {
  /** Of each column, x included. */
  readonly cursor: { readonly idxs?: readonly (number | null)[] }
  readonly data: readonly (readonly (number | null)[])[]
  readonly bbox: { readonly left: number; readonly top: number; readonly height: number }
  readonly ctx: { fillStyle: string; fillRect(x: number, y: number, w: number, h: number): void }
  setSize(size: { readonly width: number; readonly height: number }): void
  setCursor(at: { readonly left: number; readonly top: number }): void
  valToPos(value: number, scale: string, isCanvas?: boolean): number
  destroy(): void
}

export interface UPlotClass {
  new (
    options: Readonly<Record<string, unknown>>,
    data: readonly (readonly (number | null)[])[],
    parent: PageElement,
  ): UPlot
  readonly paths: { stepped(options: { readonly align: 1 | -1 }): unknown }
}
