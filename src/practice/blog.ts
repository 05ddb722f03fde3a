/**
 * The blog: pages as a browser meets them, each with style sheets, scripts and pictures.
 *
 * Every page asks for the same number of resources (`resourceCountPerPage`), so that what a load
 * test should have fetched can be reckoned.
 */

import { htmlPage, siteCss } from './layout.ts'
import { fixed, fixedPage, HTML, type Page } from './page.ts'
import { wavesPng } from './png.ts'

export const blogPageCount = 5

/** site.css, blog.css, blog.js, clock.js, and two pictures of the page's own. */
export const resourceCountPerPage = 6

const posts = [
  ['A queue is a promise', 'Every request that waits was told it would be served. Count them.'],
  ['The slowest tenth', 'The mean is nobody’s experience. Ask what one user in ten puts up with.'],
  ['Warm caches, cold mornings', 'The first minute after a deploy is a different machine.'],
  ['How full is full?', 'At nine tenths of capacity a small push makes a long line.'],
  ['Measure from the due time', 'A stall that stops the clock is a stall that nobody sees.'],
] as const

export function blogPages(): Page[] {
  const pages = [
    asset('/assets/site.css', CSS, siteCss),
    asset('/assets/blog.css', CSS, blogCss),
    asset('/assets/blog.js', JAVASCRIPT, blogJs),
    asset('/assets/clock.js', JAVASCRIPT, clockJs),
  ]
  for (let number = 1; number <= blogPageCount; number++) {
    const html = fixed(200, HTML, blogHtml(number))
    if (number === 1) {
      const summary = `a page with ${resourceCountPerPage} resources: CSS, scripts, pictures`
      pages.push(fixedPage('/blog', summary, html))
    }
    const isListed = number === 2
    pages.push(
      fixedPage(
        `/blog/${number}`,
        isListed ? `the next one; up to /blog/${blogPageCount}` : '',
        html,
      ),
      asset(`/assets/wide-${number}.png`, PNG, wavesPng(640, 200, number * 67)),
      asset(`/assets/small-${number}.png`, PNG, wavesPng(120, 120, number * 67 + 180)),
    )
  }
  return pages
}

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const PNG = 'image/png'

function asset(path: string, contentType: string, body: string | Uint8Array): Page {
  return fixedPage(path, '', fixed(200, contentType, body, { isCacheable: true }))
}

function blogHtml(number: number): string {
  const [title, sentence] = posts[(number - 1) % posts.length] ?? posts[0]
  const next = (number % blogPageCount) + 1
  const head = `<link rel="stylesheet" href="/assets/blog.css">
<script src="/assets/blog.js" defer></script>
`
  const body = `<nav><a href="/">All pages</a> <a href="/blog/${next}">Next: ${next}</a></nav>
<article>
<img src="/assets/wide-${number}.png" width="640" height="200" alt="Slow waves of colour">
<h1>${title}</h1>
<p class="faint">Page ${number} of ${blogPageCount} · <span id="clock"></span></p>
<p>${sentence}</p>
${paragraphs(number)}
<img class="small" src="/assets/small-${number}.png" width="120" height="120" alt="">
</article>
<script src="/assets/clock.js"></script>`
  return htmlPage(`${title} · practice blog`, body, head)
}

function paragraphs(number: number): string {
  const sentences = posts.map(([, sentence]) => sentence)
  const rotated = [...sentences.slice(number), ...sentences.slice(0, number)]
  return Array.from({ length: 6 }, () => `<p>${rotated.join(' ')}</p>`).join('\n')
}

const blogCss = `article { font-family: Georgia, 'Times New Roman', serif; font-size: 1.08rem; }
article h1 { margin-top: 1.2rem; }
.small { float: right; margin: 0 0 1rem 1.5rem; }
`

const blogJs = `for (const image of document.querySelectorAll('img')) {
  image.decoding = 'async'
}
`

const clockJs = `const readAt = new Date().toLocaleTimeString()
document.getElementById('clock').textContent = 'read at ' + readAt
`
