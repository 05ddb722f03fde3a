/**
 * The program of a server that answers by a timetable and notes when it did: run by `fork`.
 *
 * Requests are `GET /n`; each is answered `serviceMs` after it came, but none between the two moments
 * of the stall, which begin with the first request. A message `log` is answered with, for each n,
 * the monotonic clock at which its answer was handed to the kernel, in milliseconds.
 */
import { createServer, type Socket } from 'node:net'

const [serviceMs = 0, stallFromMs = 0, stallToMs = 0] = process.argv.slice(2).map(Number)
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

const sentAtMs: number[] = []
let firstMs = -1

/** The clock on which all processes of a machine agree. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function answer(socket: Socket, index: number): void {
  sentAtMs[index] = nowMs()
  socket.write(OK)
}

function asked(socket: Socket, index: number): void {
  const atMs = nowMs()
  if (firstMs < 0) firstMs = atMs
  const sinceMs = atMs - firstMs
  const stallMs = sinceMs >= stallFromMs && sinceMs < stallToMs ? stallToMs - sinceMs : 0
  if (serviceMs + stallMs === 0) answer(socket, index)
  else setTimeout(answer, serviceMs + stallMs, socket, index)
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      asked(socket, Number(text.slice('GET /'.length, text.indexOf(' ', 'GET /'.length))))
      text = text.slice(end + 4)
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
process.on('message', () => process.send?.(sentAtMs))
process.on('disconnect', () => process.exit())
