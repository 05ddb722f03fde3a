/**
 * What people do to ab's output in scripts, as found in the wild: each finds in ours what it finds
 * in that of real ab. Ours has its additions; most scripts know of none.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { startNginx } from '../support/nginx.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli, runProgram } from '../support/run-cli.ts'

/**
 * Run by sh in a folder with out, err, e.csv and g.tsv. What awk computes must be printed with a
 * fixed number of places: a whole mean would be written without its point, in one of two runs.
 */
const shellSnippets: readonly string[] = [
  `grep "Requests per second" out | awk '{print $4}'`,
  `awk '/Requests per second/ {print $4}' out`,
  `grep 'Requests per second' out | cut -d: -f2 | awk '{print $1}'`,
  `grep -oP 'Requests per second:\\s+\\K[0-9.]+' out`,
  `sed -n 's/^Requests per second: *\\([0-9.]*\\).*/\\1/p' out`,
  `grep -E '^(Requests per second|Failed requests|Complete requests)' out | awk -F: '{print $1}'`,
  `awk '/^Time per request/ {print $4; exit}' out`,
  `grep "Time per request" out | grep -v across | awk '{print $4}'`,
  `grep 'across all concurrent requests' out | awk '{print $4}'`,
  `grep "Time taken for tests" out | awk '{print $5}'`,
  `awk -F': *' '/Failed requests/ {print $2}' out`,
  `grep "Complete requests" out | tr -s ' ' | cut -d' ' -f3`,
  `awk '/Transfer rate/ {print $3, $4}' out`,
  `awk '/Total transferred/ {print $3}' out`,
  `awk '/HTML transferred/ {print $3}' out`,
  `awk '/Document Length/ {print $3, $4}' out`,
  `awk '/Document Path/ {print $3}' out`,
  `awk '/Server Software/ {print $3}' out`,
  `awk '/Concurrency Level/ {print $3}' out`,
  `grep '^Keep-Alive requests' out | awk '{print $3}'`,
  `grep -c 'Non-2xx responses' out || true`,
  `awk '$1 == "Connect:" {print $2, $3, $4, $5, $6}' out`,
  `awk '/^Processing:/ {print $3}' out`,
  `awk '/^Waiting:/ {print $NF}' out`,
  `grep Total: out | awk '{print $5}'`,
  `grep '50%' out | awk '{print $2}'`,
  `grep ' 95%' out | awk '{print $2}'`,
  `awk '/99%/ {print $2}' out`,
  `grep '100%' out | awk '{print $2}'`,
  `grep 'longest request' out | awk '{print $2}'`,
  `awk '/%/ && $1 ~ /^[0-9]+%$/ {print $1 "=" $2}' out`,
  `sed -n '/Percentage of the requests/,/100%/p' out | tail -n +2 | awk '{print $2}'`,
  `sed -n '/^Connection Times/,/^Total/p' out | wc -l`,
  `head -1 out`,
  `grep -c '^Completed [0-9]* requests$' err`,
  `tail -1 err`,
  `awk -F, 'NR > 1 {n++} END {print n}' e.csv`,
  `awk -F, '$1 == 95 {print $2}' e.csv`,
  `tail -1 e.csv | cut -d, -f2`,
  `head -1 e.csv`,
  `head -1 g.tsv`,
  `awk 'NR > 1 {print NF}' g.tsv | sort -u`,
  `awk -F'\\t' 'NR > 1 {s += $5; n++} END {printf "%d %.2f\\n", n, s / n}' g.tsv`,
  `cut -f2 g.tsv | tail -n +2 | sort -n | head -1`,
]

const pythonProgram = `
import csv, json, re, sys
text = open('out').read()
found = {
    'rps': re.findall(r'Requests per second:\\s+([\\d.]+) \\[#/sec\\] \\(mean\\)', text),
    'mean': re.findall(r'Time per request:\\s+([\\d.]+) \\[ms\\] \\(mean\\)', text),
    'failed': re.search(r'Failed requests:\\s+(\\d+)', text).groups(),
    'taken': re.search(r'^Time taken for tests:\\s+([\\d.]+) seconds$', text, re.M).groups(),
    'percentiles': re.findall(r'^\\s+(\\d+)%\\s+(\\d+)', text, re.M),
    'times': re.findall(r'^(\\w+):\\s+(\\d+)\\s+(\\d+)\\s+([\\d.]+)\\s+(\\d+)\\s+(\\d+)$', text, re.M),
    'rate': re.findall(r'Transfer rate:\\s+([\\d.]+) \\[Kbytes/sec\\] received', text),
    'csv': [sorted(row) for row in csv.DictReader(open('e.csv'))][:2],
    'rows': [sorted(row) for row in csv.DictReader(open('g.tsv'), delimiter='\\t')][:2],
}
print(json.dumps(found))
`

/** Numbers of one run are not those of another: a number is a number. */
function shapeOf(output: string): string {
  return output.replace(/\d+(\.\d+)?/g, (digits) => (digits.includes('.') ? 'N.N' : 'N'))
}

async function outputOf(program: 'ours' | 'real', realAb: string, url: string, folder: string) {
  mkdirSync(folder)
  const args = ['-n500', '-c5', '-k', '-e', 'e.csv', '-g', 'g.tsv', url]
  const run =
    program === 'real'
      ? await runProgram(realAb, args, { cwd: folder })
      : await runCli('ab', args, { cwd: folder })
  writeFileSync(join(folder, 'out'), run.stdout)
  writeFileSync(join(folder, 'err'), run.stderr)
}

test('scripts that scrape ab find in ours what they find in that of real ab', async (t) => {
  const realAb = requirePart(t, 'ab')
  const path = requirePart(t, 'nginx')
  const python = requirePart(t, 'python3')
  if (realAb === undefined || path === undefined || python === undefined) return
  const { url } = await startNginx(t, { path })
  const folder = tempFolder(t)
  const folders = { real: join(folder, 'real'), ours: join(folder, 'ours') }
  await outputOf('real', realAb, `${url}/`, folders.real)
  await outputOf('ours', realAb, `${url}/`, folders.ours)
  for (const snippet of shellSnippets) {
    const found = await Promise.all(
      [folders.real, folders.ours].map((cwd) => runProgram('/bin/sh', ['-c', snippet], { cwd })),
    )
    const [real, ours] = found.map(({ stdout }) => stdout)
    assert.ok(real !== '', `${snippet} finds nothing in real ab's`)
    assert.equal(shapeOf(ours!), shapeOf(real!), snippet)
  }
  const [real, ours] = await Promise.all(
    [folders.real, folders.ours].map((cwd) => runProgram(python, ['-c', pythonProgram], { cwd })),
  )
  assert.equal(real!.stderr, '')
  assert.equal(shapeOf(ours!.stdout), shapeOf(real!.stdout))
})
