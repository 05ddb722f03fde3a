/**
 * One page for each thing HTTP can do: redirects, statuses, compression, sizes, echoes.
 *
 * All of them answer at once and in good order; what is late or broken is in `trouble.ts`.
 */
import { deflateSync, gzipSync } from 'node:zlib'
import {
  type Fixed,
  fixed,
  fixedPage,
  type Page,
  queryValue,
  Refusal,
  readBody,
  readWhole,
  sendFixed,
  sendJson,
  sendRedirect,
  sendText,
  TEXT,
  type Visit,
} from './page.ts'

const BYTES_MAX = 100_000_000
const ECHO_BYTES_MAX = 1_000_000
const CHAIN_LENGTH_MAX = 1000
const BLOCK_BYTES = 65_536
const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function exercisePages(): Page[] {
  return [
    fixedPage('/plain', 'three bytes, as fast as it gets', fixed(200, TEXT, 'ok\n')),
    fixedPage('/empty', '200 with no body at all', fixed(200, TEXT, '')),
    gzipPage(),
    ...sizePages(),
    redirectPage(),
    statusPage(),
    echoPage(),
    {
      path: '/headers',
      example: '/headers',
      summary: 'the header fields that arrived, as JSON',
      methods: ['GET'],
      visit: (visit) => sendJson(visit, 200, fieldsOf(visit)),
    },
  ]
}

function gzipPage(): Page {
  const text = Array.from({ length: 400 }, (_, line) => `${line}: the same words again\n`).join('')
  const fields = [['Vary', 'Accept-Encoding']] as const
  const plain = fixed(200, TEXT, text, { fields })
  const encoded = new Map<string, Fixed>(
    [
      ['gzip', gzipSync(text)] as const,
      // HTTP's "deflate" is the zlib format (RFC 9110 section 8.4.1.2).
      ['deflate', deflateSync(text)] as const,
    ].map(([coding, bytes]) => {
      const answer = fixed(200, TEXT, bytes, { fields: [...fields, ['Content-Encoding', coding]] })
      return [coding, answer] as const
    }),
  )
  return {
    path: '/gzip',
    example: '/gzip',
    summary: 'gzip or deflate, if Accept-Encoding allows',
    methods: ['GET'],
    visit: (visit) => {
      const accepted = visit.request.headers['accept-encoding']
      const coding = chooseCoding(String(accepted ?? ''), [...encoded.keys()])
      sendFixed(visit, encoded.get(coding ?? '') ?? plain)
    },
  }
}

/** The first of `known` that has the highest weight above 0 in an Accept-Encoding field. */
export function chooseCoding(accepted: string, known: readonly string[]): string | undefined {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  let best: string | undefined
  for (const coding of known) {
    if (weightOf(coding) > (best === undefined ? 0 : weightOf(best))) best = coding
  }
  return best
}

function sizePages(): Page[] {
  const block = Buffer.alloc(
    BLOCK_BYTES,
    '0123456789abcdef0123456789abcdef0123456789abcdef012345678\n',
  )
  return [
    {
      path: '/bytes/',
      example: '/bytes/100000',
      summary: `as many bytes as the number says, up to ${BYTES_MAX}`,
      methods: ['GET'],
      visit: (visit) => {
        const name = 'the number of bytes'
        const bodyBytes = readWhole(visit.rest, { name, min: 0, max: BYTES_MAX })
        visit.response.writeHead(200, ['Content-Type', TEXT, 'Content-Length', String(bodyBytes)])
        if (visit.method === 'HEAD') visit.response.end()
        else sendBlocks(visit, block, bodyBytes)
      },
    },
  ]
}

/** Never more than one block waits in memory for a client that is slow to read. */
function sendBlocks(visit: Visit, block: Uint8Array, bodyBytes: number): void {
  const { response } = visit
  if (bodyBytes <= block.byteLength) {
    response.end(block.subarray(0, bodyBytes))
    return
  }
  let leftBytes = bodyBytes
  const sendMore = () => {
    while (leftBytes > block.byteLength) {
      leftBytes -= block.byteLength
      if (!response.write(block)) return
    }
    response.off('drain', sendMore)
    response.end(block.subarray(0, leftBytes))
  }
  response.on('drain', sendMore)
  sendMore()
}

function redirectPage(): Page {
  return {
    path: '/redirect/',
    example: '/redirect/302',
    summary: '301, 302, 303, 307, 308 to /echo; chain/3: three of them; loop: no end',
    methods: ANY_METHOD,
    visit: (visit) => {
      const [kind = '', rest = ''] = visit.rest.split('/')
      if (kind === 'loop') sendRedirect(visit, 302, '/redirect/loop')
      else if (kind === 'chain') followChain(visit, rest)
      else if (['301', '302', '303', '307', '308'].includes(kind)) {
        sendRedirect(visit, Number(kind), localPath(queryValue(visit.query, 'to')))
      } else throw new Refusal(404, `there is no /redirect/${visit.rest}`)
    },
  }
}

function followChain(visit: Visit, rest: string): void {
  const name = 'the length of the chain'
  const leftCount = readWhole(rest, { name, min: 0, max: CHAIN_LENGTH_MAX })
  if (leftCount === 0) sendText(visit, 200, 'The end of the chain')
  else sendRedirect(visit, 302, `/redirect/chain/${leftCount - 1}`)
}

/** A page of this site: the site sends nobody elsewhere. */
function localPath(to: string | null): string {
  if (to === null) return '/echo'
  if (/^\/(?![/\\])[\x21-\x7e]*$/.test(to)) return to
  throw new Refusal(400, 'to must be a path of this site, such as /plain')
}

function statusPage(): Page {
  return {
    path: '/status/',
    example: '/status/404',
    summary: 'the status asked for, 200 to 599',
    methods: ANY_METHOD,
    visit: (visit) => {
      const status = readWhole(visit.rest, { name: 'the status', min: 200, max: 599 })
      if (status === 204 || status === 205 || status === 304) {
        visit.response.writeHead(status, status === 205 ? ['Content-Length', '0'] : [])
        visit.response.end()
        return
      }
      sendText(visit, status, `Status ${status}`)
    },
  }
}

function echoPage(): Page {
  return {
    path: '/echo',
    example: '/echo',
    summary: 'the whole request that arrived, as JSON; any method',
    methods: [...ANY_METHOD],
    visit: async (visit) => {
      const { request } = visit
      const body = await readBody(request, ECHO_BYTES_MAX)
      sendJson(visit, 200, {
        method: visit.method,
        requestTarget: request.url,
        httpVersion: request.httpVersion,
        headers: fieldsOf(visit),
        bodyBytes: body.length,
        body: body.toString('utf8'),
      })
    },
  }
}

/** As they arrived: in order, names as written, repeated ones kept. */
function fieldsOf({ request }: Visit): { name: string; value: string }[] {
  const { rawHeaders } = request
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => ({
    name: rawHeaders[index * 2] ?? '',
    value: rawHeaders[index * 2 + 1] ?? '',
  }))
}
