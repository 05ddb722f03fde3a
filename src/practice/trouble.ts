/**
 * Pages that are late, go wrong or break off, each in one known way and as often as it says.
 *
 * A delay is never shorter than asked for: Node's timers count from the start of the loop's turn
 * and can fire early by a millisecond, so the clock is read again before the answer.
 */
import type { ServerResponse } from 'node:http'
import { type Page, queryValue, readWhole, sendText, TEXT } from './page.ts'

const DELAY_MS_MAX = 60_000
const CHUNK_COUNT_MAX = 10_000
const EVERY_MAX = 1000
const CUT_BYTES = 10_000

export function troublePages(): Page[] {
  return [
    slowPage(),
    streamPage(),
    flakyPage(),
    {
      path: '/reset',
      example: '/reset',
      summary: 'no answer: the connection is reset',
      methods: ['GET', 'POST'],
      visit: ({ request }) => {
        request.socket.resetAndDestroy()
      },
    },
    {
      path: '/cut',
      example: '/cut',
      summary: 'half of the body it announces, then the end',
      methods: ['GET', 'POST'],
      visit: ({ request, response }) => {
        response.writeHead(200, ['Content-Type', TEXT, 'Content-Length', String(CUT_BYTES)])
        response.write(Buffer.alloc(CUT_BYTES / 2, 'x'), () => request.socket.end())
      },
    },
  ]
}

function slowPage(): Page {
  return {
    path: '/slow',
    example: '/slow?ms=200',
    summary: 'answers after that many milliseconds',
    methods: ['GET', 'POST'],
    visit: (visit) => {
      const delayMs = readMs(visit.query, 200)
      const dueMs = performance.now() + delayMs
      callAt(visit.response, dueMs, () => sendText(visit, 200, `Waited ${delayMs} ms`))
    },
  }
}

function streamPage(): Page {
  return {
    path: '/stream',
    example: '/stream?chunks=5&ms=100',
    summary: 'that many chunks, that far apart; the first at once',
    methods: ['GET'],
    visit: (visit) => {
      const chunks = queryValue(visit.query, 'chunks')
      const limits = { name: 'chunks', min: 1, max: CHUNK_COUNT_MAX, fallback: 5 }
      const chunkCount = readWhole(chunks, limits)
      const gapMs = readMs(visit.query, 100)
      visit.response.writeHead(200, ['Content-Type', TEXT])
      const startMs = performance.now()
      const sendChunk = (index: number) => {
        visit.response.write(`chunk ${index + 1} of ${chunkCount}\n`)
        if (index + 1 === chunkCount) visit.response.end()
        // Due times come from the start, so that lateness does not add up.
        else callAt(visit.response, startMs + (index + 1) * gapMs, () => sendChunk(index + 1))
      }
      sendChunk(0)
    },
  }
}

function flakyPage(): Page {
  const visitCounts = new Map<number, number>()
  return {
    path: '/flaky',
    example: '/flaky?every=10',
    summary: 'every tenth answer is a 503',
    methods: ['GET', 'POST'],
    visit: (visit) => {
      const limits = { name: 'every', min: 1, max: EVERY_MAX, fallback: 10 }
      const every = readWhole(queryValue(visit.query, 'every'), limits)
      const count = (visitCounts.get(every) ?? 0) + 1
      visitCounts.set(every, count)
      if (count % every === 0) sendText(visit, 503, 'Not this time', [['Retry-After', '1']])
      else sendText(visit, 200, 'Fine')
    },
  }
}

function readMs(query: string, fallback: number): number {
  return readWhole(queryValue(query, 'ms'), { name: 'ms', min: 0, max: DELAY_MS_MAX, fallback })
}

/** Calls back once `dueMs` has come, and not at all if the client has gone by then. */
function callAt(response: ServerResponse, dueMs: number, callback: () => void): void {
  const leftMs = dueMs - performance.now()
  if (leftMs <= 0) {
    callback()
    return
  }
  const timer = setTimeout(() => {
    response.off('close', forget)
    callAt(response, dueMs, callback)
  }, leftMs)
  const forget = () => clearTimeout(timer)
  response.once('close', forget)
}
