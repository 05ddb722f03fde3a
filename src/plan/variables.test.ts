/** Which references expand, which stay as they are, and which are mistakes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { expand, isName } from './variables.ts'

const values = new Map([
  ['HOST', 'h:80'],
  ['ID', '7'],
  ['PRICE', '$ID'],
  ['site-a', 'a.test'],
])

function expanded(text: string): unknown {
  return expand(text, (name) => values.get(name))
}

test('expand() replaces the three forms of a reference to a defined name', () => {
  assert.deepEqual(expanded('http://$(HOST)/v1?id=${ID}&x=$ID'), {
    text: 'http://h:80/v1?id=7&x=7',
  })
  assert.deepEqual(expanded('http://$HOST:81/$ID.html'), { text: 'http://h:80:81/7.html' })
  assert.deepEqual(expanded('$(site-a)'), { text: 'a.test' })
})

test('expand() leaves dollars that refer to nothing as they are', () => {
  const literals = ['$10', 'a$', '$$', '$', '$UNDEFINED', '$IDS', "$('#x')", '$(', '${}', '$( ID )']
  for (const text of literals) assert.deepEqual(expanded(text), { text })
})

test('expand() gives a plain dollar for an escaped one', () => {
  assert.deepEqual(expanded('\\$10 \\$ID \\$(NONE) $ID'), { text: '$10 $ID $(NONE) 7' })
  assert.deepEqual(expanded('\\\\$ID'), { text: '\\$ID' })
})

test('expand() names the first bracketed reference without a value and its column', () => {
  assert.deepEqual(expanded('a $ID $(NONE) ${ALSO}'), { undefinedName: 'NONE', column: 7 })
  assert.deepEqual(expanded('${none}'), { undefinedName: 'none', column: 1 })
})

test('expand() does not read values again for references', () => {
  assert.deepEqual(expanded('$(PRICE)$PRICE'), { text: '$ID$ID' })
})

test('expand() gives back any text whose dollars are escaped', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('$', '\\', '(', ')', 'ID', ' ', '{') }),
      (text) => {
        const escaped = text.replaceAll('$', '\\$')
        assert.deepEqual(expanded(escaped), { text })
      },
    ),
  )
})

test('expand() stays linear on a long text full of dollars', () => {
  const text = '$(x'.repeat(100_000)
  assert.deepEqual(expanded(text), { text })
})

test('isName() accepts identifiers only', () => {
  assert.deepEqual(['a', '_1', 'A_b', '1a', 'a-b', ''].map(isName), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
