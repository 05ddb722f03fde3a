/** What a stylesheet loads, by the token rules of CSS Syntax 3. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { cssReferences } from './css-urls.ts'

test('cssReferences() finds url() and @import in their forms', () => {
  const rows: readonly (readonly [css: string, ...references: string[]])[] = [
    ['a{background:url(a.png)}', 'a.png'],
    ['a{background:URL( "a.png" )}', 'a.png'],
    ["a{background:url('a b.png')}", 'a b.png'],
    ['a{background:url(\n\ta.png\n)}', 'a.png'],
    ['background:url(a.png),url(b.png)', 'a.png', 'b.png'],
    ['@import "a.css";', 'a.css'],
    ["@IMPORT url('a.css') screen;", 'a.css'],
    ['@import url(a.css) supports(display: "grid") ; a{b:url(c)}', 'a.css', 'c'],
    ['@media print{a{b:url(c)}}', 'c'],
    ['a{b:url(c\\)d)}', 'c)d'],
    ['a{b:url("c\\\nd\\65 f")}', 'cdef'],
    ['a{b:u\\72l(c)}', 'c'],
    ['a{b:url(c', 'c'],
    ['@font-face{src:url(a.eot);src:url(a.woff) format("woff"),url(a.woff2)}', 'a.woff2'],
    ['@font-face{src:url(a.ttf)}a{b:url(c)}', 'a.ttf', 'c'],
  ]
  for (const [css, ...references] of rows) assert.deepEqual(cssReferences(css), references, css)
})

test('cssReferences() is not misled by comments, strings, names and broken urls', () => {
  for (const css of [
    '/* url(a) */',
    'a{b:"url(c)"}',
    'a{b:"\\"url(c)"}',
    'a{b:myurl(c)}',
    'a{b:url-prefix(c)}',
    'a{b:url(c d)}',
    'a{b:url(c"d)}',
    '@namespace url(http://www.w3.org/1999/xhtml);',
    '@charset "utf-8";',
    'a{content:"x',
    '@import',
    'url',
    '\\',
  ]) {
    assert.deepEqual(cssReferences(css), [], css)
  }
  // A comment and a string end where they end, not where they would suit.
  assert.deepEqual(cssReferences('/*/url(a)/**/ b{c:url(d)}'), ['d'])
  assert.deepEqual(cssReferences('a{b:"x\n;c:url(d)}'), ['d'])
})

test('cssReferences() gives every reference that was quoted, whatever it contains', () => {
  const quoted = (text: string) =>
    `"${text.replace(/["\\\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`
  const text = fc.string({ maxLength: 12 }).map((value) => value.replaceAll('\0', ''))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (references) => {
      const css = references.map((reference) => `a{b:url(${quoted(reference)})}`).join('/*"*/')
      assert.deepEqual(cssReferences(css), references)
    }),
  )
})

test('cssReferences() ends for any text', () => {
  const part = fc.constantFrom(
    ...['url(', '"', "'", '\\', '\n', ')', '(', '{', '}', '@import ', ';'],
  )
  const css = fc.array(fc.oneof(part, fc.string({ maxLength: 3 }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(css, (text) => {
      assert.ok(cssReferences(text).length <= text.length)
    }),
    { numRuns: 2_000 },
  )
})
