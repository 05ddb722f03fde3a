/** Reads the value of `--source`: the addresses that connections come from. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ReadResult } from '../plan/option-table.ts'

export function sourceAddresses(raw: string): ReadResult<readonly string[]> {
  const addresses = raw.split(',').map((part) => part.trim().replace(/^\[(.*)\]$/, '$1'))
  const wrong = addresses.find((address) => isIP(address) === 0)
  if (wrong !== undefined) return { mustBe: 'addresses such as 192.0.2.1,192.0.2.2' }
  const foreign = addresses.find((address) => !isOurs(address))
  if (foreign !== undefined) {
    return { mustBe: `addresses of this machine, which ${foreign} is not (it has ${own()})` }
  }
  return { value: addresses }
}

/** All of 127.0.0.0/8 is the loopback interface's, though it names one address only. */
function isOurs(address: string): boolean {
  return address.startsWith('127.') || ownAddresses().includes(address.replace(/%.*/, ''))
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address }) => address),
  )
}

function own(): string {
  return ownAddresses().join(', ')
}
