/**
 * The JSON API: articles that can be listed, read, created, replaced, changed and deleted.
 *
 * It holds a bounded number of them, the oldest created go first, so that a long load test does
 * not fill the memory; the list shows the first ten only, so that its size hardly changes.
 */
import {
  type Fixed,
  fixed,
  JSON_TYPE,
  type Page,
  Refusal,
  readBody,
  readWhole,
  sendFixed,
  sendJson,
  type Visit,
} from './page.ts'

const ARTICLE_COUNT_MAX = 1000
const SEED_COUNT = 10
const BODY_BYTES_MAX = 65_536
const ID_MAX = 2 ** 48

interface Article {
  readonly id: number
  readonly [key: string]: unknown
}

export function articlePages(): Page[] {
  const store = new ArticleStore()
  return [
    {
      path: '/api/articles',
      example: '/api/articles',
      summary: 'JSON: GET lists, POST creates (Content-Type: application/json)',
      methods: ['GET', 'POST'],
      visit: (visit) => (visit.method === 'POST' ? create(store, visit) : list(store, visit)),
    },
    {
      path: '/api/articles/',
      example: '/api/articles/1',
      summary: 'JSON: GET, PUT, PATCH, DELETE one article',
      methods: ['GET', 'PUT', 'PATCH', 'DELETE'],
      visit: (visit) => visitOne(store, visit),
    },
  ]
}

class ArticleStore {
  readonly #articles = new Map<number, Article>()
  #nextId = SEED_COUNT + 1
  #list: Fixed | undefined

  constructor() {
    for (let id = 1; id <= SEED_COUNT; id++) {
      this.put({ id, title: `Article ${id}`, text: 'A short text to be read.' })
    }
  }

  get(id: number): Article {
    const article = this.#articles.get(id)
    if (article === undefined) throw new Refusal(404, `there is no article ${id}`)
    return article
  }

  create(fields: object): Article {
    const article: Article = { ...fields, id: this.#nextId++ }
    this.put(article)
    for (const id of this.#articles.keys()) {
      if (this.#articles.size <= ARTICLE_COUNT_MAX) break
      if (id > SEED_COUNT) this.#articles.delete(id)
    }
    return article
  }

  put(article: Article): void {
    this.#articles.set(article.id, article)
    this.#list = undefined
  }

  delete(id: number): void {
    this.#articles.delete(id)
    this.#list = undefined
  }

  list(): Fixed {
    if (this.#list === undefined) {
      const articles = [...this.#articles.values()].slice(0, 10)
      this.#list = fixed(200, JSON_TYPE, `${JSON.stringify({ articles })}\n`)
    }
    return this.#list
  }
}

function list(store: ArticleStore, visit: Visit): void {
  sendFixed(visit, store.list())
}

async function create(store: ArticleStore, visit: Visit): Promise<void> {
  const article = store.create(await readObject(visit))
  sendJson(visit, 201, article, [['Location', `/api/articles/${article.id}`]])
}

async function visitOne(store: ArticleStore, visit: Visit): Promise<void> {
  const id = readWhole(visit.rest, { name: 'the id', min: 1, max: ID_MAX })
  const article = store.get(id)
  if (visit.method === 'GET' || visit.method === 'HEAD') {
    sendJson(visit, 200, article)
    return
  }
  if (visit.method === 'DELETE') {
    store.delete(id)
    visit.response.writeHead(204)
    visit.response.end()
    return
  }
  const fields = await readObject(visit)
  const changed = visit.method === 'PUT' ? { ...fields, id } : { ...article, ...fields, id }
  store.put(changed)
  sendJson(visit, 200, changed)
}

/** @throws {Refusal} 415 for another content type, 400 for a body that is no JSON object. */
async function readObject({ request }: Visit): Promise<object> {
  const body = await readBody(request, BODY_BYTES_MAX)
  const contentType = request.headers['content-type'] ?? 'none'
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) {
    throw new Refusal(415, `Content-Type must be application/json here, not ${contentType}`)
  }
  const value = parseJson(body.toString('utf8'))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Refusal(400, 'the body must be a JSON object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, `not JSON: ${error.message}`)
    throw error
  }
}
