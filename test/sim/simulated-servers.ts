/**
 * Scripted HTTP servers for the simulated reactor, which count for themselves.
 *
 * A `Behaviour` says what happens to an attempt, a handshake and each request; `ScriptedServer`
 * takes requests apart (independently of the code under test) and keeps the true counts.
 */
import { type Random, seededRandom } from '../../src/base/random.ts'
import { NS_PER_MS } from '../../src/base/units.ts'
import type { TlsProfile } from '../../src/engine/reactor.ts'
import type { ServerLine, SimulatedServer } from './simulated-reactor.ts'

export interface ServedRequest {
  readonly method: string
  readonly target: string
  readonly bodyBytes: number
  /** Position on its connection, from 0. */
  readonly index: number
  /** All of it has arrived; false when the server answers early. */
  readonly isWhole: boolean
}

/** How an answer is given; every response goes through here and is counted. */
export interface Session {
  readonly line: ServerLine
  readonly request: ServedRequest
  /** Sends a part of a response, `delayNs` from now. */
  part(text: string, delayNs?: number): void
  /** Sends the last part of a response. `bodyBytes`: of the whole response, for the count. */
  last(text: string, options: { readonly bodyBytes: number; readonly delayNs?: number }): void
}

export interface Behaviour {
  readonly accept?: () => 'accept' | 'refuse' | 'drop'
  readonly secure?: (profile: TlsProfile) => 'secure' | 'fail' | 'fin' | 'silent'
  /** Answers at the end of the head, without waiting for the body. */
  readonly isEarly?: boolean
  readonly answer: (session: Session) => void
}

interface LineState {
  received: string
  requestCount: number
  /** Bytes of a request's body still to come, when it was answered early. */
  skipBytes: number
}

export class ScriptedServer implements SimulatedServer {
  readonly #behaviour: Behaviour
  attemptCount = 0
  connectionCount = 0
  closedCount = 0
  /** Requests that arrived as a whole. */
  requestCount = 0
  /** Requests answered before all of them had arrived. */
  earlyAnswerCount = 0
  /** Responses of which the last byte was sent. */
  answeredCount = 0
  /** Body bytes of those. */
  answeredBodyBytes = 0
  receivedBytes = 0
  readonly requestLines: string[] = []
  readonly tlsProfiles: TlsProfile[] = []

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
  }

  accept(line: ServerLine): 'accept' | 'refuse' | 'drop' {
    this.attemptCount++
    const verdict = this.#behaviour.accept?.() ?? 'accept'
    if (verdict === 'accept') {
      this.connectionCount++
      line.state = { received: '', requestCount: 0, skipBytes: 0 } satisfies LineState
    }
    return verdict
  }

  secure(_line: ServerLine, profile: TlsProfile): 'secure' | 'fail' | 'fin' | 'silent' {
    this.tlsProfiles.push(profile)
    return this.#behaviour.secure?.(profile) ?? 'secure'
  }

  closed(line: ServerLine): void {
    // An attempt that was never accepted is no connection.
    if (line.state !== undefined) this.closedCount++
  }

  received(line: ServerLine, bytes: Uint8Array): void {
    this.receivedBytes += bytes.length
    const state = line.state as LineState
    state.received += Buffer.from(bytes).toString('latin1')
    for (;;) {
      const request = this.#take(state)
      if (request === undefined) return
      this.#behaviour.answer(this.#sessionOf(line, request))
    }
  }

  #take(state: LineState): ServedRequest | undefined {
    if (state.skipBytes > 0) {
      const skipped = Math.min(state.skipBytes, state.received.length)
      state.received = state.received.slice(skipped)
      state.skipBytes -= skipped
      if (state.skipBytes > 0) return undefined
      this.requestCount++
    }
    const headEnd = state.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return undefined
    const head = state.received.slice(0, headEnd)
    const bodyBytes = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0)
    const arrivedBytes = state.received.length - headEnd - 4
    const isWhole = arrivedBytes >= bodyBytes
    if (!isWhole && this.#behaviour.isEarly !== true) return undefined
    state.received = state.received.slice(headEnd + 4 + Math.min(arrivedBytes, bodyBytes))
    state.skipBytes = Math.max(0, bodyBytes - arrivedBytes)
    if (isWhole) this.requestCount++
    else this.earlyAnswerCount++
    const requestLine = head.slice(0, head.indexOf('\r\n'))
    this.requestLines.push(requestLine)
    const [method = '', target = ''] = requestLine.split(' ')
    return { method, target, bodyBytes, index: state.requestCount++, isWhole }
  }

  #sessionOf(line: ServerLine, request: ServedRequest): Session {
    const sendLast: Session['last'] = (text, { bodyBytes, delayNs = 0 }) =>
      line.later(delayNs, () => {
        this.answeredCount++
        this.answeredBodyBytes += bodyBytes
        line.send(Buffer.from(text, 'latin1'))
      })
    return {
      line,
      request,
      part: (text, delayNs = 0) => line.send(Buffer.from(text, 'latin1'), delayNs),
      last: sendLast,
    }
  }
}

export interface PlainOptions {
  readonly status?: number
  readonly bodyBytes?: number
  readonly delayNs?: number
  /** Says `Connection: close` and closes. */
  readonly closes?: boolean
}

/** A complete answer with a Content-Length. */
export function plain(options: PlainOptions = {}): Behaviour {
  return { answer: (session) => answerPlainly(session, options) }
}

export function answerPlainly(session: Session, options: PlainOptions = {}): void {
  const { status = 200, bodyBytes = 100, delayNs = 0, closes = false } = options
  const sentBytes = session.request.method === 'HEAD' ? 0 : bodyBytes
  const head = headOf(status, [
    `Content-Length: ${bodyBytes}`,
    ...(closes ? ['Connection: close'] : []),
  ])
  session.last(head + 'b'.repeat(sentBytes), { bodyBytes: sentBytes, delayNs })
  if (closes) session.line.close(delayNs)
}

export function headOf(status: number, fields: readonly string[]): string {
  return [`HTTP/1.1 ${status} Some Reason`, ...fields, '', ''].join('\r\n')
}

/** Chunks with an extension and a trailer, each a little later than the one before. */
export function chunked(chunkSizes: readonly number[], gapNs = 0): Behaviour {
  return {
    answer(session) {
      const head = headOf(200, ['Transfer-Encoding: chunked'])
      if (session.request.method === 'HEAD') {
        session.last(head, { bodyBytes: 0 })
        return
      }
      session.part(head)
      chunkSizes.forEach((size, index) => {
        session.part(`${size.toString(16)};n=${index}\r\n${'c'.repeat(size)}\r\n`, gapNs * index)
      })
      const bodyBytes = chunkSizes.reduce((sum, size) => sum + size, 0)
      const delayNs = gapNs * chunkSizes.length
      session.last('0\r\nX-Trailer: yes\r\n\r\n', { bodyBytes, delayNs })
    },
  }
}

/** A body that ends with the connection. */
export function closeDelimited(bodyBytes: number): Behaviour {
  return {
    answer(session) {
      const sentBytes = session.request.method === 'HEAD' ? 0 : bodyBytes
      session.last(headOf(200, []) + 'd'.repeat(sentBytes), { bodyBytes: sentBytes })
      session.line.close()
    },
  }
}

/** Half a body, and nothing ever after. */
export const stalledBody: Behaviour = { answer: sendHalf }

/** Half a body; to HEAD that is a whole answer. */
function sendHalf(session: Session): void {
  const head = headOf(200, ['Content-Length: 100'])
  if (session.request.method === 'HEAD') session.last(head, { bodyBytes: 0 })
  else session.part(head + 'h'.repeat(50))
}

/** Takes requests and never says anything. */
export const mute: Behaviour = { answer: () => {} }

export type Cut = 'nothing' | 'half a head' | 'half a body'

/** Sends so much of an answer, then closes or resets. */
export function cutShort(after: Cut, how: 'close' | 'reset'): Behaviour {
  return {
    answer(session) {
      if (after === 'half a head') session.part('HTTP/1.1 200 OK\r\nContent-Le')
      if (after === 'half a body') sendHalf(session)
      // A reset overtakes nothing here: what was sent before it arrives.
      if (how === 'close') session.line.close()
      else session.line.reset()
    },
  }
}

/** Answers, and closes the idle connection `idleNs` later, whatever is on its way by then. */
export function closesIdle(idleNs: number, how: 'close' | 'reset' = 'close'): Behaviour {
  return {
    answer(session) {
      answerPlainly(session)
      if (how === 'close') session.line.close(idleNs)
      else session.line.reset(idleNs)
    },
  }
}

export const garbage: Behaviour = {
  answer: (session) => session.part('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n\r\n'),
}

/** Interim answers before the real one. */
export const interimFirst: Behaviour = {
  answer(session) {
    session.part(headOf(100, []))
    session.part(headOf(103, ['Link: </a.css>; rel=preload']))
    answerPlainly(session)
  },
}

/** More bytes than the answer has, together with it or later; no answer could begin like them. */
export function surplus(delayNs: number): Behaviour {
  return {
    answer(session) {
      if (delayNs === 0) {
        const bodyBytes = session.request.method === 'HEAD' ? 0 : 2
        session.last(`${headOf(200, ['Content-Length: 2'])}oksurplus`, { bodyBytes })
      } else {
        answerPlainly(session)
        session.part('surplus', delayNs)
      }
    },
  }
}

/** Answers as soon as the head is there; the rest of the request is then read, or reset. */
export function early(resetsAfterNs?: number): Behaviour {
  return {
    isEarly: true,
    answer(session) {
      answerPlainly(session, { status: 413 })
      if (resetsAfterNs !== undefined) session.line.reset(resetsAfterNs)
    },
  }
}

export const refusing: Behaviour = { accept: () => 'refuse', answer: () => {} }
/** Attempts are never answered. */
export const dropping: Behaviour = { accept: () => 'drop', answer: () => {} }

export function failingTls(how: 'fail' | 'fin' | 'silent'): Behaviour {
  return { secure: () => how, answer: () => {} }
}

/** Answers that are always complete, so that every count can be told exactly. */
export function goodMix(seed: number): Behaviour {
  return mixOf(seededRandom(seed, 1), goodBehaviours)
}

/** Everything, most of it good. */
export function wildMix(seed: number): Behaviour {
  const random = seededRandom(seed, 2)
  const mix = mixOf(random, [...goodBehaviours, ...goodBehaviours, ...badBehaviours])
  return {
    ...mix,
    accept: () => pick(random, acceptVerdicts),
    secure: () => pick(random, tlsVerdicts),
  }
}

const goodBehaviours: readonly Behaviour[] = [
  plain(),
  plain({ bodyBytes: 0 }),
  plain({ bodyBytes: 5000, delayNs: 3 * NS_PER_MS }),
  plain({ status: 404, closes: true }),
  plain({ status: 500 }),
  chunked([1, 300, 17], 2 * NS_PER_MS),
  closeDelimited(700),
  interimFirst,
]

const badBehaviours: readonly Behaviour[] = [
  mute,
  stalledBody,
  garbage,
  surplus(0),
  surplus(2 * NS_PER_MS),
  early(),
  early(NS_PER_MS),
  closesIdle(0),
  closesIdle(200e3),
  closesIdle(NS_PER_MS, 'reset'),
  cutShort('nothing', 'close'),
  cutShort('nothing', 'reset'),
  cutShort('half a head', 'close'),
  cutShort('half a head', 'reset'),
  cutShort('half a body', 'close'),
  cutShort('half a body', 'reset'),
]

const acceptVerdicts = [...repeated('accept' as const, 18), 'refuse', 'drop'] as const
const tlsVerdicts = [...repeated('secure' as const, 12), 'fail', 'fin', 'silent'] as const

function repeated<T>(value: T, count: number): T[] {
  return new Array<T>(count).fill(value)
}

function mixOf(random: Random, behaviours: readonly Behaviour[]): Behaviour {
  return { answer: (session) => pick(random, behaviours).answer(session) }
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)]!
}
