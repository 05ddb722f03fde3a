/** Where text elements end; the rules of scripts are those of HTML LS 13.2.5.15 to 13.2.5.31. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsPlainly, RawText } from './html-raw-text.ts'

/** What follows the name of the end tag, or null when there is none. */
function rest(name: string, text: string): string | null {
  const raw = new RawText()
  raw.begin(name, 0)
  const end = raw.feed(text)
  return end < 0 ? null : text.slice(end)
}

test('RawText ends at the end tag of its own name alone', () => {
  assert.equal(rest('style', 'a</b></styles></STYLE >b'), ' >b')
  assert.equal(rest('style', '</style/>'), '/>')
  assert.equal(rest('style', '<!-- </style> -->'), '> -->')
  assert.equal(rest('style', '<</style\n>'), '\n>')
  assert.equal(rest('style', '</style'), null)
})

test('RawText knows scripts within scripts', () => {
  assert.equal(rest('script', '<script></script>'), '>')
  assert.equal(rest('script', '<!--<script></script>--></script>b'), '>b')
  assert.equal(rest('script', '<!--<script></script></script>b'), '>b')
  assert.equal(rest('script', '<!--</script>b'), '>b')
  assert.equal(rest('script', '<!--<scripts></script>b'), '>b')
  assert.equal(rest('script', '<!--<script>--></script>b'), '>b')
  assert.equal(rest('script', '<!--<script></script>'), null)
  assert.equal(rest('script', '<!--><script></script>b'), '>b')
  assert.equal(rest('script', '<!---><script></script>b'), '>b')
  assert.equal(rest('script', '<!-- -- ><script></script>'), null)
})

test('RawText keeps content when asked to, up to a length', () => {
  const content = (pieces: string[], characters: number) => {
    const raw = new RawText()
    raw.begin('style', characters)
    for (const piece of pieces) if (raw.feed(piece) >= 0) break
    return raw.takeContent()
  }
  assert.equal(content(['ab<', '/sty', 'x</', 'style', '>'], 100), 'ab</styx')
  assert.equal(content(['ab', 'cd</style>'], 3), 'abc')
  assert.equal(content(['ab</st'], 100), 'ab</st')
})

test('endsPlainly() is sure only of what it sees whole', () => {
  assert.equal(endsPlainly('<script></script>', 8, 'script'), true)
  assert.equal(endsPlainly('<script>a</b></SCRIPT >', 8, 'script'), true)
  assert.equal(endsPlainly('<script></script', 8, 'script'), false)
  assert.equal(endsPlainly('<script><!--</script>', 8, 'script'), false)
  assert.equal(endsPlainly('<style><!--</style>', 7, 'style'), true)
})
