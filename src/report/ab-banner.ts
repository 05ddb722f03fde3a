/** What ab prints before its report: who it is, and whom it is about to ask. */

const FIRST_LINE_START = 'This is ApacheBench, Version 2.3 '
const FIRST_LINE = `${FIRST_LINE_START}<$Revision$>`

/** The first line is ab's, since scripts look for it; the other two say what this really is. */
export function abBanner(onagerVersion: string, isHtml: boolean): string {
  const second = `as onager ${onagerVersion} makes it: the same options and report, all its own work`
  const third = 'Licensed under the MIT License'
  if (!isHtml) return `${[FIRST_LINE, second, third].join('\n')}\n\n`
  const revision = `${FIRST_LINE_START}<i>&lt;$Revision$&gt;</i>`
  const lines = [revision, second, third].map((line) => ` ${line}<br>\n`)
  return `<p>\n${lines.join('')}</p>\n<p>\n`
}

/** Without its end: what follows is a line break or `...`. */
export function benchmarkingText(
  hostname: string,
  proxy: { readonly host: string; readonly port: number } | null,
): string {
  const through = proxy === null ? '' : ` [through ${bracketed(proxy.host)}:${proxy.port}]`
  return `Benchmarking ${hostname}${through} (be patient)`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
