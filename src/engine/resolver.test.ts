/** Which hosts are addresses already, and in which order the addresses of a name are tried. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { type Address, interleaveFamilies, literalFamily, OriginAddresses } from './resolver.ts'

test('literalFamily() tells addresses from names', () => {
  assert.equal(literalFamily('127.0.0.1'), 4)
  assert.equal(literalFamily('::1'), 6)
  assert.equal(literalFamily('fe80::1%eth0'), 6)
  for (const name of ['localhost', 'a.test', '1.2.3', '1.2.3.4.5', '1.2.3.4a', 'x1.2.3.4', '']) {
    assert.equal(literalFamily(name), 0, name)
  }
})

const anyAddress = fc.record({
  address: fc.string(),
  family: fc.constantFrom<4 | 6>(4, 6),
})

test('interleaveFamilies() keeps all addresses, and the order within a family', () => {
  fc.assert(
    fc.property(fc.array(anyAddress), (addresses) => {
      const mixed = interleaveFamilies(addresses)
      assert.equal(mixed.length, addresses.length)
      for (const family of [4, 6]) {
        const ofFamily = (list: readonly Address[]) => list.filter((each) => each.family === family)
        assert.deepEqual(ofFamily(mixed), ofFamily(addresses))
      }
    }),
  )
})

test('interleaveFamilies() starts with the first choice and changes while it can', () => {
  fc.assert(
    fc.property(fc.array(anyAddress, { minLength: 1 }), (addresses) => {
      const mixed = interleaveFamilies(addresses)
      assert.deepEqual(mixed[0], addresses[0])
      const count4 = addresses.filter((each) => each.family === 4).length
      const pairCount = Math.min(count4, addresses.length - count4)
      for (let index = 1; index < 2 * pairCount; index++) {
        assert.notEqual(mixed[index]!.family, mixed[index - 1]!.family, `place ${index}`)
      }
    }),
  )
})

test('OriginAddresses of an address need no question', () => {
  const four = new OriginAddresses('10.0.0.1', 81)
  assert.equal(four.state, 'known')
  assert.deepEqual(four.endpoints, [{ address: '10.0.0.1', family: 4, port: 81 }])
  const six = new OriginAddresses('fe80::1%eth0', 82)
  assert.deepEqual(six.endpoints, [{ address: 'fe80::1%eth0', family: 6, port: 82 }])
})

test('OriginAddresses take an answer, good or bad, with the port of their origin', () => {
  const good = new OriginAddresses('a.test', 8080)
  assert.equal(good.state, 'unknown')
  good.settle({
    addresses: [
      { address: '::1', family: 6 },
      { address: '::2', family: 6 },
      { address: '10.0.0.1', family: 4 },
    ],
  })
  assert.equal(good.state, 'known')
  assert.deepEqual(
    good.endpoints.map(({ address, port }) => `${address} ${port}`),
    ['::1 8080', '10.0.0.1 8080', '::2 8080'],
  )
  const bad = new OriginAddresses('b.test', 80)
  bad.settle({ failureText: 'no such host: b.test' })
  assert.equal(bad.state, 'failed')
  assert.equal(bad.failureText, 'no such host: b.test')
})
