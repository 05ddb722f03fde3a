/** What is wrong with options, numbers, URLs, files and configuration: said once, nothing sent. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { answering, type RawServer, startRawServer } from '../support/raw-server.ts'
import { type SiegeRunOptions, siege } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

type Case = readonly [args: readonly string[], said: RegExp, options?: SiegeRunOptions]

/** Each of them ends with status 2 and one message a problem on stderr, and connects to nobody. */
async function refuses(server: RawServer, cases: readonly Case[]): Promise<void> {
  for (const [args, said, options = {}] of cases) {
    const { status, stdout, stderr } = await siege(args, options)
    const what = `siege ${args.join(' ')}\n${options.rc ?? ''}\n${stderr}`
    assert.deepEqual([status, stdout], [2, ''], what)
    assert.match(stderr, said, what)
    const lines = stderr.trimEnd().split('\n')
    for (const line of lines) assert.match(line, /^siege: /, what)
    assert.ok(lines.length <= (options.rc?.split('\n').length ?? 1) + 1, what)
  }
  assert.equal(server.connectionCount, 0)
}

function startOk(t: TestContext): Promise<RawServer> {
  return startRawServer(t, answering(OK))
}

test('unknown options and missing arguments are named, with the nearest option', async (t) => {
  const server = await startOk(t)
  const { url } = server
  await refuses(server, [
    [['--bogus', url], /--bogus/],
    [['--concurent=2', url], /--concurent.*--concurrent/],
    [['--timee', '1S', url], /--timee.*--time/],
    [['-Z', url], /-Z|'Z'/],
    [[url, '-c'], /-c/],
    [[url, '--reps'], /--reps/],
    [['--quiet=yes', url], /--quiet/],
    [['--co=1', url], /--co\b.*(?:--concurrent|--config|--content-type)/],
    [['–c5', url], /–/],
    [['—time=1S', url], /—/],
  ])
})

test('numbers, times and units that are none are refused', async (t) => {
  const server = await startOk(t)
  const { url } = server
  await refuses(server, [
    [['-c', 'abc', url], /-c.*"abc"/],
    [['-c0', url], /-c/],
    [['-c-3', url], /-c/],
    [['-c', '1.5', url], /1\.5/],
    [['-c99999999', url], /-c/],
    [['-r0', url], /-r/],
    [['-r', 'twice', url], /twice.*once|once.*twice/],
    [['-r-1', url], /-r/],
    [['-t5x', url], /5x/],
    [['-t1d', url], /1d/],
    [['-t', 'abc', url], /abc/],
    [['-t0', url], /-t/],
    [['-t', '-5S', url], /-5S/],
    [['-time=5S', url], /ime=5S/],
    [['-d-1', url], /-d/],
    [['-d', 'x', url], /-d/],
    [['--timeout=-1', url], /--timeout/],
    [['--threads=0', url], /--threads/],
  ])
})

test('header fields that are none are refused', async (t) => {
  const server = await startOk(t)
  const { url } = server
  await refuses(server, [
    [['-H', 'NoColon', url], /colon/],
    [['-H', 'X: a\r\nEvil: 1', url], /control/],
    [['-H', 'X Y: 1', url], /name/],
    [['-H', ': v', url], /name/],
    [['-A', 'a\nb', url], /-A/],
    [['-T', 'a\r\nb', url], /-T/],
    [['-m', 'a\nb', url], /-m/],
  ])
})

test('URLs that are none are refused, with what to write instead', async (t) => {
  const server = await startOk(t)
  const { url, port } = server
  await refuses(server, [
    [[''], /empty/],
    [['htp://127.0.0.1/'], /htp.*http/],
    [['gopher://127.0.0.1/'], /gopher/],
    [[`http://127.0.0.1:99999/`], /99999/],
    [[`http://127.0.0.1:0/`], /"0"|port/],
    [[`http://::1:${port}/`], /IPv6.*\[/],
    [['http:///x'], /host/],
    [['http:/127.0.0.1/'], /http:\/\//],
    [['http://a b/'], /blank|%20|URL/],
    [['http://a..b/'], /empty part/],
    [['http://300.1.1.1/'], /IPv4/],
    [[`${url}/x FOO a=1`], /FOO/],
    [[`${url}/x PSOT a=1`], /PSOT.*POST/],
    [[`${url}/x CONNECT`], /CONNECT/],
    [[url, 'htp://x/'], /URL 2/],
    [[], /no URL|urls\.txt/],
  ])
})

test('forgotten quotes are answered with the command line as it was meant', async (t) => {
  const server = await startOk(t)
  const { url } = server
  await refuses(server, [
    [[url, 'POST', 'a=1'], new RegExp(`siege .*-R \\S+ '${url} POST a=1'`)],
    [['-c1', url, 'DELETE'], /DELETE.*quotes.*-c1/],
    [['-l', 'my.log', url], /-lmy\.log/],
  ])
})

test('body files that cannot be read end it before anything is sent', async (t) => {
  const server = await startOk(t)
  const folder = tempFolder(t)
  const list = join(folder, 'urls.txt')
  writeFileSync(list, `${server.url}/ok\n\n${server.url}/up POST < ./nosuch.bin\n`)
  await refuses(server, [
    [[`${server.url}/up POST < ./nosuch.bin`], /\.\/nosuch\.bin/],
    [[`${server.url}/up POST <nosuch.bin`], /nosuch\.bin/],
    [[`${server.url}/up POST < ${folder}`], /folder/],
    [['-f', list], /urls\.txt:3.*nosuch\.bin/],
  ])
})

test('a file of URLs that is missing, empty, only comments or broken is named', async (t) => {
  const server = await startOk(t)
  const folder = tempFolder(t)
  const file = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  mkdirSync(join(folder, 'sub'))
  const bad = `# c\n${server.url}/1\nhttp://127.0.0.1:x/\nhtps://b/\n${server.url}/$(UNDEF)\n`
  await refuses(server, [
    [['-f', join(folder, 'none.txt')], /none\.txt.*no such file/],
    [['-f', '/dev/null'], /\/dev\/null/],
    [['-f', join(folder, 'sub')], /sub.*folder/],
    [['-f', file('comments.txt', '# a\n\n  # b\n')], /comments\.txt.*no URL/],
    [['-f', file('utf16.txt', Buffer.from('\ufeffhttp://x/\n', 'utf16le'))], /UTF-16/],
  ])
  const { status, stderr } = await siege(['-f', file('bad.txt', bad)])
  assert.equal(status, 2)
  const lines = stderr.trimEnd().split('\n')
  assert.equal(lines.length, 3, stderr)
  assert.match(lines[0]!, /bad\.txt:3.*"x" is not a port/)
  assert.match(lines[1]!, /bad\.txt:4.*https/)
  assert.match(lines[2]!, /bad\.txt:5.*UNDEF/)
  assert.equal(server.connectionCount, 0)
})

test('wrong lines of the siegerc are named by file and line, all at once', async (t) => {
  const server = await startOk(t)
  const { url } = server
  await refuses(server, [
    [[url], /siegerc:1: concurrent.*"many"/, { rc: 'concurrent = many\n' }],
    [[url], /siegerc:2: .*verbose.*"maybe"/, { rc: '# x\nverbose = maybe\n' }],
    [[url], /siegerc:1: .*header/, { rc: 'header = NoColon\n' }],
    [[url], /siegerc:1: .*protocol/, { rc: 'protocol = HTTP/3\n' }],
    [[url], /siegerc:1: .*connection/, { rc: 'connection = maybe\n' }],
    [[url], /siegerc:1.*\bNOPE\b/, { rc: 'url = $(NOPE)/x\n' }],
    [['-r1'], /"htp".*http/, { rc: 'url = htp://x/\n' }],
    [[url], /siegerc:2[\s\S]*siegerc:3/, { rc: '\ntime = x\ndelay = y\n' }],
  ])
})

test('an unknown name in the siegerc is a variable; a near miss of a directive is pointed out', async (t) => {
  const server = await startOk(t)
  const rc = 'nosuchkeyatall = 5\nconcurent = 3\n'
  const { status, stderr } = await siege(['-q', '-c1', '-r1', server.url], { rc })
  assert.equal(status, 0)
  assert.match(stderr, /siegerc:2: .*concurent.*did you mean concurrent\?/)
  assert.doesNotMatch(stderr, /nosuchkeyatall/)
})

test('a siegerc that was named and is not there is fatal, from -R and from SIEGERC', async (t) => {
  const server = await startOk(t)
  const env = { SIEGERC: '/nonexistent/x.conf' }
  await refuses(server, [
    [
      ['-R', '/nonexistent/y.conf', server.url],
      /\/nonexistent\/y\.conf.*no such file/,
      { rc: null },
    ],
    [[server.url], /\/nonexistent\/x\.conf.*SIEGERC/, { rc: null, env }],
    [['-R', '/', server.url], /folder/, { rc: null }],
  ])
})

test('TLS files and ciphers that are no such things end it before anything is sent', async (t) => {
  const server = await startOk(t)
  const url = server.url.replace('http:', 'https:')
  const garbage = join(tempFolder(t), 'garbage.pem')
  writeFileSync(garbage, 'garbage\n')
  await refuses(server, [
    [[url], /ssl-ciphers/, { rc: 'ssl-ciphers = nonsense\n' }],
    [[url], /ssl-cert names no certificate/, { rc: `ssl-cert = ${garbage}\n` }],
    [[url], /ssl-cert.*no such file/, { rc: 'ssl-cert = /nonexistent.pem\n' }],
    [['--ca', garbage, url], /ssl-ca .*names no certificate/],
    [['--ca', '/nonexistent.pem', url], /nonexistent\.pem.*no such file/],
  ])
})

test('all problems of a command line are told at once', async (t) => {
  const server = await startOk(t)
  const { status, stderr } = await siege(['-cx', '-ry', '--bogus', server.url])
  assert.equal(status, 2)
  assert.equal(stderr.trimEnd().split('\n').length, 3, stderr)
  assert.equal(server.connectionCount, 0)
})
