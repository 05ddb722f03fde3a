/** What goes into a page as text stays text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFragment } from 'parse5'
import { fc } from '../../../test/support/property.ts'
import { foreign, html, json, nothing, shown } from './markup.ts'

test('html() escapes whatever it is given, and takes markup as it is', () => {
  const name = `<b title='x' lang="y">&amp;`
  assert.equal(
    html`<p>${name}</p>`.text,
    '<p>&lt;b title=&#39;x&#39; lang=&quot;y&quot;&gt;&amp;amp;</p>',
  )
  assert.equal(html`${[html`<i>`, 1, '<']}${null}${undefined}${nothing}`.text, '<i>1&lt;')
})

test('html() gives a parser any text back, as text and in attributes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const visible = shown(text)
      const { childNodes } = parseFragment(html`<p title="${visible}">${visible}</p>`.text)
      const [p] = childNodes
      assert.ok(childNodes.length === 1 && p !== undefined && 'attrs' in p)
      assert.equal(p.attrs[0]?.value, visible)
      const [inner] = p.childNodes
      assert.equal(inner === undefined ? '' : 'value' in inner && inner.value, visible)
    }),
  )
})

test('shown() lets no control, turn of direction or half of a character through, nor kilobytes', () => {
  assert.equal(shown('a\x00b\n\x1b[31m'), 'a\\x00b\\x0a\\x1b[31m')
  assert.equal(shown('a\u202egnp.exe\u2066'), 'a\\u202egnp.exe\\u2066')
  assert.equal(shown('\ud800 \u{1f600} \udc00'), '\ufffd \u{1f600} \ufffd')
  const long = shown('\u{1f600}'.repeat(5000))
  assert.ok(long.length < 450)
  assert.match(long, / \u2026 \(10000 characters\)$/)
})

test('foreign() keeps a text apart from its surroundings', () => {
  assert.equal(foreign('\u05d0 <').text, '<bdi>\u05d0 &lt;</bdi>')
})

test('json() holds no tag, and is the same data', () => {
  const data = { name: '</script><!--', lines: '\u2028\u2029' }
  const { text } = json(data)
  assert.doesNotMatch(text, /[<\u2028\u2029]/)
  assert.deepEqual(JSON.parse(text), data)
})
