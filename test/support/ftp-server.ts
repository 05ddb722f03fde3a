/**
 * A small FTP server that keeps every command as it came and misbehaves where a test says so.
 *
 * By itself it is honest: any user with the right password, files in memory, passive mode only.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Scope } from './scope.ts'

export interface FtpServerOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Passwords by user; without it everybody is let in. */
  readonly users?: Readonly<Record<string, string>>
  readonly host?: '127.0.0.1' | '::1'
  /** The first words; null: none. */
  readonly greeting?: string | null
  readonly greetingDelayMs?: number
  /**
   * What to do instead of the usual: a string is sent as it is, null is silence. Undefined: as
   * usual.
   */
  readonly on?: (command: FtpCommand) => string | null | undefined
  /** Sends the file's bytes in its own way; then `end` closes the data connection. */
  readonly sendFile?: (data: Socket, bytes: Uint8Array, command: FtpCommand) => void
  /** How many bytes are written at once to control connections; without it all there is. */
  readonly pieceBytes?: number
}

export interface FtpCommand {
  readonly verb: string
  readonly argument: string
  readonly session: FtpSession
}

export interface FtpSession {
  /** As they came, without line ends. */
  readonly commands: string[]
  readonly control: Socket
}

export interface FtpServer {
  readonly port: number
  readonly url: string
  readonly sessions: readonly FtpSession[]
  readonly uploads: ReadonlyMap<string, Uint8Array>
  /** Files sent whole, and the reply after them too. */
  readonly sentCount: number
  readonly openSocketCount: number
}

export async function startFtpServer(
  scope: Scope,
  options: FtpServerOptions = {},
): Promise<FtpServer> {
  const sockets = new Set<Socket>()
  const facts = {
    sessions: [] as FtpSession[],
    uploads: new Map<string, Uint8Array>(),
    sentCount: 0,
  }
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Clients that give up reset; what matters is what they did before.
    socket.on('error', () => {})
  }
  const host = options.host ?? '127.0.0.1'
  const server = createServer({ noDelay: true }, (control) => {
    keep(control)
    new Session({ ...options, host }, facts, control, keep).begin()
  })
  const port = await listening(server, host)
  scope.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const authority = host === '::1' ? `[::1]:${port}` : `${host}:${port}`
  return {
    port,
    url: `ftp://${authority}`,
    sessions: facts.sessions,
    uploads: facts.uploads,
    get sentCount() {
      return facts.sentCount
    },
    get openSocketCount() {
      return sockets.size
    },
  }
}

function listening(server: Server, host: string): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port))
  })
}

interface SharedFacts {
  readonly sessions: FtpSession[]
  readonly uploads: Map<string, Uint8Array>
  sentCount: number
}

class Session implements FtpSession {
  readonly commands: string[] = []
  readonly control: Socket
  readonly #options: FtpServerOptions & { readonly host: string }
  readonly #facts: SharedFacts
  readonly #keep: (socket: Socket) => void
  #user = ''
  #isLoggedIn = false
  #data: Promise<Socket> | undefined

  constructor(
    options: FtpServerOptions & { readonly host: string },
    facts: SharedFacts,
    control: Socket,
    keep: (socket: Socket) => void,
  ) {
    this.#options = options
    this.#facts = facts
    this.control = control
    this.#keep = keep
  }

  begin(): void {
    this.#facts.sessions.push(this)
    const { greeting = '220 ready', greetingDelayMs = 0 } = this.#options
    if (greeting !== null) setTimeout(() => this.#say(greeting), greetingDelayMs)
    let text = ''
    this.control.on('data', (bytes: Buffer) => {
      const lines = (text + bytes.toString('latin1')).split('\r\n')
      text = lines.pop()!
      for (const line of lines) void this.#command(line)
    })
  }

  #say(reply: string): void {
    const { pieceBytes } = this.#options
    const bytes = Buffer.from(`${reply}\r\n`, 'latin1')
    if (pieceBytes === undefined) {
      this.control.write(bytes)
      return
    }
    void this.#sayInPieces(bytes, pieceBytes)
  }

  #speaking: Promise<void> = Promise.resolve()

  async #sayInPieces(bytes: Buffer, pieceBytes: number): Promise<void> {
    const before = this.#speaking
    this.#speaking = (async () => {
      await before
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        this.control.write(bytes.subarray(at, at + pieceBytes))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    await this.#speaking
  }

  async #command(line: string): Promise<void> {
    this.commands.push(line)
    const space = line.indexOf(' ')
    const verb = space < 0 ? line : line.slice(0, space)
    const argument = space < 0 ? '' : line.slice(space + 1)
    const instead = this.#options.on?.({ verb, argument, session: this })
    if (instead === null) return
    if (instead !== undefined) {
      this.#say(instead)
      return
    }
    if (verb === 'USER') this.#user = argument
    const early = ['USER', 'PASS', 'QUIT'].includes(verb)
    if (!early && !this.#isLoggedIn) this.#say('530 log in first')
    else await this.#obey(verb, argument)
  }

  async #obey(verb: string, argument: string): Promise<void> {
    const file = this.#file(argument)
    switch (verb) {
      case 'USER':
        return this.#say('331 password')
      case 'PASS': {
        const { users } = this.#options
        this.#isLoggedIn = users === undefined || users[this.#user] === argument
        return this.#say(this.#isLoggedIn ? '230 in' : '530 wrong')
      }
      case 'TYPE':
        return this.#say('200 type')
      case 'SIZE':
        return this.#say(file === undefined ? '550 none' : `213 ${file.length}`)
      case 'DELE':
        return this.#say(file === undefined ? '550 none' : '250 gone')
      case 'PASV':
      case 'EPSV':
        return this.#openPassive(verb)
      case 'RETR':
        return file === undefined ? this.#say('550 none') : await this.#send(file, argument)
      case 'STOR':
        return await this.#take(argument)
      case 'QUIT':
        this.#say('221 bye')
        this.control.end()
        return
      default:
        return this.#say('502 unknown')
    }
  }

  #file(path: string): Uint8Array | undefined {
    const content = this.#options.files?.[path]
    return typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  }

  #openPassive(verb: string): void {
    const server = createServer({ noDelay: true })
    this.#data = new Promise((resolve) => {
      server.once('connection', (socket) => {
        this.#keep(socket)
        server.close()
        resolve(socket)
      })
    })
    this.control.once('close', () => server.close())
    void listening(server, this.#options.host).then((port) => {
      if (verb === 'EPSV') this.#say(`229 passive (|||${port}|)`)
      // Another host than that of the control connection: whoever believes it gets nowhere.
      else this.#say(`227 passive (192,0,2,1,${port >> 8},${port & 255})`)
    })
  }

  async #send(file: Uint8Array, argument: string): Promise<void> {
    const data = await this.#data!
    this.#say('150 here it comes')
    const { sendFile } = this.#options
    if (sendFile !== undefined) sendFile(data, file, { verb: 'RETR', argument, session: this })
    else data.end(file)
    data.resume()
    data.once('close', () => {
      if (this.control.destroyed) return
      this.#facts.sentCount++
      const instead = this.#options.on?.({ verb: 'SENT', argument, session: this })
      if (instead !== null) this.#say(instead ?? '226 done')
    })
  }

  async #take(path: string): Promise<void> {
    const data = await this.#data!
    this.#say('150 send it')
    const pieces: Buffer[] = []
    data.on('data', (bytes: Buffer) => pieces.push(bytes))
    data.once('close', () => {
      this.#facts.uploads.set(path, Buffer.concat(pieces))
      const instead = this.#options.on?.({ verb: 'TAKEN', argument: path, session: this })
      if (instead !== null) this.#say(instead ?? '226 taken')
    })
  }
}
