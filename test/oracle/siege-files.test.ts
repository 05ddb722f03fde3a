/** siege's own files run unchanged: Debian's siegerc, the template of siege.config, urls.txt. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reportOf } from '../cli/siege-run.ts'
import { tempFolder } from '../support/files.ts'
import { answering, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { alikeRequest, alikeText } from './rules.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n'
const DEBIAN_FOLDER = '/etc/siege'

test("Debian's /etc/siege/siegerc and urls.txt are read without a complaint", async (t) => {
  if (requirePart(t, 'siege') === undefined) return
  if (!existsSync(DEBIAN_FOLDER)) return t.skip('siege is not that of Debian')
  const rcFile = join(DEBIAN_FOLDER, 'siegerc')
  const dump = await runCli('siege', ['-C', '-R', rcFile])
  assert.deepEqual([dump.status, dump.stderr], [0, ''])
  assert.match(dump.stdout, /^concurrent users: {15}25$/m)

  const server = await startRawServer(t, answering(OK))
  const outcome = await runCli('siege', ['-R', rcFile, '-r2', server.url])
  assert.deepEqual([outcome.status, outcome.stderr], [0, '\n'])
  // It says json_output = true.
  assert.equal(reportOf(outcome).transactions, 50)

  // Its urls.txt holds comments only, so that nothing can be requested.
  const empty = await runCli('siege', ['-R', rcFile, '-f', join(DEBIAN_FOLDER, 'urls.txt')])
  assert.equal(empty.status, 2)
  assert.match(empty.stderr, /^siege: \/etc\/siege\/urls\.txt: there is no URL in this file\n$/)
})

test('a home that real siege has set up is used as it is', async (t) => {
  const realSiege = requirePart(t, 'siege')
  if (realSiege === undefined) return
  const home = tempFolder(t)
  const server = await startRawServer(t, answering(OK))
  // The first run of real siege writes ~/.siege/siege.conf.
  await runProgram(realSiege, ['-c1', '-r1', server.url], { home })
  const conf = join(home, '.siege', 'siege.conf')
  const before = readFileSync(conf, 'utf8')
  const names = readdirSync(join(home, '.siege')).sort()
  const outcome = await runCli('siege', ['-c2', '-r2', server.url], { home })
  assert.deepEqual([outcome.status, outcome.stderr], [0, '\n'])
  assert.equal(reportOf(outcome).transactions, 4)
  assert.equal(readFileSync(conf, 'utf8'), before)
  assert.deepEqual(readdirSync(join(home, '.siege')).sort(), names)
  assert.equal(server.requests.length, 5)
  assert.equal(alikeRequest(server.requests[1]!.raw), alikeRequest(server.requests[0]!.raw))
})

/** A list as people write it for siege 4.0.7, with everything that it understands. */
function urlsText(url: string): string {
  const host = url.replace('http://', '')
  return [
    '# URLs of the shop',
    `HOST=${host}`,
    'PAGE=catalogue',
    'QUERY=a=1&b=2',
    '',
    'http://$(HOST)/plain',
    '  http://${HOST}/indented  ',
    '\t# an indented comment',
    'http://$(HOST)/$(PAGE)/${PAGE}.html?$(QUERY)',
    '$(HOST)/no-scheme',
    `${url}/crlf\r`,
    `${url}/post POST name=value&other=two words`,
    `${url}/json POST {"a": "b c", "d": [1, 2]}`,
    `${url}/put PUT x`,
    `${url}/patch PATCH {"$(PAGE)":1}`,
    `${url}/file POST <./body.png`,
    `${url}/file2 POST < body.png`,
    `${url}/fragment#part`,
    `${url}/escape me/"q"?a=<b>&c=\u00e9`,
    url,
    'HOST=ignored:1',
    'http://$(HOST)/first-definition-wins',
    `${url}/last-line-without-newline`,
  ].join('\n')
}

test('a urls.txt for siege sends what siege sends, line for line', async (t) => {
  const realSiege = requirePart(t, 'siege')
  if (realSiege === undefined) return
  const server = await startRawServer(t, answering(OK))
  const home = tempFolder(t)
  mkdirSync(join(home, '.siege'))
  writeFileSync(join(home, 'urls.txt'), urlsText(server.url))
  writeFileSync(join(home, 'body.png'), 'raw\r\nbytes \x00\xff\n', 'latin1')
  const rc =
    'verbose = true\ncolor = off\njson_output = false\nparser = false\nprotocol = HTTP/1.1\n'
  writeFileSync(join(home, 'rc'), `${rc}accept-encoding = gzip, deflate\nchunked = true\n`)
  const words = ['-R', 'rc', '-c1', '-r20', '-T', 'a/b', '-f', 'urls.txt']
  const real = await runProgram(realSiege, words, { home })
  const realRequests = server.requests.map(({ raw }) => alikeRequest(raw))
  assert.equal(realRequests.length, 20)
  const ours = await runCli('siege', ['--classic', ...words], { home })
  const ourRequests = server.requests.slice(20).map(({ raw }) => alikeRequest(raw))
  assert.deepEqual(ourRequests, realRequests)
  assert.equal(alikeText(ours.stdout), alikeText(real.stdout))
  assert.equal(alikeText(ours.stderr), alikeText(real.stderr))
})

test('-C shows every setting that siege shows, in its order and columns', async (t) => {
  const realSiege = requirePart(t, 'siege')
  if (realSiege === undefined) return
  const home = tempFolder(t)
  mkdirSync(join(home, '.siege'))
  writeFileSync(join(home, 'rc'), 'concurrent = 3\nverbose = true\nprotocol = HTTP/1.1\n')
  const words = ['-C', '-R', 'rc', '-r7', '-t5S', '-d2']
  const real = await runProgram(realSiege, words, { home })
  const ours = await runCli('siege', words, { home })
  const labels = (text: string) => [...text.matchAll(/^([\w -]+:) {2,}/gm)].map((found) => found[0])
  assert.deepEqual(
    labels(ours.stdout).filter((label) => labels(real.stdout).includes(label)),
    labels(real.stdout),
  )
})
