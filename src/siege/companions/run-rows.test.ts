/** The table as CSV (RFC 4180) and as text for a terminal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvHeader, csvRows, type RunRow, tableText } from './run-rows.ts'

/** A reader of RFC 4180 by its grammar, to read back what was written. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const found of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('csvRows() writes what a reader of RFC 4180 reads back, under one heading for each', () => {
  const rows: RunRow[] = [
    { userCount: 1, transactionCount: 2, mark: 'a "b", c\r\nd', endedBy: 'time' },
    {},
    { responseTimeS: 0.000125, elapsedS: 10, dataMb: 1 / 3, longestS: 0.0000001 },
  ]
  const [head = [], ...read] = readCsv(csvHeader + csvRows(rows))
  assert.deepEqual(head.slice(0, 3), ['Users', 'Transactions', 'Elapsed Time (s)'])
  assert.equal(new Set(head).size, head.length)
  assert.deepEqual(
    read.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell] as const))),
    rows.map((row) => ({
      ...Object.fromEntries(head.map((name) => [name, ''])),
      ...(row.userCount === 1 && {
        Users: '1',
        Transactions: '2',
        Mark: 'a "b", c\r\nd',
        'Ended By': 'time',
      }),
      ...(row.elapsedS === 10 && {
        'Response Time (s)': '0.000125',
        'Elapsed Time (s)': '10',
        'Data Transferred (MB)': '0.333333',
        'Longest Transaction (s)': '0',
      }),
    })),
  )
})

test('tableText() lines up its columns, within 80 of them, and shows what is not known as -', () => {
  const text = tableText([
    { userCount: 5, transactionCount: 100, failedCount: 0, availabilityPercent: 100, elapsedS: 1 },
    { userCount: 1000, transactionCount: 123456, responseTimeS: 0.0123, p95S: 0.5, mbPerSecond: 9 },
  ])
  const lines = text.split('\n')
  assert.equal(lines.length, 4)
  assert.equal(new Set(lines.slice(0, 3).map((line) => line.length)).size, 1)
  assert.ok((lines[0]?.length ?? 99) <= 80, lines[0])
  assert.match(
    lines[2] ?? '',
    /^ {2}2 {3}1000 {2}123456 +- +- +- +0\.012 {2}0\.500 +- {2}9\.00 +-$/,
  )
})
