/** What the report says of what was asked for. */
import type { TlsFacts } from '../engine/reactor.ts'
import { literalFamily } from '../engine/resolver.ts'
import { textFromLatin1 } from '../plan/latin1.ts'
import type { AbReportFacts } from '../report/ab-text.ts'
import type { AbJob } from './command-line.ts'

export function reportFacts(job: AbJob, tls: TlsFacts | null): AbReportFacts {
  const { settings, url, body } = job
  const { host, port, scheme } = url.origin
  return {
    hostname: host,
    port,
    path: textFromLatin1(url.requestTarget),
    concurrency: settings.concurrency,
    keepAlive: settings.keepAlive,
    hasBody: body !== null,
    isLengthFree: settings.variableLength,
    hidesConfidence: settings.hidesConfidence,
    hidesPercentiles: settings.hidesPercentiles,
    tls,
    serverName: scheme === 'https' ? serverName(job) : null,
  }
}

/** As `tlsProfileOf` decides it: a Host field given on the command line, or the URL's host. */
function serverName({ settings, url }: AbJob): string | null {
  if (settings.hidesServerName) return null
  const given = settings.headers.find((line) => /^host:/i.test(line))
  const name = given === undefined ? url.origin.host : given.slice(5).trim().replace(/:\d*$/, '')
  return name === '' || literalFamily(name) !== 0 ? null : name
}
