/** Templates: what is read as a placeholder, what is put in where, and which mistakes are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import {
  behindOrigin,
  escapedForTemplate,
  fixedText,
  namesInTemplate,
  parseTemplate,
  renderBytes,
  renderText,
  type TemplatePlace,
  type VariableTable,
} from './text-template.ts'

const names = ['user', 'token', 'id']
const table: VariableTable = {
  names: [...names, 'tenant'],
  find(name) {
    if (name === 'tenant') return { text: 'a&b' }
    const index = names.indexOf(name)
    return index < 0 ? undefined : index
  },
}

function filled(text: string, place: TemplatePlace, values: readonly string[]): string {
  const { template, problems } = parseTemplate(text, place, table)
  assert.deepEqual(problems, [])
  return renderText(template, values)
}

function problemsOf(text: string): string[] {
  return parseTemplate(text, 'text', table).problems.map(({ text, offset }) => `${offset} ${text}`)
}

test('parseTemplate() keeps text without placeholders, dollars included', () => {
  for (const text of ['', 'plain', '$', '$$', '$5 or $name', 'a{b}', "$('#id')", '$ {x}']) {
    assert.equal(fixedText(parseTemplate(text, 'text', table).template), text)
  }
})

test('parseTemplate() takes two dollars before a brace for one', () => {
  assert.equal(filled('$${user}', 'text', ['ann']), '${user}')
  assert.equal(filled('$$${user}', 'text', ['5']), '$5')
  assert.equal(filled('$$$${user}', 'text', ['5']), '$${user}')
  assert.equal(filled('$$ ${user}', 'text', ['5']), '$$ 5')
})

test('renderText() percent-encodes in the path and query of a URL, and nothing before them', () => {
  const values = ['a b/ü', 'http://h:1/p?q', 'x:1']
  assert.equal(
    filled('http://h/${user}?q=${user}', 'url', values),
    'http://h/a%20b%2F%C3%BC?q=a%20b%2F%C3%BC',
  )
  assert.equal(filled('${token}', 'url', values), 'http://h:1/p?q')
  assert.equal(filled('${token}/${user}', 'url', values), 'http://h:1/p?q/a%20b%2F%C3%BC')
  assert.equal(filled('http://${id}/${id}', 'url', values), 'http://x:1/x%3A1')
  assert.equal(filled('/a/${raw:user}', 'url', values), '/a/a b/ü')
  assert.equal(filled('/t/${tenant}', 'url', values), '/t/a%26b')
})

test('behindOrigin() makes a path that begins a URL whole, and leaves a whole URL alone', () => {
  const { template } = parseTemplate('${token}?x=${user}', 'url', table)
  const behind = behindOrigin(template, 'http://h:1')
  assert.equal(renderText(behind, ['a b', '/p', '']), 'http://h:1/p?x=a%20b')
  assert.equal(renderText(behind, ['a', 'https://g/p', '']), 'https://g/p?x=a')
  const fixed = parseTemplate('http://h/${user}', 'url', table).template
  assert.equal(behindOrigin(fixed, 'http://other'), fixed)
})

test('renderText() escapes for JSON, forms and fields', () => {
  const values = ['a "b"\n', 'x y&z', 'one\r\nSet-Evil: two']
  assert.equal(filled('{"u":"${user}"}', 'json', values), '{"u":"a \\"b\\"\\n"}')
  assert.equal(filled('t=${token}', 'form', values), 't%3Dx+y%26z')
  assert.equal(filled('${id}', 'field', values), 'one Set-Evil: two')
  assert.equal(
    filled('${json:user} ${url:token} ${form:token}', 'text', values),
    'a \\"b\\"\\n x%20y%26z x+y%26z',
  )
})

test('renderText() puts a value in as it is and does not read it again', () => {
  assert.equal(filled('<${user}>', 'text', ['${token}', 'secret']), '<${token}>')
})

test('renderText() makes whole characters of halves of them', () => {
  assert.equal(filled('/${user}', 'url', ['\ud800']), '/%EF%BF%BD')
  assert.equal(filled('"${user}"', 'json', ['\ud800']), '"\\ud800"')
})

test('renderBytes() gives UTF-8', () => {
  assert.deepEqual(
    [...renderBytes(parseTemplate('ü${user}', 'text', table).template, ['€'])],
    [0xc3, 0xbc, 0xe2, 0x82, 0xac],
  )
})

test('parseTemplate() tells every mistake with its place', () => {
  assert.deepEqual(problemsOf('a ${usr} ${nothing.like.it}'), [
    '2 there is no variable usr; did you mean user?',
    '9 there is no variable nothing.like.it; there are: user, token, id, tenant',
  ])
  const form = 'after "${" comes the name of a variable and "}"; for the text "${" write "$${"'
  assert.deepEqual(problemsOf('${user'), [`0 ${form}`])
  assert.deepEqual(problemsOf('${} ${ user } ${1+1}'), [`0 ${form}`, `4 ${form}`, `14 ${form}`])
  assert.deepEqual(problemsOf('${xml:user}'), [
    '0 "${xml:" is not known; there are raw, url, form and json',
  ])
})

test('parseTemplate() tells what the table says of a variable that is of no use here', () => {
  const late = { names: [], find: () => ({ problem: 'too early' }) }
  assert.deepEqual(parseTemplate('/${x}', 'url', late).problems, [{ text: 'too early', offset: 1 }])
})

test('namesInTemplate() lists what is referred to, known or not', () => {
  assert.deepEqual(namesInTemplate('${a}${json:b}$${c}${'), ['a', 'b'])
})

const pieces = fc.array(
  fc.constantFrom('$', '$$', '{', '}', '${', '${user}', 'user', ':', 'raw:', 'ü', ' '),
)

test('escapedForTemplate() makes any text mean itself', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((list) => list.join('')),
      ),
      (text) => {
        const { template, problems } = parseTemplate(escapedForTemplate(text), 'text', table)
        assert.deepEqual(problems, [])
        assert.equal(fixedText(template), text.length === 0 ? '' : text)
      },
    ),
  )
})

test('parseTemplate() takes any text without throwing, and its problems lie inside it', () => {
  fc.assert(
    fc.property(
      pieces.map((list) => list.join('')),
      (text) => {
        for (const { offset } of parseTemplate(text, 'url', table).problems) {
          assert.equal(text[offset], '$')
        }
      },
    ),
  )
})

test('renderText() of a JSON or URL place can be read back by JSON.parse and decodeURIComponent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      assert.equal(JSON.parse(filled('"${user}"', 'json', [value])), value)
      assert.equal(decodeURIComponent(filled('/${user}', 'url', [value]).slice(1)), value)
    }),
  )
})
