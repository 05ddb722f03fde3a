/** Asks the system for a name's addresses, once per name; the answer is kept, good or bad. */
import type { Resolution, ResolveName } from '../resolver.ts'

const codeTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name server did not answer',
  EAI_NODATA: 'the name has no address',
}

/** One resolver serves all threads of a run. `family`: 0 for any. */
export function systemResolver(family: 0 | 4 | 6 = 0): ResolveName {
  const known = new Map<string, Promise<Resolution>>()
  return (host, answer) => {
    let resolution = known.get(host)
    if (resolution === undefined) {
      resolution = lookUp(host, family)
      known.set(host, resolution)
    }
    resolution.then(answer)
  }
}

function lookUp(host: string, family: 0 | 4 | 6): Promise<Resolution> {
  return new Promise((resolve) => {
    // The system's order (RFC 6724), not Node's own.
    const dns = process.getBuiltinModule('node:dns')
    dns.lookup(host, { all: true, order: 'verbatim', family }, (error, addresses) => {
      if (error !== null) resolve({ failureText: failureText(host, error) })
      else if (addresses.length === 0) resolve({ failureText: `no address: ${host}` })
      else {
        resolve({
          addresses: addresses.map(({ address, family }) => ({
            address,
            family: family === 6 ? 6 : 4,
          })),
        })
      }
    })
  })
}

function failureText(host: string, error: NodeJS.ErrnoException): string {
  return `${codeTexts[error.code ?? ''] ?? error.message}: ${host}`
}
