/** Banner, notices and colours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ONAGER_VERSION } from '../base/version.ts'
import { bannerText, noticeLine, shouldColor } from './messages.ts'

const shown = { userCount: 3, quiet: false, json: false, get: false, verbose: true, debug: false }

test('bannerText() ends its last line in verbose mode only', () => {
  const banner =
    `** SIEGE 4.1.7 (onager ${ONAGER_VERSION})\n` +
    '** Preparing 3 concurrent users for battle.\n' +
    'The server is now under siege...'
  assert.equal(bannerText(shown), `${banner}\n`)
  assert.equal(bannerText({ ...shown, verbose: false }), banner)
  assert.match(bannerText({ ...shown, debug: true }), /\): debugging enabled\n/)
})

test('bannerText() is nothing for -q, -j and -g', () => {
  for (const key of ['quiet', 'json', 'get'])
    assert.equal(bannerText({ ...shown, [key]: true }), '')
})

test('noticeLine() colours the word between the brackets', () => {
  assert.equal(noticeLine('[error] x', false), '[error] x\n')
  assert.equal(noticeLine('[alert] x', true), '[\x1b[1;32malert\x1b[0m] x\n')
  assert.equal(noticeLine('defaulting', true), 'defaulting\n')
})

test('shouldColor() asks for a terminal, the setting and no NO_COLOR', () => {
  assert.equal(shouldColor({ isTTY: true }, { color: true }, {}), true)
  assert.equal(shouldColor({ isTTY: true }, { color: true }, { NO_COLOR: '' }), true)
  assert.equal(shouldColor({ isTTY: true }, { color: true }, { NO_COLOR: '1' }), false)
  assert.equal(shouldColor({ isTTY: true }, { color: false }, {}), false)
  assert.equal(shouldColor({}, { color: true }, {}), false)
})
