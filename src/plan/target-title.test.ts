/** A run is called by its first target, never with a login. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TargetListBuilder } from './target-list.ts'
import { targetTitle } from './target-title.ts'

function listOf(...paths: readonly string[]) {
  const builder = new TargetListBuilder()
  for (const requestTarget of paths) {
    builder.add({
      origin: { scheme: 'http', host: '127.0.0.1', port: 8080, authority: '127.0.0.1:8080' },
      method: requestTarget === '/buy' ? 'POST' : 'GET',
      requestTarget,
      body: null,
      contentType: null,
      isContentTypeExplicit: false,
      credentials: { user: 'jane', password: 'secret' },
    })
  }
  return builder.build()
}

test('targetTitle() is the first URL, and how many more there are', () => {
  assert.equal(targetTitle(listOf('/a?b=1')), 'http://127.0.0.1:8080/a?b=1')
  assert.equal(targetTitle(listOf('/buy', '/a', '/b')), 'POST http://127.0.0.1:8080/buy and 2 more')
  assert.equal(targetTitle(listOf()), '')
})
