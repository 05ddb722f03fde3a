/** Lines of urls.txt and of the command line: what each becomes, and every refusal's place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { problemText } from '../base/errors.ts'
import { bytesFromLatin1, latin1FromBytes, latin1FromText } from './latin1.ts'
import { TargetList } from './target-list.ts'
import type { UrlListResult, UrlListSettings } from './url-list.ts'
import { readUrlList, targetsFromOperands } from './url-list.ts'

/** CRLF, no final newline, a NUL and bytes that are no UTF-8. */
const rawFile = Uint8Array.of(0xff, 0xfe, 13, 10, 0, 32, 97, 32)

const rawText = JSON.stringify(latin1FromBytes(rawFile))

const files: Readonly<Record<string, Uint8Array>> = {
  './d.json': bytesFromLatin1('{"a": 1}\n'),
  'raw.txt': rawFile,
  'my file.bin': rawFile,
  'é.csv': rawFile,
  empty: new Uint8Array(0),
}

const settings: UrlListSettings = {
  isEscaping: true,
  readFile: (path) => files[path] ?? 'no such file',
  environment: (name) => (name === 'HOME' ? '/home/zoë' : undefined),
}

function read(text: string | Uint8Array, changes: Partial<UrlListSettings> = {}): UrlListResult {
  const bytes = typeof text === 'string' ? bytesFromLatin1(latin1FromText(text)) : text
  return readUrlList({ name: 'urls.txt', bytes }, { ...settings, ...changes })
}

/** Each target as `METHOD URL type "body"`, or each problem. */
function shown(result: UrlListResult): string[] {
  if ('problems' in result) return result.problems.map(problemText)
  const list = new TargetList(result.targets)
  return Array.from({ length: list.count }, (_, index) => {
    const type = list.contentTypeOf(index)
    const typeText = type === null ? '' : ` ${list.isContentTypeExplicit(index) ? '!' : ''}${type}`
    const body = list.bodyOf(index)
    const bodyText = body === null ? '' : ` ${JSON.stringify(latin1FromBytes(body))}`
    return `${list.methodOf(index)} ${list.urlOf(index)}${typeText}${bodyText}`
  })
}

const lines: [reason: string, line: string, wanted: string][] = [
  ['a URL', 'http://h/a', 'GET http://h/a'],
  ['blanks around it', ' \t http://h/a \t', 'GET http://h/a'],
  ['a fragment is not sent', 'http://h/a#b', 'GET http://h/a'],
  ['a comment behind a blank', 'http://h/a # note POST x', 'GET http://h/a'],
  ['a comment behind blanks in a URL', 'http://h/a b # note', 'GET http://h/a%20b'],
  ['a blank in a URL is escaped, as in siege', 'http://h/a b.html', 'GET http://h/a%20b.html'],
  ['a query without a path keeps the body apart', 'h:81?x POST a=b', 'POST http://h:81/?x "a=b"'],
  ['no scheme: no slash is added to the body', 'h:81 POST a=b', 'POST http://h:81/ "a=b"'],
  ['a method in any case', 'http://h/a post x', 'POST http://h/a "x"'],
  ['tabs between the fields', 'http://h/a\tPUT\tx', 'PUT http://h/a "x"'],
  ['the body keeps its blanks', 'http://h/a POST   a  b ', 'POST http://h/a "a  b "'],
  ['a body may hold method words', 'http://h/a PUT x POST y', 'PUT http://h/a "x POST y"'],
  ['a body may hold a #', 'http://h/a POST a #b', 'POST http://h/a "a #b"'],
  ['a body may begin with #', 'http://h/a POST #b', 'POST http://h/a "#b"'],
  ['GET has no body by its nature: # is a comment', 'http://h/a GET # b', 'GET http://h/a'],
  ['JSON with quotes', 'http://h/ POST {"f": "two words", "d": "<x>"}', ''],
  ['quotes around the line', `'http://h/ POST {"a":1}'`, 'POST http://h/ "{\\"a\\":1}"'],
  ['other quotes around it', '"http://h/a"', 'GET http://h/a'],
  ['quotes around the URL alone', '"http://h/" POST "x"', 'POST http://h/ "\\"x\\""'],
  ['no body', 'http://h/a DELETE', 'DELETE http://h/a'],
  ['POST without a body', 'http://h/a POST', 'POST http://h/a'],
  ['PATCH', 'http://h/x PATCH {"a":1}', 'PATCH http://h/x "{\\"a\\":1}"'],
  ['HEAD', 'http://h/i HEAD', 'HEAD http://h/i'],
  ['OPTIONS', 'http://h/i OPTIONS', 'OPTIONS http://h/i'],
  ['TRACE', 'http://h/i TRACE', 'TRACE http://h/i'],
  ['GET is sent as GET', 'http://h/n GET', 'GET http://h/n'],
  ['curl’s @file is a body', 'http://h/ POST @./x.bin', 'POST http://h/ "@./x.bin"'],
  [
    '-T',
    'http://h/ POST -T application/json; {"a":1}',
    'POST http://h/ !application/json "{\\"a\\":1}"',
  ],
  ['-T without ;', 'http://h/ POST -T text/css x y', 'POST http://h/ !text/css "x y"'],
  ['-T without a blank behind ;', 'http://h/ PUT -T a/b;{x}', 'PUT http://h/ !a/b "{x}"'],
  ['a form behind -T is no parameter', 'http://h/ PUT -T a/b;c=d', 'PUT http://h/ !a/b "c=d"'],
  [
    '-T with parameters',
    'http://h/ POST -T a/b;boundary=B; x',
    'POST http://h/ !a/b;boundary=B "x"',
  ],
  ['the last -T wins', 'http://h/ POST -T a/b; -T c/d; x', 'POST http://h/ !c/d "x"'],
  ['-T inside a word is text', 'http://h/ POST a-T b', 'POST http://h/ "a-T b"'],
  ['-T behind the body’s start is text', 'http://h/ POST a -T b', 'POST http://h/ "a -T b"'],
  ['-T alone', 'http://h/ POST -T text/plain', 'POST http://h/ !text/plain'],
  ['a file', 'http://h/ POST < ./d.json', 'POST http://h/ application/json "{\\"a\\": 1}\\n"'],
  [
    'a file without a blank',
    'http://h/ PUT <./d.json ',
    'PUT http://h/ application/json "{\\"a\\": 1}\\n"',
  ],
  ['an explicit type beats the file’s', 'http://h/ PUT -T a/b; < empty', 'PUT http://h/ !a/b ""'],
  ['a file name with a blank', 'http://h/ PUT < my file.bin', ''],
  ['a file name in UTF-8', 'http://h/ PUT < é.csv', ''],
  ['an empty file is an empty body', 'http://h/ PUT < empty', 'PUT http://h/ ""'],
  ['a tag is a body', 'http://h/ PUT <a>b</a>', 'PUT http://h/ "<a>b</a>"'],
  ['XML is a body', 'http://h/ PUT <?xml version="1.0"?><a/>', ''],
  ['credentials are not shown', 'http://u:p@h/a', 'GET http://h/a'],
  [
    '$ is a dollar unless it is a variable',
    'http://h/ PUT $10 $$ $ $x',
    'PUT http://h/ "$10 $$ $ $x"',
  ],
  ['an escaped dollar', 'http://h/ PUT \\$10 \\$(HOME)', 'PUT http://h/ "$10 $(HOME)"'],
]

/** Rows whose wanted text would be long enough to hide the reason. */
const longWanted: Readonly<Record<string, string>> = {
  'JSON with quotes': 'POST http://h/ "{\\"f\\": \\"two words\\", \\"d\\": \\"<x>\\"}"',
  'a file name with a blank': `PUT http://h/ application/octet-stream ${rawText}`,
  'a file name in UTF-8': `PUT http://h/ text/csv ${rawText}`,
  'XML is a body': 'PUT http://h/ "<?xml version=\\"1.0\\"?><a/>"',
}

for (const [reason, line, wanted] of lines) {
  test(`readUrlList() reads ${JSON.stringify(line)}: ${reason}`, () => {
    assert.deepEqual(shown(read(`${line}\n`)), [longWanted[reason] ?? wanted])
  })
}

const wrongLines: [reason: string, line: string, wanted: string][] = [
  [
    'an unknown verb',
    'http://h/ FOO a=1',
    '1:11: "FOO" is not a method that onager sends: use GET, HEAD',
  ],
  [
    'a misspelt verb',
    'http://h/ PSOT a=1',
    '1:11: "PSOT" is not a method that onager sends: did you mean POST?',
  ],
  [
    'a far verb',
    'http://h/ PROPFIND',
    '1:11: "PROPFIND" is not a method that onager sends: use GET, HEAD',
  ],
  ['CONNECT', 'http://h/ CONNECT', '1:11: "CONNECT" is not a method that onager sends'],
  [
    'a blank in a URL with a method',
    '  http://h/a b POST x',
    '1:13: the URL before POST has a blank in it: write %20',
  ],
  ['a header', 'http://h/a -H "X: 1"', '1:12: a line cannot have headers of its own'],
  [
    'a header behind a method',
    'http://h/a POST -H "X: 1" x',
    '1:17: a line cannot have headers of its own',
  ],
  ['-T without a method', 'http://h/a -T a/b; x', '1:12: -T belongs behind the method'],
  ['-T without a type', 'http://h/a POST -T', '1:17: -T needs a content type'],
  ['a body that may not be', 'http://h/a TRACE x', '1:18: TRACE cannot have a body'],
  [
    'a file that is not there',
    'http://h/ POST < ./no.bin',
    '1:16: the body file "./no.bin" cannot be read: no such file',
  ],
  ['no file name', 'http://h/ POST <', '1:16: a file name belongs behind "<"'],
  ['a bad URL', '\thtp://h/', '1:2: "htp" is not a scheme'],
  ['a bad port', '"http://h:x/" POST a', '1:11: "x" is not a port'],
  ['quotes shift columns right', '"http://h/" POST -T', '1:18: -T needs a content type'],
  ['an undefined variable', ' http://h/$(UNDEF)', '1:11: $(UNDEF) has no value'],
  ['an undefined variable in a value', 'A = x${UNDEF}', '1:6: $(UNDEF) has no value'],
]

for (const [reason, line, wanted] of wrongLines) {
  test(`readUrlList() refuses ${JSON.stringify(line)}: ${reason}`, () => {
    const problems = shown(read(`${line}\n`))
    assert.equal(problems.length, 1)
    assert.ok(problems[0]?.startsWith(`urls.txt:${wanted}`), problems[0])
  })
}

test('readUrlList() takes BOM, CRLF, comments, blank lines, indents and no final newline', () => {
  const text =
    '\ufeffhttp://h/p1\r\n# c\r\n\r\n  http://h/p2  \r\nhttp://h/ POST a=1\r\n\t# d\nhttp://h/p3'
  const wanted = ['GET http://h/p1', 'GET http://h/p2', 'POST http://h/ "a=1"', 'GET http://h/p3']
  assert.deepEqual(shown(read(text)), wanted)
})

test('readUrlList() takes lines that end in a lone carriage return', () => {
  assert.deepEqual(shown(read('http://h/a\rhttp://h/b\r\rhttp://h/c')), [
    'GET http://h/a',
    'GET http://h/b',
    'GET http://h/c',
  ])
})

test('readUrlList() expands NAME=value and NAME = value; the first definition wins', () => {
  const text = [
    'HOST=127.0.0.1:8080',
    'ID = 7 # seven',
    'ID = 8',
    'BASE = http://$(HOST)/$UNDEFINED',
    '$BASE?id=${ID}',
    'http://$HOST/v1?id=$ID POST {"p": "costs $10 each"}',
    'http://$HOST${HOME}',
  ]
  assert.deepEqual(shown(read(text.join('\n'))), [
    'GET http://127.0.0.1:8080/$UNDEFINED?id=7',
    'POST http://127.0.0.1:8080/v1?id=7 "{\\"p\\": \\"costs $10 each\\"}"',
    'GET http://127.0.0.1:8080/home/zo%C3%AB',
  ])
})

test('readUrlList() never takes the written form of a variable for a host', () => {
  // The value is as long as its reference, so that the path begins at the same column.
  const text = 'http://$(XYZ)/a\nXYZ = other\nhttp://$(XYZ)/b\n'
  const wanted = ['GET http://abcdef/a', 'GET http://other/b']
  assert.deepEqual(shown(read(text, { environment: () => 'abcdef' })), wanted)
})

test('readUrlList() keeps lines and operands of a megabyte whole', () => {
  const long = 'x'.repeat(1_000_000)
  for (const result of [
    read(`http://h/${long}\nhttp://h/ POST ${long}\n`),
    targetsFromOperands([`http://h/${long}`, `http://h/ POST ${long}`], settings),
  ]) {
    assert.ok('targets' in result)
    const list = new TargetList(result.targets)
    assert.equal(list.requestTargetByteCountOf(0), 1_000_001)
    assert.equal(list.bodyByteCountOf(1), 1_000_000)
  }
})

test('readUrlList() sends non-ASCII bodies as the bytes they are, UTF-8 or not', () => {
  const inline = 'http://h/ POST {"n":"Zoë ✓😀"}'
  const result = read(inline)
  assert.ok('targets' in result)
  const wanted = new TextEncoder().encode('{"n":"Zoë ✓😀"}')
  assert.deepEqual(new TargetList(result.targets).bodyOf(0), wanted)
  const operand = targetsFromOperands([inline], settings)
  assert.ok('targets' in operand)
  assert.deepEqual(new TargetList(operand.targets).bodyOf(0), wanted)
  assert.deepEqual(shown(read(bytesFromLatin1('http://h/ POST \xff\xa0'))), [
    'POST http://h/ "ÿ\xa0"',
  ])
})

test('readUrlList() stores a body file once and sends its bytes exactly', () => {
  let readCount = 0
  const readFile = () => {
    readCount++
    return rawFile
  }
  const result = read('http://h/ POST < raw.txt\n'.repeat(1000), { readFile })
  assert.ok('targets' in result)
  assert.equal(readCount, 1)
  assert.deepEqual(new TargetList(result.targets).bodyOf(999), rawFile)
  assert.equal(result.targets.arena.length, rawFile.length + 1000)
})

test('readUrlList() says so when there is nothing to send', () => {
  const wanted = ['urls.txt: there is no URL in this file']
  assert.deepEqual(shown(read('')), wanted)
  assert.deepEqual(shown(read('# http://h/\n\n A = b\n')), wanted)
})

test('readUrlList() names a file in UTF-16', () => {
  assert.match(shown(read(Uint8Array.of(0xff, 0xfe, 104, 0)))[0] ?? '', /UTF-16/)
})

test('readUrlList() tells all problems at once, a bad file once, and caps their number', () => {
  const text = 'http://h/\nhtp://h/\nhttp://h/ POST < no\nhttp://h/ PUT < no\nhttp://h:0/\n'
  assert.deepEqual(
    shown(read(text)).map((problem) => problem.slice(0, 13)),
    ['urls.txt:2:1:', 'urls.txt:3:16', 'urls.txt:5:10'],
  )
  const many = shown(read('htp://h/\n'.repeat(25)))
  assert.equal(many.length, 21)
  assert.equal(many[20], 'urls.txt: and 5 more problems')
})

test('readUrlList() numbers targets by their line', () => {
  const result = read('http://h/a\n\nhttp://h/b\n# c\nhttp://h/c POST x\n')
  assert.ok('targets' in result)
  const list = new TargetList(result.targets)
  assert.deepEqual(
    [0, 1, 2].map((index) => list.sourceLineOf(index)),
    [1, 3, 5],
  )
})

test('readUrlList() gives credentials to the lines that have them alone', () => {
  const result = read('http://u:p@h/a\nhttp://h/b\nhttp://u:p@h/c\n')
  assert.ok('targets' in result)
  const list = new TargetList(result.targets)
  const login = { user: 'u', password: 'p' }
  assert.deepEqual(
    [0, 1, 2].map((index) => list.credentialsOf(index)),
    [login, null, login],
  )
  assert.equal(result.targets.origins.length, 1)
})

test('readUrlList() reads a line by the fast way and by the slow one alike', () => {
  // Fast is a prefix that was seen before; a line alone in its list is always read slowly.
  const prefix = fc.constantFrom(
    ...['http://h', 'http://h:81', 'h', 'http://h/', 'HTTP://H', 'https://h', 'http://a://b'],
    ...['"http://h', "'http://h", ' http://h', 'http://u@h', 'http://', 'h:', 'h POST a', 'h # a'],
  )
  const rest = fc.constantFrom(
    ...['', '/', '/a', '/b?c=d&e', "/a'", '/a"', '/a b', '/a#b', '/%41', '/%', '/~', '/$x', '/\\$'],
    ...['/a POST x', '/a POST x/y', '?x=/y', '//b', '://b', '/\xe9', '/a\r', '/a \r', '/ # c'],
  )
  const line = fc.tuple(prefix, rest).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (all, isEscaping) => {
      // A line without line feed in the whole file would make the carriage return a line end.
      const alone = all.map((one) => shown(read(bytesFromLatin1(`${one}\n`), { isEscaping })))
      const kept = all.filter((_, index) => !alone[index]?.[0]?.startsWith('urls.txt:'))
      const together = shown(read(bytesFromLatin1(`${kept.join('\n')}\n`), { isEscaping }))
      const wanted = alone.flat().filter((one) => !one.startsWith('urls.txt:'))
      if (wanted.length > 0) assert.deepEqual(together, wanted)
    }),
    { numRuns: 1500 },
  )
})

test('readUrlList() turns any bytes into targets or problems', () => {
  const pieces = fc.constantFrom(
    ...[
      'http://h',
      '/a',
      ' ',
      '\t',
      '\n',
      '\r',
      'POST',
      '-T',
      '<',
      '#',
      '$(',
      ')',
      '=',
      '"',
      ';',
      'A',
    ],
    ...['\0', '\xff', '%', '\xef\xbb\xbf', '[::1]', ':', '-H', '\\'],
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(pieces, { maxLength: 40 }).map((all) => bytesFromLatin1(all.join(''))),
  )
  fc.assert(
    fc.property(bytes, fc.boolean(), (written, isEscaping) => {
      const result = read(written, { isEscaping })
      if ('problems' in result) assert.ok(result.problems.length > 0)
      else assert.ok(result.targets.count > 0)
    }),
    { numRuns: 3000 },
  )
})

test('targetsFromOperands() makes a list of several URLs, verbatim', () => {
  const operands = [' http://h/a ', 'h/b POST {"p": "$10 \\$(X) $HOME"}', 'http://h/ POST a\nb\n']
  assert.deepEqual(shown(targetsFromOperands(operands, settings)), [
    'GET http://h/a',
    'POST http://h/b "{\\"p\\": \\"$10 \\\\$(X) $HOME\\"}"',
    'POST http://h/ "a\\nb\\n"',
  ])
})

test('targetsFromOperands() numbers problems by operand when there are several', () => {
  assert.deepEqual(shown(targetsFromOperands(['htp://h/'], settings)), [
    'URL "htp://h/": "htp" is not a scheme onager knows: did you mean "http"?',
  ])
  assert.deepEqual(shown(targetsFromOperands(['h', '', 'h:0'], settings)), [
    'URL 2 "": the URL has no host',
    'URL 3 "h:0": "0" is not a port: it is 1 to 65535',
  ])
})

test('targetsFromOperands() shows the quotes that were forgotten around a method', () => {
  assert.deepEqual(shown(targetsFromOperands(['http://h/', 'POST', '{a:', '1}'], settings)), [
    'URL 2 "POST": a method belongs in one argument with its URL; ' +
      "quote both: 'http://h/ POST {a: 1}'",
  ])
})
