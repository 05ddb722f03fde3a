/** Servers that real ab and ours are both let loose on, well behaved and not. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDaemon } from '../support/daemon.ts'
import { projectRoot } from '../support/files.ts'
import type { RawRequest, RawScript } from '../support/raw-server.ts'
import type { Scope } from '../support/scope.ts'

/** Speaks HTTP as most servers do: keeps the connection only if asked to. */
export const good: RawScript = async (connection) => {
  for (;;) {
    const request = await connection.request()
    if (request === null) return connection.end()
    await connection.send(answerTo(request))
    if (!wantsKeepAlive(request)) return connection.end()
  }
}

function wantsKeepAlive(request: RawRequest): boolean {
  return request.valuesOf('connection').some((value) => /keep-alive/i.test(value))
}

function answerTo(request: RawRequest): string {
  const status = /\/(\d{3})\b/.exec(request.requestTarget)?.[1] ?? '200'
  const body = `answer to ${request.method}\n`
  const head = [
    `HTTP/1.1 ${status} Status`,
    'Server: Mini/1.0 (x y)',
    `Connection: ${wantsKeepAlive(request) ? 'Keep-Alive' : 'close'}`,
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${request.method === 'HEAD' ? '' : body}`
}

/** Python's http.server with its threads. */
export async function startPythonServer(scope: Scope, path: string): Promise<string> {
  const { port } = await startDaemon(scope, {
    path,
    prepare(place) {
      writeFileSync(join(place.folder, 'index.html'), '<p>Hello\n')
      return ['-m', 'http.server', String(place.port), '--bind', '127.0.0.1']
    },
  })
  return `http://127.0.0.1:${port}`
}

/** Our own practice site, `onager serve`. */
export async function startPracticeSite(scope: Scope): Promise<string> {
  const { port } = await startDaemon(scope, {
    path: process.execPath,
    prepare: (place) => [join(projectRoot, 'bin/onager.js'), 'serve', '--port', `${place.port}`],
  })
  return `http://127.0.0.1:${port}`
}

/** Answers once, whatever it was asked, and closes. */
function saying(...parts: readonly string[]): RawScript {
  return async (connection) => {
    if ((await connection.request()) === null) return connection.end()
    for (const part of parts) {
      await connection.send(part)
      if (parts.length > 1) await connection.pause(2)
    }
    connection.end()
  }
}

/** To HEAD it says nothing: the head would be all of the response, and the reset behind it. */
function resettingAfter(answer: string): RawScript {
  return async (connection) => {
    const request = await connection.request()
    if (answer !== '' && request?.method !== 'HEAD') {
      await connection.send(answer)
      await connection.pause(20)
    }
    connection.reset()
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'

/** By what they do, as a sentence goes on behind "a server that". */
export const hostileServers: Readonly<Record<string, RawScript>> = {
  'closes without a byte': saying(''),
  'sends garbage': saying('SSH-2.0-x\r\n\r\n'),
  'sends a body without any head': saying('hello'),
  'stops within the head': saying(`${OK}Content-Len`),
  'cuts the body short': saying(`${OK}Content-Length: 10\r\n\r\nhello`),
  'sends more than its length': saying(`${OK}Content-Length: 2\r\n\r\nhello`),
  'names two lengths': saying(`${OK}Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello`),
  'names a negative length': saying(`${OK}Content-Length: -5\r\n\r\nhello`),
  'ends lines with LF alone': saying('HTTP/1.0 200 OK\nContent-Length: 4\n\nokay'),
  'sends chunks': saying(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  'sends broken chunks': saying(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`),
  'sends hints first': saying(`HTTP/1.1 103 Hints\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`),
  'has no reason phrase': saying('HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'),
  'drips byte by byte': saying(...`${OK}Content-Length: 2\r\n\r\nok`),
  'resets every connection': resettingAfter(''),
  'resets within the body': resettingAfter(`${OK}Content-Length: 10\r\n\r\nhello`),
}
