/** What the settings of sockets do to connections, told by the system's own count of segments. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { AF_INET, IPPROTO_TCP, type Libc, loadLibc, SOCKET_FLAGS } from './libc.ts'
import { MappedSlab } from './mapped-slab.ts'
import { SOCKADDR_BYTES_MAX, writeSocketAddress } from './socket-address.ts'
import { SocketSettings } from './socket-settings.ts'

const TCP_INFO = 11
const TCP_INFO_BYTES = 232
/** `tcpi_segs_out` of struct tcp_info. */
const SEGMENTS_SENT_AT = 136
const ATTEMPT_COUNT = 20

const skip = process.platform === 'linux' ? false : 'these are settings of Linux'
const server = createServer()

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

/** Segments that a connection has sent when it is made and nothing was said on it. */
function segmentsToConnect(libc: Libc, settle: (fd: number, slab: MappedSlab) => void): number {
  const slab = new MappedSlab(libc)
  const address = slab.allocate(SOCKADDR_BYTES_MAX)
  const { port } = server.address() as AddressInfo
  const byteCount = writeSocketAddress({ address: '127.0.0.1', family: 4, port }, address, libc)
  const info = slab.allocate(TCP_INFO_BYTES + 4)
  const view = new DataView(info.buffer, info.byteOffset)
  view.setUint32(TCP_INFO_BYTES, TCP_INFO_BYTES, true)
  const infoAt = slab.addressOf(info)
  const fd = libc.socket(AF_INET, SOCKET_FLAGS, 0)
  try {
    settle(fd, slab)
    libc.connect(fd, slab.addressOf(address), byteCount)
    assert.equal(libc.getsockopt(fd, IPPROTO_TCP, TCP_INFO, infoAt, infoAt + TCP_INFO_BYTES), 0)
    return view.getUint32(SEGMENTS_SENT_AT, true)
  } finally {
    libc.close(fd)
  }
}

test("SocketSettings.apply() leaves the handshake's last ACK to the request", { skip }, () => {
  const libc = loadLibc()
  const plain = segmentsToConnect(libc, () => {})
  assert.equal(plain, 2, 'SYN and ACK')
  // The system sends the ACK after all when nothing comes for a while: a slow test tries again.
  const counts = Array.from({ length: ATTEMPT_COUNT }, () =>
    segmentsToConnect(libc, (fd, slab) => {
      assert.equal(new SocketSettings(libc, slab, {}).apply(fd, 4), 0)
    }),
  )
  assert.equal(Math.min(...counts), 1, 'SYN alone')
})
