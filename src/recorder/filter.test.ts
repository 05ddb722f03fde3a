/** Which requests are recorded: hosts, patterns, methods, and parts of pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, type FilterSettings, RequestFilter } from './filter.ts'
import { siteFrom } from './recorded-request.ts'

function takes(settings: Partial<FilterSettings>, url: string, rest: Partial<Candidate> = {}) {
  const [, scheme = '', authority = '', requestTarget = ''] =
    /^(\w+):\/\/([^/]*)(\/.*)$/.exec(url) ?? []
  const site = siteFrom(scheme === 'https' ? 'https' : 'http', authority)
  assert.ok(site !== null)
  const all = { methods: [], hosts: [], includes: [], excludes: [], isWithoutResources: false }
  const filter = new RequestFilter({ ...all, ...settings })
  return filter.takes({ site, requestTarget, method: 'GET', destination: undefined, ...rest })
}

test('RequestFilter knows hosts by name, by name and port, and by domain', () => {
  for (const [host, url, expected] of [
    ['example.com', 'http://example.com/', true],
    ['example.com', 'https://EXAMPLE.com:8443/', true],
    ['example.com', 'http://www.example.com/', false],
    ['*.example.com', 'http://a.b.example.com/', true],
    ['*.example.com', 'http://example.com/', false],
    ['*.example.com', 'http://x-example.com/', false],
    ['example.com:80', 'http://example.com/', true],
    ['example.com:8080', 'http://example.com/', false],
    ['a.b', 'http://axb/', false],
    ['[::1]', 'http://[::1]/', true],
  ] as const) {
    assert.equal(takes({ hosts: [host] }, url), expected, `${host} ${url}`)
  }
})

test('RequestFilter looks for patterns anywhere in the URL; an exclusion beats all', () => {
  const url = 'https://h:8443/api/v1?a=(b)'
  for (const pattern of ['/api/', 'h:8443', 'https://', 'api*a=', '(b)', '*']) {
    assert.ok(takes({ includes: ['nope', pattern] }, url), pattern)
    assert.ok(!takes({ includes: [pattern], excludes: [pattern] }, url), pattern)
  }
  for (const pattern of ['/API/', 'a.i', 'v1*v1', '[b]']) {
    assert.ok(!takes({ includes: [pattern] }, url), pattern)
    assert.ok(takes({ excludes: [pattern] }, url), pattern)
  }
})

test('RequestFilter believes a browser about what is a part of a page, and else the name', () => {
  const without = { isWithoutResources: true }
  for (const [path, destination, expected] of [
    ['/logo', 'image', false],
    ['/font', 'font', false],
    ['/a.js', 'script', false],
    ['/page.png', 'document', true],
    ['/data.js', 'empty', true],
    ['/frame', 'iframe', true],
    ['/a.css?v=1', undefined, false],
    ['/a.woff2', undefined, false],
    ['/a.html', undefined, true],
    ['/page?file=a.png', undefined, true],
  ] as const) {
    assert.equal(takes(without, `http://h${path}`, { destination }), expected, path)
    assert.ok(takes({}, `http://h${path}`, { destination }))
  }
})
