/** The recording proxy between raw clients and raw servers: what passes, what is written down. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { TargetList } from '../src/plan/target-list.ts'
import { readUrlList } from '../src/plan/url-list.ts'
import { freePort } from './support/ports.ts'
import { answering, type RawConnection, startRawServer } from './support/raw-server.ts'
import { rawClient, startTestRecorder } from './support/recording.ts'
import { eventually } from './support/timing.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('the recorder passes requests on one connection in order, and writes a line for each', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    while ((await connection.request()) !== null) await connection.send(OK)
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  const site = `127.0.0.1:${server.port}`
  client.send(`GET ${server.url}/a?b=c HTTP/1.1\r\nHost: ${site}\r\n\r\n`)
  await client.until(/ok$/)
  const post = 'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
  client.send(`POST ${server.url}/p HTTP/1.1\r\nHost: ${site}\r\n${post}`)
  await client.until(/ok[\s\S]*ok$/)
  client.send(`DELETE ${server.url} HTTP/1.1\r\nHost: ${site}\r\nConnection: close\r\n\r\n`)
  const received = await client.ended()
  assert.equal(received.match(/HTTP\/1\.1 200 OK/g)?.length, 3)
  assert.deepEqual(
    server.requests.map(({ method, requestTarget, body }) => [method, requestTarget, body]),
    [
      ['GET', '/a?b=c', ''],
      ['POST', '/p', '{"a":1}'],
      ['DELETE', '/', ''],
    ],
  )
  assert.equal(server.connectionCount, 1, 'a kept connection is used again')
  assert.deepEqual(recorder.lines(), [
    `${server.url}/a?b=c`,
    `${server.url}/p POST -T application/json; {"a":1}`,
    `${server.url}/ DELETE`,
  ])
})

test('the recorder takes off what is about one connection, and passes on the rest as written', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send(
      'HTTP/1.1 299 Very Fine\r\nX-One: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n' +
        'Connection: close, x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n' +
        'Transfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n3\r\nabc\r\n0\r\nX-End: yes\r\n\r\n',
    )
    connection.end()
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  client.send(
    `GET ${server.url}/ HTTP/1.1\r\nHost: wrong.example\r\nX-MiXed: \xe9\r\nX-Two: 1\r\nX-Two: 2\r\n` +
      'Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nTE: trailers\r\n' +
      'Connection: x-mine\r\nX-Mine: 1\r\n\r\n',
  )
  const received = await client.until(/\r\n0\r\n[\s\S]*\r\n\r\n$/)
  const [request] = server.requests
  const host = `127.0.0.1:${server.port}`
  assert.deepEqual(request?.fields, [
    ['Host', host],
    ['X-MiXed', '\xe9'],
    ['X-Two', '1'],
    ['X-Two', '2'],
    ['Connection', 'keep-alive'],
  ])
  assert.match(received, /^HTTP\/1\.1 299 Very Fine\r\nX-One: 1\r\n/)
  assert.match(received, /Set-Cookie: a=1\r\nset-cookie: b=2\r\n/)
  assert.doesNotMatch(received, /X-Hop|timeout=5/)
  assert.match(received, /\r\n3\r\nabc\r\n0\r\nX-End: yes\r\n\r\n$/)
})

test('the recorder passes answers without a body: HEAD, 204 and 304', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    for (const head of ['200 OK\r\nContent-Length: 5', '204 No Content', '304 Not Modified']) {
      await connection.request()
      await connection.send(`HTTP/1.1 ${head}\r\nETag: "x"\r\n\r\n`)
    }
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  for (const [method, expected] of [
    ['HEAD', /Content-Length: 5\r\n[\s\S]*\r\n\r\n$/],
    ['GET', /204 No Content\r\n[\s\S]*\r\n\r\n$/],
    ['GET', /304 Not Modified\r\n[\s\S]*\r\n\r\n$/],
  ] as const) {
    client.send(`${method} ${server.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    await client.until(expected)
  }
  assert.deepEqual(recorder.lines(), [`${server.url}/ HEAD`, `${server.url}/`, `${server.url}/`])
})

test('the recorder keeps binary, chunked and long bodies byte by byte, in files of their own', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    while ((await connection.request()) !== null) await connection.send(OK)
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const long = Buffer.alloc(3_000_000, 'long body ')
  client.send(`PUT ${server.url}/binary HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n`)
  client.send('Transfer-Encoding: chunked\r\n\r\n')
  for (const half of [binary.subarray(0, 100), binary.subarray(100)]) {
    client.send(`${half.length.toString(16)}\r\n`)
    client.send(half)
    client.send('\r\n')
  }
  client.send('0\r\n\r\n')
  await client.until(/ok$/)
  client.send(`POST ${server.url}/long HTTP/1.1\r\nHost: x\r\nContent-Length: ${long.length}\r\n`)
  client.send('Content-Type: application/json; v="1"\r\nExpect: 100-continue\r\n\r\n')
  await client.until(/100 Continue\r\n\r\n$/)
  client.send(long)
  await client.until(/ok[\s\S]*ok$/)
  client.send(`GET ${server.url}/odd HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
  client.send('1\r\na\r\n0\r\n\r\n')
  await client.until(/ok[\s\S]*ok[\s\S]*ok$/)

  const bodies = server.requests.map(({ body }) => Buffer.from(body, 'latin1'))
  assert.ok(bodies[0]?.equals(binary) && bodies[1]?.equals(long))
  const read = readUrlList(
    { name: 'urls.txt', bytes: readFileSync(recorder.listPath) },
    { isEscaping: true, environment: () => undefined, readFile: (path) => readFileSync(path) },
  )
  assert.ok('targets' in read)
  const targets = new TargetList(read.targets)
  assert.deepEqual(
    [0, 1, 2].map((index) => [targets.methodOf(index), targets.contentTypeOf(index)]),
    [
      ['PUT', 'image/png'],
      ['POST', 'application/json; v="1"'],
      ['GET', null],
    ],
  )
  assert.ok(Buffer.from(targets.bodyOf(0) ?? []).equals(binary))
  assert.ok(Buffer.from(targets.bodyOf(1) ?? []).equals(long))
  assert.equal(Buffer.from(targets.bodyOf(2) ?? []).toString(), 'a')
  assert.deepEqual(readdirSync(`${recorder.listPath}.bodies`), ['0001.bin', '0002.json'])
})

test('the recorder streams: the first bytes of an answer arrive before the last are sent', async (t) => {
  let isFirstHere = false
  const rest = 8_000_000
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send(`HTTP/1.1 200 OK\r\nContent-Length: ${5 + rest}\r\n\r\nfirst`)
    await eventually(() => isFirstHere, 'the first bytes are passed on')
    for (let sent = 0; sent < rest; sent += 100_000) await connection.send(Buffer.alloc(100_000))
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  client.send(`GET ${server.url}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await client.until(/first$/)
  isFirstHere = true
  const received = await client.ended()
  assert.equal(received.length - received.indexOf('\r\n\r\n') - 4, 5 + rest)
})

test('a slow reader slows the writer, in both directions: nothing piles up in between', async (t) => {
  const idle = createServer((socket) => {
    // Sends without end and reads nothing.
    socket.pause()
    socket.on('error', () => {})
    const send = () => {
      while (socket.writable && socket.write(filler));
      socket.once('drain', send)
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    send()
    t.after(() => socket.destroy())
  })
  const filler = Buffer.alloc(65_536)
  await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve))
  t.after(() => idle.close())
  const address = idle.address()
  assert.ok(typeof address === 'object' && address !== null)
  const recorder = await startTestRecorder(t, { methods: ['PUT'] })
  const client = await rawClient(t, recorder.port)
  client.socket.pause()
  const bodyBytes = 200_000_000
  const before = process.memoryUsage().rss
  client.send(`POST http://127.0.0.1:${address.port}/ HTTP/1.1\r\nHost: x\r\n`)
  client.send(`Content-Length: ${bodyBytes}\r\n\r\n`)
  let sentBytes = 0
  let isStuck = false
  while (sentBytes < bodyBytes && !isStuck) {
    sentBytes += filler.length
    if (client.socket.write(filler)) continue
    const drained = new Promise<boolean>((resolve) =>
      client.socket.once('drain', () => resolve(false)),
    )
    isStuck = await Promise.race([drained, pause(1000, true)])
  }
  assert.ok(isStuck, `the recorder took all of ${sentBytes} bytes`)
  const grownBytes = process.memoryUsage().rss - before
  assert.ok(grownBytes < 120_000_000, `${grownBytes} bytes more`)
  client.socket.destroy()
})

test('a client that goes away ends the request to the server; one cut short has no line', async (t) => {
  const server = await startRawServer(t, async (connection: RawConnection) => {
    await connection.request()
    await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
    if ((await connection.request()) === null) connection.end()
  })
  const recorder = await startTestRecorder(t)
  const reader = await rawClient(t, recorder.port)
  reader.send(`GET ${server.url}/read HTTP/1.1\r\nHost: x\r\n\r\n`)
  await reader.until(/part$/)
  reader.socket.destroy()
  await eventually(() => server.openConnectionCount === 0, 'the download ends')

  const sender = await rawClient(t, recorder.port)
  sender.send(`POST ${server.url}/sent HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\npart`)
  await eventually(() => server.openConnectionCount === 1, 'the upload begins')
  sender.socket.destroy()
  await eventually(() => server.openConnectionCount === 0, 'the upload ends')
  assert.deepEqual(recorder.lines(), [`${server.url}/read`])
})

test('the recorder answers for servers that do not, each time with a sentence', async (t) => {
  const closing = await startRawServer(t, async (connection) => {
    await connection.request()
    connection.end()
  })
  const garbage = await startRawServer(t, answering('220 mail.example ESMTP\r\n'))
  const silent = await startRawServer(t, () => {})
  const recorder = await startTestRecorder(t, { timeoutMs: 2000 })
  for (const [url, status, sentence] of [
    [`http://127.0.0.1:${await freePort()}/`, 502, / refused the connection\./],
    [`${closing.url}/`, 502, / closed the connection before it answered\./],
    [`${garbage.url}/`, 502, / answered with what is not HTTP \(HPE_/],
    [`${silent.url}/`, 504, / did not answer in time\./],
    ['http://nowhere.invalid/', 502, /There is no address for the name nowhere\.invalid/],
    [`http://127.0.0.1:${recorder.port}/`, 508, / is the recorder itself/],
    [`http://localhost:${recorder.port}/`, 508, / is the recorder itself/],
    [`http://0.0.0.0:${recorder.port}/`, 508, / is the recorder itself/],
  ] as const) {
    const client = await rawClient(t, recorder.port)
    client.send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const received = await client.ended()
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), url)
    assert.match(received, sentence)
  }
  // Servers that had the request were asked, whatever they made of it.
  assert.deepEqual(recorder.lines(), [`${closing.url}/`, `${garbage.url}/`, `${silent.url}/`])
})

test('an answer that is cut short is cut short for the client too', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
    await connection.pause(50)
    connection.reset()
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  client.send(`GET ${server.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
  assert.match(await client.ended(), /Content-Length: 100\r\n[\s\S]*\r\n\r\npart$/)
})

test('a kept connection that the server has closed meanwhile costs nothing but a new one', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    const request = await connection.request()
    if (request === null) return
    await connection.send(OK)
    // The next request on it meets a reset.
    if ((await connection.request()) !== null) connection.reset()
  })
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  client.send(`GET ${server.url}/1 HTTP/1.1\r\nHost: x\r\n\r\n`)
  await client.until(/ok$/)
  client.send(`POST ${server.url}/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1`)
  await client.until(/ok[\s\S]*ok$/)
  assert.deepEqual(
    server.requests.map(({ requestTarget, body }) => requestTarget + body),
    ['/1', '/2a=1', '/2a=1'],
  )
  assert.deepEqual(recorder.lines(), [`${server.url}/1`, `${server.url}/2 POST a=1`])
})

test('lines stand in the order of the requests, however late a server is', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    while ((await connection.request()) !== null) await connection.send(OK)
  })
  const recorder = await startTestRecorder(t)
  const slow = await rawClient(t, recorder.port)
  slow.send(`POST ${server.url}/first HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na`)
  await eventually(() => server.openConnectionCount === 1, 'the first is under way')
  const quick = await rawClient(t, recorder.port)
  quick.send(`GET ${server.url}/second HTTP/1.1\r\nHost: x\r\n\r\n`)
  await quick.until(/ok$/)
  assert.deepEqual(recorder.lines(), [])
  slow.send('=1')
  await slow.until(/ok$/)
  assert.deepEqual(recorder.lines(), [`${server.url}/first POST a=1`, `${server.url}/second`])
})

test('filters leave requests out of the list, never out of the traffic', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    while ((await connection.request()) !== null) await connection.send(OK)
  })
  const recorder = await startTestRecorder(t, {
    isUnique: true,
    methods: ['GET', 'POST'],
    hosts: ['127.0.0.1'],
    includes: ['/api/', '*.html'],
    excludes: ['secret*key'],
    isWithoutResources: true,
  })
  const client = await rawClient(t, recorder.port)
  const host = `localhost:${server.port}`
  const requests = [
    ['GET', `${server.url}/api/1`, ''],
    ['GET', `${server.url}/api/1`, ''],
    ['POST', `${server.url}/api/1`, 'a=1'],
    ['POST', `${server.url}/api/1`, 'a=1'],
    ['POST', `${server.url}/api/1`, '\0'],
    ['POST', `${server.url}/api/1`, '\0'],
    ['PUT', `${server.url}/api/1`, ''],
    ['GET', `http://${host}/api/1`, ''],
    ['GET', `${server.url}/other`, ''],
    ['GET', `${server.url}/api/x.png?v=1`, ''],
    ['GET', `${server.url}/api/secret?key`, ''],
    ['GET', `${server.url}/a.html`, ''],
  ] as const
  for (const [index, [method, url, body]] of requests.entries()) {
    const length = method === 'GET' ? '' : `Content-Length: ${body.length}\r\n`
    client.send(`${method} ${url} HTTP/1.1\r\nHost: x\r\n${length}\r\n${body}`)
    await client.until(new RegExp(`(?:\\r\\nok[\\s\\S]*){${index + 1}}$`))
  }
  assert.equal(server.requests.length, requests.length)
  assert.deepEqual(recorder.lines(), [
    `${server.url}/api/1`,
    `${server.url}/api/1 POST a=1`,
    `${server.url}/api/1 POST < ${recorder.listPath}.bodies/0001.bin`,
    `${server.url}/a.html`,
  ])
  assert.deepEqual(readdirSync(`${recorder.listPath}.bodies`), ['0001.bin'])
})

test('the recorder says what it is when it is opened itself, and survives what is not HTTP', async (t) => {
  const recorder = await startTestRecorder(t)
  for (const [bytes, expected] of [
    ['GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /400 [\s\S]*this is a proxy/],
    ['\x16\x03\x01\x02\x00', /^HTTP\/1\.1 400 [\s\S]*not an HTTP request/],
    ['GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', / 400 /],
    ['CONNECT a/b HTTP/1.1\r\nHost: x\r\n\r\n', / 400 [\s\S]*a\/b is not a host and port/],
  ] as const) {
    const client = await rawClient(t, recorder.port)
    client.send(bytes)
    assert.match(await client.ended(), expected)
  }
  assert.deepEqual(recorder.lines(), [])
})

test('a WebSocket passes through in both directions and has no line', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: y\r\n\r\nhello',
    )
    const echoed = await connection.request()
    await connection.send(`${echoed?.requestTarget} end`)
  })
  const recorder = await startTestRecorder(t)
  const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'
  const site = `127.0.0.1:${server.port}`
  const plain = await rawClient(t, recorder.port)
  plain.send(`GET ${server.url}/chat HTTP/1.1\r\nHost: ${site}\r\n${fields}\r\n`)
  const tunnelled = await rawClient(t, recorder.port)
  tunnelled.send(`CONNECT ${site} HTTP/1.1\r\nHost: ${site}\r\n\r\n`)
  await tunnelled.until(/200 Connection established\r\n\r\n$/)
  tunnelled.send(`GET /chat HTTP/1.1\r\nHost: ${site}\r\n${fields}\r\n`)
  for (const client of [plain, tunnelled]) {
    await client.until(/101 Switching Protocols[\s\S]*Sec-WebSocket-Accept: y[\s\S]*\r\n\r\nhello$/)
    // Anything that ends in an empty line is a request to the raw server.
    client.send('X /frame\r\n\r\n')
    await client.until(/\/frame end$/)
  }
  assert.deepEqual(
    server.requests.map(({ method, valuesOf }) => [method, valuesOf('upgrade').join()]),
    [
      ['GET', 'websocket'],
      ['X', ''],
      ['GET', 'websocket'],
      ['X', ''],
    ].sort(),
  )
  assert.deepEqual(recorder.lines(), [])
})

test('an upgrade that the server declines is answered as the server answers', async (t) => {
  const answer = answering('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno')
  const server = await startRawServer(t, answer)
  const recorder = await startTestRecorder(t)
  const client = await rawClient(t, recorder.port)
  const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  client.send(`GET ${server.url}/chat HTTP/1.1\r\nHost: x\r\n${fields}\r\n`)
  assert.match(await client.ended(), /^HTTP\/1\.1 426 Upgrade Required\r\n[\s\S]*\r\n\r\nno$/)
})
