/**
 * Pages that want to know who asks: a login form with a session cookie, and Basic.
 *
 * A session is a signed number in the cookie and nothing on the server, so a million logins cost
 * no memory. The key is made anew at each start: old cookies end with the process.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { htmlPage } from './layout.ts'
import {
  fixed,
  HTML,
  type Page,
  Refusal,
  readBody,
  sendFixed,
  sendRedirect,
  sendText,
  type Visit,
} from './page.ts'

/** The one account there is. It is printed on the page: nothing here is secret. */
export const account = { user: 'ada', password: 'lovelace' } as const

const COOKIE_NAME = 'practice_session'
const FORM_BYTES_MAX = 16_384

export function accountPages(): Page[] {
  const sessions = new Sessions()
  const form = fixed(200, HTML, loginHtml)
  const basicToken = Buffer.from(`${account.user}:${account.password}`).toString('base64')
  const wanted = `basic ${basicToken}`
  return [
    {
      path: '/login',
      example: '/login',
      summary: `a form; POST user=${account.user}&password=${account.password} sets a cookie`,
      methods: ['GET', 'POST'],
      visit: (visit) => (visit.method === 'POST' ? logIn(sessions, visit) : sendFixed(visit, form)),
    },
    {
      path: '/account',
      example: '/account',
      summary: 'needs that cookie; without it 302 to /login',
      methods: ['GET'],
      visit: (visit) => showAccount(sessions, visit),
    },
    {
      path: '/logout',
      example: '/logout',
      summary: '',
      methods: ['GET', 'POST'],
      visit: (visit) =>
        sendRedirect(visit, 303, '/login', [['Set-Cookie', `${COOKIE_NAME}=; Path=/; Max-Age=0`]]),
    },
    {
      path: '/basic',
      example: '/basic',
      summary: `Basic authentication: ${account.user}, ${account.password}`,
      methods: ['GET', 'POST'],
      visit: (visit) => {
        const given = visit.request.headers.authorization ?? ''
        if (given.replace(/^\w+/, (scheme) => scheme.toLowerCase()) === wanted) {
          sendText(visit, 200, `Welcome, ${account.user}`)
          return
        }
        sendText(visit, 401, 'Who are you?', [['WWW-Authenticate', 'Basic realm="practice"']])
      },
    },
  ]
}

class Sessions {
  readonly #key = randomBytes(32)
  #count = 0

  /** The value of the cookie for a new session. */
  open(): string {
    const id = String(++this.#count)
    return `${id}.${this.#signatureOf(id)}`
  }

  /** The session's number, or undefined when the cookie is none of ours. */
  idOf(value: string): string | undefined {
    const [id = '', signature = ''] = value.split('.')
    const expected = Buffer.from(this.#signatureOf(id))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined
  }

  #signatureOf(id: string): string {
    return createHmac('sha256', this.#key).update(id).digest('base64url')
  }
}

async function logIn(sessions: Sessions, visit: Visit): Promise<void> {
  const form = new URLSearchParams((await readBody(visit.request, FORM_BYTES_MAX)).toString('utf8'))
  if (form.get('user') !== account.user || form.get('password') !== account.password) {
    throw new Refusal(403, `try user=${account.user}&password=${account.password}`)
  }
  const cookie = `${COOKIE_NAME}=${sessions.open()}; Path=/; HttpOnly; SameSite=Lax`
  sendRedirect(visit, 303, '/account', [['Set-Cookie', cookie]])
}

function showAccount(sessions: Sessions, visit: Visit): void {
  const id = sessions.idOf(cookieValue(visit.request.headers.cookie ?? ''))
  if (id === undefined) {
    sendRedirect(visit, 302, '/login')
    return
  }
  const body = `<h1>Welcome, ${account.user}</h1>
<p>This is session ${id}.</p>
<p><a href="/logout">Log out</a> · <a href="/">All pages</a></p>`
  sendFixed(visit, fixed(200, HTML, htmlPage('Your account', body)))
}

function cookieValue(cookies: string): string {
  const prefix = `${COOKIE_NAME}=`
  const pair = cookies.split(';').find((pair) => pair.trimStart().startsWith(prefix))
  return pair === undefined ? '' : pair.trim().slice(prefix.length)
}

const loginHtml = htmlPage(
  'Log in',
  `<h1>Log in</h1>
<p class="faint">There is one account: <code>${account.user}</code> with the password
<code>${account.password}</code>.</p>
<form method="post" action="/login">
<label>User <input name="user" value="${account.user}" autocomplete="username"></label>
<label>Password
<input name="password" type="password" value="${account.password}" autocomplete="off"></label>
<button>Log in</button>
</form>`,
)
