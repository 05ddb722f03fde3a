/**
 * Speaks FTP by `basic-ftp`, for the node reactor only: it needs an event loop with promises.
 *
 * The library is loaded only for plans that use FTP. It brings the control connection and the order of
 * a transfer. Ours are the data connection, which has to be closed at any moment, and the cutting
 * of replies into lines (`ftp-reply-lines.ts`). Its timeouts are off: the engine watches.
 */
import { createRequire } from 'node:module'
import type net from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Client, FTPContext, FTPResponse } from 'basic-ftp'
import { FailureKind } from '../../metrics/outcome.ts'
import type { FtpEnding, FtpJob, FtpListener, FtpPort, FtpTransfer } from '../ftp-port.ts'
import { systemEnding } from './endings.ts'
import { FtpReplyLines } from './ftp-reply-lines.ts'

const PIECE_BYTES = 65_536
const COMMAND_MARK = '> '
const MASKED_PASSWORD = 'PASS *****'

type BasicFtp = typeof import('basic-ftp')
const require = createRequire(import.meta.url)
let library: BasicFtp | undefined

/** Some 30 ms, best spent before a clock runs. */
export function loadBasicFtp(): BasicFtp {
  library ??= require('basic-ftp') as BasicFtp
  return library
}

/** The library's own reader of the control connection, which it calls as a method. */
interface ReplyReader {
  _onControlSocketData(chunk: string): void
}

class NotFtpError extends Error {}

export const basicFtpPort: FtpPort = {
  start(job, listener) {
    const transfer = new BasicFtpTransfer(loadBasicFtp(), job, listener)
    queueMicrotask(() => void transfer.run())
    return transfer
  },
}

class BasicFtpTransfer implements FtpTransfer {
  readonly #library: BasicFtp
  readonly #job: FtpJob
  readonly #listener: FtpListener
  readonly #client: Client
  #dataSocket: net.Socket | undefined
  /** What an error of the system is about. */
  #waitsFor: 'control' | 'data' | 'transfer' = 'control'
  #isConnected = false
  #isOver = false

  constructor(basicFtp: BasicFtp, job: FtpJob, listener: FtpListener) {
    this.#library = basicFtp
    this.#job = job
    this.#listener = listener
    this.#client = new basicFtp.Client(0)
    const { ftp } = this.#client
    ftp.encoding = 'latin1'
    ftp.log = (message) => {
      if (this.#isOver || !message.startsWith(COMMAND_MARK)) return
      const line = message.slice(COMMAND_MARK.length)
      listener.commandSent(line.startsWith('PASS') ? MASKED_PASSWORD : line)
    }
    this.#client.prepareTransfer = (context) => this.#openDataConnection(context)
    this.#cutReplies(ftp)
  }

  get commandBytes(): number {
    return this.#client.ftp.socket.bytesWritten
  }

  abort(): void {
    this.#isOver = true
    this.#client.close()
    this.#dataSocket?.destroy()
  }

  /** Carries out the job; never rejects. */
  async run(): Promise<void> {
    if (this.#isOver) return
    try {
      this.#end(await this.#carryOut())
    } catch (error) {
      this.#end(this.#endingOf(error as NodeJS.ErrnoException))
    }
  }

  #end(ending: FtpEnding): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.ended(ending)
  }

  async #carryOut(): Promise<FtpEnding> {
    const { action, endpoint, path, user, password } = this.#job
    const client = this.#client
    const greeted = client.connect(endpoint.address, endpoint.port)
    client.ftp.socket.setNoDelay(true).once('connect', () => {
      this.#isConnected = true
      if (!this.#isOver) this.#listener.connected()
    })
    await greeted
    await client.login(user, password)
    await client.send('TYPE I')
    switch (action) {
      case 'download': {
        const sizeBytes = await this.#askSize()
        const { code } = await client.downloadTo(this.#makeSink(), path)
        return { how: 'done', code, sizeBytes }
      }
      case 'upload':
        return doneWith(await client.uploadFrom(this.#makeSource(), path))
      case 'size':
        return doneWith(await client.send(`SIZE ${path}`))
      case 'delete':
        return doneWith(await client.send(`DELE ${path}`))
    }
  }

  /** Undefined where the server does not say: SIZE came with RFC 3659, and not every server. */
  async #askSize(): Promise<number | undefined> {
    const { code, message } = await this.#client.sendIgnoringError(`SIZE ${this.#job.path}`)
    const digits = code === 213 ? /^213 +(\d+)/.exec(message)?.[1] : undefined
    return digits === undefined ? undefined : Number(digits)
  }

  #makeSink(): Writable {
    const { Writable } = process.getBuiltinModule('node:stream')
    return new Writable({
      write: (bytes: Uint8Array, _encoding, done) => {
        if (!this.#isOver) this.#listener.dataReceived(bytes)
        done()
      },
    })
  }

  #makeSource(): Readable {
    const body = this.#job.body ?? new Uint8Array(0)
    let startBytes = 0
    const { Readable } = process.getBuiltinModule('node:stream')
    const source = new Readable({
      read: () => {
        const piece = body.subarray(startBytes, startBytes + PIECE_BYTES)
        startBytes += piece.length
        if (piece.length > 0 && !this.#isOver) this.#listener.dataSent(piece.length)
        source.push(piece.length > 0 ? piece : null)
      },
    })
    return source
  }

  /**
   * Passive mode, always to the host of the control connection: what a server behind a NAT names
   * is wrong, and a server may not have us connect to others.
   */
  async #openDataConnection(context: FTPContext): Promise<FTPResponse> {
    const { address, family } = this.#job.endpoint
    const reply = await context.request(family === 6 ? 'EPSV' : 'PASV')
    const port = passivePort(reply.message)
    if (port === undefined) throw new NotFtpError(`no port for the data: ${reply.message}`)
    this.#waitsFor = 'data'
    const { connect } = process.getBuiltinModule('node:net')
    const socket = connect({ host: address, port, family, noDelay: true })
    this.#dataSocket = socket
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the data connection was closed')))
    })
    this.#waitsFor = 'transfer'
    context.dataSocket = socket
    return reply
  }

  #cutReplies(ftp: FTPContext): void {
    const lines = new FtpReplyLines()
    const reader = ftp as unknown as ReplyReader
    const read = reader._onControlSocketData.bind(ftp)
    reader._onControlSocketData = (chunk) => {
      const whole = lines.push(chunk)
      if (whole === undefined) {
        ftp.closeWithError(new NotFtpError(`what came is not FTP: ${shown(chunk)}`))
        return
      }
      if (whole === '') return
      if (!this.#isOver) this.#listener.repliesReceived(whole)
      read(whole)
    }
  }

  #endingOf(error: NodeJS.ErrnoException): FtpEnding {
    const peerText = this.#peerText()
    if (error instanceof this.#library.FTPError) {
      const { code, message } = error
      if (code >= 100 && code <= 999) return { how: 'refused', code, text: shown(message) }
    }
    // The library names no code of the system for what it found out itself.
    if (typeof error.code === 'string' && /^E[A-Z]/.test(error.code)) {
      const isConnected =
        this.#waitsFor === 'control' ? this.#isConnected : this.#waitsFor !== 'data'
      const { kind, text } = systemEnding(error, { text: peerText, isConnected })
      return { how: 'error', kind, text }
    }
    if (/closed|FIN packet/i.test(error.message)) {
      return { how: 'closed', text: `the server closed the connection: ${peerText}` }
    }
    return {
      how: 'error',
      kind: FailureKind.protocol,
      text: `${shown(error.message)}: ${peerText}`,
    }
  }

  #peerText(): string {
    const { address, family, port } = this.#job.endpoint
    const host = family === 6 ? `[${address}]` : address
    return this.#waitsFor === 'data' ? `data connection to ${host}` : `${host}:${port}`
  }
}

function doneWith({ code }: FTPResponse): FtpEnding {
  return { how: 'done', code, sizeBytes: undefined }
}

/** Of `229 ... (|||6446|)` (RFC 2428) or `227 ... (h,h,h,h,p,p)`; undefined when there is none. */
function passivePort(reply: string): number | undefined {
  const extended = /^229\b.*?([!-~])\1\1(\d{1,5})\1/s.exec(reply)
  const plain = /^227\b.*?(?<!\d)(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})(?!\d)/s.exec(reply)
  const port =
    extended !== null
      ? Number(extended[2])
      : plain === null
        ? 0
        : Number(plain[1]) * 256 + Number(plain[2])
  return port >= 1 && port <= 65_535 ? port : undefined
}

/** The first line of what a server said, fit for a message. */
function shown(text: string): string {
  const [line = ''] = text.split(/[\r\n]/)
  return line.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
}
