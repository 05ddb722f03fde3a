/** Which type a file name stands for, and that odd names stand for none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeOfFile } from './content-type.ts'

const rows: [path: string, type: string | null][] = [
  ['a.json', 'application/json'],
  ['./dir.x/a.XML', 'text/xml'],
  ['a.tar.gz', 'application/gzip'],
  ['C:\\up.load\\a.txt', 'text/plain'],
  ['photo.jpeg', 'image/jpeg'],
  ['noextension', null],
  ['dir.json/noextension', null],
  ['.json', null],
  ['a.', null],
  ['a.constructor', null],
  ['', null],
]

for (const [path, type] of rows) {
  test(`contentTypeOfFile() of ${JSON.stringify(path)} is ${type}`, () => {
    assert.equal(contentTypeOfFile(path), type)
  })
}
