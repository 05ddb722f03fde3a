/**
 * A real Chromium with one page, driven over a pipe by its DevTools protocol.
 *
 * Whatever the page complains about (errors of scripts, the console, broken policies) is kept, and
 * so is every address that it asked for.
 */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { tempFolder } from './files.ts'
import type { Scope } from './scope.ts'

export interface BrowserPage {
  readonly complaints: readonly string[]
  readonly requestedUrls: readonly string[]
  /** Resolves once the page has loaded; complaints and addresses begin anew. */
  open(url: string, view: View): Promise<void>
  /** The value of an expression in the page; it has to be JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Sends a command of the protocol to the page. */
  send(method: string, parameters?: Readonly<Record<string, unknown>>): Promise<Reply>
}

/** Of whatever form the command has. */
export type Reply = Readonly<Record<string, unknown>>

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Reply
  readonly result?: Reply
  readonly error?: { readonly message: string }
}

const ANSWER_MS_MAX = 120_000
const ENDED = 'the browser has ended'

export interface View {
  readonly widthPx: number
  readonly heightPx: number
  readonly theme: 'light' | 'dark'
}

export async function startBrowser(scope: Scope, chromium: string): Promise<BrowserPage> {
  const home = tempFolder(scope)
  const child = spawn(
    chromium,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ...['--no-first-run', '--disable-background-networking', '--disable-component-update'],
      ...['--disable-sync', '--disable-extensions', '--disable-default-apps', '--hide-scrollbars'],
      `--user-data-dir=${home}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    {
      env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  scope.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  // The fourth and fifth stream are pipes: see `stdio`.
  const pipe = new ProtocolPipe(child.stdio[3] as Writable, child.stdio[4] as Readable)
  const { targetInfos } = await pipe.send('Target.getTargets', {})
  const [target] = (targetInfos as { targetId: string; type: string }[]).filter(
    ({ type }) => type === 'page',
  )
  const { sessionId } = await pipe.send('Target.attachToTarget', {
    targetId: target?.targetId,
    flatten: true,
  })
  const page = new Page(pipe, String(sessionId))
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`)
  return page
}

/** Messages are JSON with a zero byte behind each. */
class ProtocolPipe {
  readonly #out: Writable
  readonly #waiting = new Map<number, (message: Message) => void>()
  #hasEnded = false
  readonly #listeners: ((method: string, parameters: Reply) => void)[] = []
  #id = 0
  #received = Buffer.alloc(0)

  constructor(out: Writable, into: Readable) {
    this.#out = out
    into.on('data', (chunk: Buffer) => this.#take(chunk))
    into.once('close', () => {
      this.#hasEnded = true
      for (const answer of this.#waiting.values()) answer({ error: { message: ENDED } })
    })
    // A browser that is killed breaks its pipes.
    for (const stream of [out, into]) stream.on('error', () => {})
  }

  listen(listener: (method: string, parameters: Reply) => void): void {
    this.#listeners.push(listener)
  }

  send(method: string, params: Reply, sessionId?: string): Promise<Reply> {
    if (this.#hasEnded) return Promise.reject(new Error(`${method}: ${ENDED}`))
    const id = ++this.#id
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${method}: no answer`)),
        ANSWER_MS_MAX,
      ).unref()
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        if (error !== undefined) reject(new Error(`${method}: ${error.message}`))
        else resolve(result ?? {})
      })
    })
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (let end = this.#received.indexOf(0); end >= 0; end = this.#received.indexOf(0)) {
      const message: Message = JSON.parse(this.#received.toString('utf8', 0, end))
      this.#received = this.#received.subarray(end + 1)
      if (message.id !== undefined) {
        this.#waiting.get(message.id)?.(message)
        this.#waiting.delete(message.id)
      } else if (message.method !== undefined) {
        for (const listener of this.#listeners) listener(message.method, message.params ?? {})
      }
    }
  }
}

class Page implements BrowserPage {
  readonly complaints: string[] = []
  readonly requestedUrls: string[] = []
  readonly #pipe: ProtocolPipe
  readonly #sessionId: string
  #loaded = () => {}

  constructor(pipe: ProtocolPipe, sessionId: string) {
    this.#pipe = pipe
    this.#sessionId = sessionId
    pipe.listen((method, parameters) => this.#heard(method, parameters))
  }

  send(method: string, parameters: Reply = {}): Promise<Reply> {
    return this.#pipe.send(method, parameters, this.#sessionId)
  }

  async open(url: string, { widthPx, heightPx, theme }: View): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width: widthPx,
      height: heightPx,
      deviceScaleFactor: 1,
      mobile: widthPx < 600,
    })
    await this.send('Emulation.setEmulatedMedia', {
      media: '',
      features: [{ name: 'prefers-color-scheme', value: theme }],
    })
    this.complaints.length = 0
    this.requestedUrls.length = 0
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve))
    await this.send('Page.navigate', { url })
    await loaded
  }

  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { value?: unknown }).value
  }

  #heard(method: string, parameters: Reply): void {
    if (method === 'Page.loadEventFired') this.#loaded()
    else if (method === 'Network.requestWillBeSent') {
      this.requestedUrls.push((parameters.request as { url: string }).url)
    } else if (
      method === 'Runtime.exceptionThrown' ||
      method === 'Runtime.consoleAPICalled' ||
      method === 'Log.entryAdded'
    ) {
      this.complaints.push(JSON.stringify(parameters))
    }
  }
}
