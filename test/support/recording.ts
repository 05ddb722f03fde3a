/** A recorder in this process with its list in a temporary folder, and raw clients for it. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { CertificateAuthority } from '../../src/recorder/certificate-authority.ts'
import { type FilterSettings, RequestFilter } from '../../src/recorder/filter.ts'
import { Notebook } from '../../src/recorder/notebook.ts'
import { type Recorder, startRecorder } from '../../src/recorder/recorder.ts'
import { tempFolder } from './files.ts'
import type { Scope } from './scope.ts'

export interface TestRecorderOptions extends Partial<FilterSettings> {
  readonly isUnique?: boolean
  readonly authority?: CertificateAuthority | null
  readonly isInsecure?: boolean
  readonly timeoutMs?: number
}

export interface TestRecorder extends Recorder {
  readonly listPath: string
  readonly distrustedHosts: readonly string[]
  /** What the list holds by now. */
  lines(): string[]
}

export async function startTestRecorder(
  scope: Scope,
  options: TestRecorderOptions = {},
): Promise<TestRecorder> {
  const listPath = join(tempFolder(scope), 'urls.txt')
  const failed = (error: Error) => {
    throw error
  }
  const isUnique = options.isUnique ?? false
  const notebook = new Notebook({ path: listPath, isUnique }, { recorded: () => {}, failed })
  const distrustedHosts: string[] = []
  const recorder = await startRecorder({
    port: 0,
    host: '127.0.0.1',
    upstream: {
      isInsecure: options.isInsecure ?? false,
      timeoutMs: options.timeoutMs ?? 60_000,
    },
    filter: new RequestFilter({
      methods: [],
      hosts: [],
      includes: [],
      excludes: [],
      isWithoutResources: false,
      ...options,
    }),
    notebook,
    authority: options.authority ?? null,
    distrusted: (host) => distrustedHosts.push(host),
  })
  scope.after(async () => {
    await recorder.close()
    notebook.close()
  })
  const lines = () => readFileSync(listPath, 'latin1').split('\n').slice(0, -1)
  return {
    url: recorder.url,
    port: recorder.port,
    close: () => recorder.close(),
    listPath,
    distrustedHosts,
    lines,
  }
}

/** A client that writes bytes and waits for bytes. */
export interface RawClient {
  readonly socket: Socket
  send(bytes: string | Uint8Array): void
  /** All that has come, once it matches; as latin1. Rejects when the connection ends before. */
  until(pattern: RegExp): Promise<string>
  /** All that has come when the other side ends or resets the connection. */
  ended(): Promise<string>
}

export async function rawClient(scope: Scope, port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1' })
  scope.after(() => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return rawClientOn(socket)
}

export function rawClientOn(socket: Socket): RawClient {
  let received = ''
  let isOver = false
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      isOver = true
      wake()
    })
  }
  const news = () => new Promise<void>((resolve) => (wake = resolve))
  return {
    socket,
    send: (bytes) => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    },
    async until(pattern) {
      while (!pattern.test(received)) {
        if (isOver) throw new Error(`ended without ${pattern}, after: ${received}`)
        await news()
      }
      return received
    },
    async ended() {
      while (!isOver) await news()
      return received
    },
  }
}
