/** Every user sends the same URLs in the same order, whatever the number of threads. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { siege } from '../cli/siege-run.ts'
import { tempFolder } from '../support/files.ts'
import { answering, startRawServer } from '../support/raw-server.ts'

const USER_COUNT = 6
const LIST_LENGTH = 15

/** The URLs of each user in order, from verbose lines with the user's id. */
function urlsByUser(stdout: string): ReadonlyMap<number, readonly string[]> {
  const urls = new Map<number, string[]>()
  for (const line of stdout.trimEnd().split('\n')) {
    const found = /^ *(\d+)\) HTTP\/1\.1 200 .* ==> GET {2}(\S+)$/.exec(line)
    assert.ok(found !== null, line)
    const user = Number(found[1])
    const list = urls.get(user) ?? []
    urls.set(user, list)
    list.push(found[2]!)
  }
  return new Map([...urls].sort(([a], [b]) => a - b))
}

for (const [mode, flags] of [
  ['in order', ['-r20']],
  ['at random', ['-i', '-r20', '--seed=11']],
  ['the list once', ['-r', 'once']],
] as const) {
  test(`each user sends the same URLs ${mode} for any number of threads`, async (t) => {
    const answer = answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    const { url } = await startRawServer(t, answer)
    const list = join(tempFolder(t), 'urls.txt')
    const lines = Array.from({ length: LIST_LENGTH }, (_, index) => `${url}/${index}\n`)
    writeFileSync(list, lines.join(''))
    const args = ['-v', `-c${USER_COUNT}`, ...flags, '-f', list]
    let first: ReadonlyMap<number, readonly string[]> | undefined
    for (const threads of [1, 2, 4]) {
      const { stdout } = await siege([...args, `--threads=${threads}`], {
        rc: 'display-id = true\n',
      })
      const urls = urlsByUser(stdout)
      assert.deepEqual([...urls.keys()], [0, 1, 2, 3, 4, 5])
      first ??= urls
      assert.deepEqual(urls, first, `${threads} threads`)
    }
    if (mode === 'in order') {
      const start = 5 * Math.floor(LIST_LENGTH / USER_COUNT)
      assert.equal(first?.get(5)?.[0], `/${start}`, 'user 5 starts at 5 x floor(15 / 6)')
    }
  })
}
