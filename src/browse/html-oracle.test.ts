/**
 * The scanner against parse5, and against itself when a page comes in other pieces.
 *
 * Pages are soups of markup put together at random. Tags are judged by parse5's tokenizer, pages
 * with SVG and MathML by its tree, which is what the simplified rules for those must agree with.
 * Deliberate differences, kept out of the soups: in tables and selects a tree moves or drops
 * elements that we take where they stand, and `<![CDATA[` in HTML ends at `]]>` for us,
 * an end tag at its first `>` even if that is in quotes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as htmlparser2 from 'htmlparser2'
import { type DefaultTreeAdapterTypes, html, parse } from 'parse5'
import { SAXParser } from 'parse5-sax-parser'
import { fc } from '../../test/support/property.ts'
import { ResourceScanner } from './html-resources.ts'
import type { PageContents, ResourceSettings } from './resource-list.ts'

const PAGE = 'http://s.test/h/page'

const siegesSet: ResourceSettings = {
  noFollowHosts: [],
  onlySameOrigin: false,
  srcset: false,
  preloadsAndIcons: false,
  css: false,
}

const everything: ResourceSettings = {
  ...siegesSet,
  srcset: true,
  preloadsAndIcons: true,
  css: true,
}

const scanners = new Map(
  [siegesSet, everything].map((settings) => [settings, new ResourceScanner(settings, htmlparser2)]),
)

/** Lets `cut` say how many bytes come next. */
function contentsOf(
  page: string,
  cut: () => number = () => 1e9,
  settings: ResourceSettings = siegesSet,
): PageContents {
  const scanner = scanners.get(settings)!
  const bytes = new TextEncoder().encode(page)
  scanner.begin(PAGE, '')
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + cut())
    scanner.receive(bytes, at, end)
    at = end
  }
  return scanner.finish()
}

type Attributes = readonly { readonly name: string; readonly value: string }[]

/** The simplest list that follows the rules: no bounds, no quick ways. */
class PlainList {
  readonly urls: string[] = []
  #base = PAGE
  #hasBase = false
  #hasBackground = false

  startTag(name: string, attributes: Attributes): void {
    const get = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value
    const rel =
      get('rel')
        ?.toLowerCase()
        .split(/[\t\n\f\r ]+/) ?? []
    if (name === 'img' || name === 'script') this.#add(get('src'))
    if (name === 'link' && rel.includes('stylesheet') && !rel.includes('alternate')) {
      this.#add(get('href'))
    }
    if (name === 'body' && get('background') !== undefined && !this.#hasBackground) {
      this.#hasBackground = true
      this.#add(get('background'))
    }
    if (name === 'base' && get('href') !== undefined && !this.#hasBase) {
      this.#hasBase = true
      this.#base = new URL(get('href')!, PAGE).href
    }
  }

  #add(reference: string | undefined): void {
    const trimmed = reference?.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '') ?? ''
    if (trimmed === '' || trimmed.startsWith('#')) return
    const url = new URL(trimmed, this.#base)
    url.hash = ''
    if (/^https?:$/.test(url.protocol) && !this.urls.includes(url.href)) this.urls.push(url.href)
  }
}

/** What parse5's tokenizer finds, templates left out. */
function urlsByTags(page: string): string[] {
  const list = new PlainList()
  let templateCount = 0
  const parser = new SAXParser()
  parser.on('startTag', ({ tagName, attrs }) => {
    if (tagName === 'template') templateCount++
    else if (templateCount === 0) list.startTag(tagName, attrs)
  })
  parser.on('endTag', ({ tagName }) => {
    if (tagName === 'template' && templateCount > 0) templateCount--
  })
  parser.end(page)
  return list.urls
}

/** What stands in parse5's tree, whose templates are documents of their own. */
function urlsByTree(page: string): string[] {
  const list = new PlainList()
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node && node.namespaceURI === html.NS.HTML) {
      list.startTag(node.tagName, node.attrs)
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(page, { scriptingEnabled: true }))
  return list.urls
}

const soupOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((list) => list.join(''))

const references = ['/a.png', 'b.png', '../c.png', './d', '?q=1', '//h.test/e', '/&amp;f', '/g#h']

const tagParts: readonly string[] = [
  ...references.map((reference) => `<img src="${reference}">`),
  ...[
    '<img src=a.png alt=x>',
    "<IMG alt='>' SRC='/b.png'/>",
    '<img src = "/c" src=/d>',
    '<img/src=/e>',
  ],
  ...['<img src="/&eacute;&notit;&#x41;&#0;&amp">', '<img src=/x&y;z=&lt>', '<img src=\n/f\n>'],
  ...[
    '<img',
    ' src=',
    '"',
    "'",
    '>',
    '/',
    '=',
    ' ',
    '\n',
    '<',
    '</',
    '&',
    '-',
    '!',
    '?',
    '\0',
    'x',
    'é',
  ],
  ...[
    '<script src=s.js></script>',
    '<script>',
    '</script>',
    '</script',
    '</scr',
    '<!--',
    '-->',
    '--!>',
  ],
  ...[
    '<!-->',
    '<!--->',
    '<script',
    '<style>',
    '</style>',
    '</STYLE\t>',
    '<noscript>',
    '</noscript>',
  ],
  ...[
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea>',
    '<iframe>',
    '</iframe>',
    '<xmp>',
    '</xmp>',
  ],
  ...['<noembed>', '</noembed>', '<noframes>', '</noframes>', '<template>', '</template>'],
  ...[
    '<link rel=stylesheet href=l.css>',
    '<link href=/m.css rel="x StyleSheet">',
    '<link rel=icon>',
  ],
  ...[
    '<link rel="alternate stylesheet" href=no.css>',
    '<body background=bg.png>',
    '<base href=/n/>',
  ],
  ...['<image src=/i.png>', '<p>', '</p>', '<a href=/no>', '<?x >', '<!doctype html>'],
]

/** Elements closed as they were opened, as in pages that people write. */
const foreignSoup: fc.Arbitrary<string> = fc.letrec<Record<'page' | 'svg' | 'math', string>>(
  (tie) => {
    const within = (content: fc.Arbitrary<string>, ...names: string[]) =>
      fc.tuple(fc.constantFrom(...names), content).map(([name, inner]) => {
        return `<${name}>${inner}</${name.replace(/ .*/, '')}>`
      })
    const listOf = (...kinds: fc.Arbitrary<string>[]) =>
      fc
        .array(fc.oneof({ depthSize: 'small' }, ...kinds), { maxLength: 4 })
        .map((list) => list.join(''))
    const numbered = (markup: string) =>
      fc.integer({ min: 0, max: 99 }).map((index) => markup.replace('*', String(index)))
    const image = numbered('<img src=/i/*>')
    const foreign = [
      numbered('<image src=/j/*></image>'),
      numbered('<script src=/s/*></script>'),
      fc.constantFrom(
        '<![CDATA[<img src=no.png>]]>',
        '<![CDATO[>',
        '<svg/>',
        '<math/>',
        '<script/>',
      ),
      fc.constantFrom('<style>a</style>', '<style><a></a></style>', '<font>x</font>'),
    ]
    const elements = [within(tie('svg'), 'svg'), within(tie('math'), 'math')]
    return {
      page: listOf(image, ...elements, within(tie('page'), 'p', 'div'), foreign[0]!, foreign[1]!),
      svg: listOf(
        ...foreign,
        within(tie('svg'), 'g', 'svg', 'mi'),
        within(tie('page'), 'desc', 'title', 'foreignObject'),
      ),
      math: listOf(
        ...foreign,
        within(tie('math'), 'mrow', 'annotation-xml', 'desc'),
        within(tie('page'), 'mi', 'mtext', 'annotation-xml encoding="text/html"'),
      ),
    }
  },
).page

/** What ends SVG and MathML from within, and what does not. */
const breakouts = fc.constantFrom(
  ...['<img src=/b>', '<p>', '</p>', '</br>', '<font color=red>', '<font>', '<td>', '<ul>', '</g>'],
)

test('ResourceScanner finds what the tokenizer of parse5 finds', () => {
  let foundCount = 0
  fc.assert(
    fc.property(soupOf(tagParts), (page) => {
      fc.pre(!/<\/[a-z][^>]*["']/i.test(page))
      const urls = urlsByTags(page)
      foundCount += urls.length
      assert.deepEqual(contentsOf(page).resourceUrls, urls, JSON.stringify(page))
    }),
    { numRuns: 10_000 },
  )
  assert.ok(foundCount > 2_000, 'the soups are too thin')
})

test('ResourceScanner ends a script where parse5 ends it, whatever it escapes', () => {
  const parts = [
    ...[
      '<script>',
      '</script>',
      '<SCRIPT ',
      '</Script/',
      '<script',
      '</script',
      '<scripts>',
      '<!--',
    ],
    ...[
      '-->',
      '<!-->',
      '<!--->',
      '--!>',
      '-',
      '<',
      '/',
      '>',
      ' ',
      'x',
      '<img src=/a>',
      '<img src=/b>',
    ],
  ]
  fc.assert(
    fc.property(fc.constantFrom('', '<!--', '<!--<script>'), soupOf(parts), (head, soup) => {
      const page = `<script>${head}${soup}</script>--></script><img src=/c>`
      const urls = urlsByTags(page)
      assert.deepEqual(contentsOf(page).resourceUrls, urls, JSON.stringify(page))
      assert.deepEqual(contentsOf(page, () => 1).resourceUrls, urls, JSON.stringify(page))
    }),
    { numRuns: 3_000 },
  )
})

test('ResourceScanner finds what the tree of parse5 holds, in and around SVG and MathML', () => {
  fc.assert(
    fc.property(foreignSoup, breakouts, foreignSoup, (before, breakout, after) => {
      const inside = `<svg><g>${breakout}<script src=/x></script><style><img src=/y></style></g>`
      const page = `<!doctype html><body>${before}${inside}</svg>${after}`
      assert.deepEqual(contentsOf(page).resourceUrls, urlsByTree(page), JSON.stringify(page))
    }),
    { numRuns: 10_000 },
  )
})

test('ResourceScanner gives the same for any split of the page', () => {
  const extras = [
    ...['<style>@import "a.css";', 'url(b.png)', '<p style="background:url(&quot;c.png&quot;)">'],
    ...['<picture>', '<source srcset="/d 1x">', '</picture>', '<img srcset="/e 1x,/f 2x">'],
    ...[
      '<meta http-equiv=refresh content="0;url=/g">',
      '<link rel=preload href=h>',
      '<svg>',
      '</svg>',
    ],
    ...['<annotation-xml encoding=text/html>', '<foreignobject>', '<a-name-that-is-long x=1>'],
  ]
  const soup = soupOf([...tagParts, ...extras])
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 6 }))
  fc.assert(
    fc.property(soup, cuts, (page, stream) => {
      const whole = contentsOf(page, undefined, everything)
      const next = () => stream.next().value as number
      assert.deepEqual(contentsOf(page, next, everything), whole, JSON.stringify(page))
      assert.deepEqual(
        contentsOf(page, () => 1, everything),
        whole,
        JSON.stringify(page),
      )
    }),
    { numRuns: 2_000 },
  )
})
