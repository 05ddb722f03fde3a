/**
 * Takes one sample: asks a page, or runs a command, and reads the number it says.
 *
 * Nothing here waits for longer than a second, holds more than a few megabytes or goes through the
 * engine: samples are no part of the load and are counted nowhere.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import { ONAGER_VERSION } from '../base/version.ts'
import type { TlsPlan } from '../plan/plan.ts'
import { type Pick, type Reading, readNumber } from './watch-reading.ts'

export const SAMPLE_WAIT_MS = 1000
const TOO_LATE = 'there was no answer within a second'
const PAGE_BYTES_MAX = 4_194_304
const OUTPUT_BYTES_MAX = 65_536

export type WatchTarget =
  /** Credentials are part of the URL; the fragment is not. */
  | { readonly kind: 'url'; readonly url: string; readonly pick: Pick }
  | { readonly kind: 'command'; readonly command: string }

export interface Sampling {
  readonly reading: Promise<Reading>
  /** Ends it at once; there may be no reading then. */
  abort(): void
}

export function startSampling(target: WatchTarget, tls: TlsPlan): Sampling {
  return target.kind === 'url' ? askPage(target, tls) : runCommand(target.command)
}

function askPage({ url, pick }: WatchTarget & { readonly kind: 'url' }, tls: TlsPlan): Sampling {
  const isSecure = /^https:/i.test(url)
  const request = (isSecure ? https : http).request(url, {
    // A connection of its own each time: none is kept that the server counts as a client's.
    agent: false,
    headers: {
      accept: 'text/plain;version=0.0.4, application/json;q=0.9, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': `onager/${ONAGER_VERSION}`,
    },
    ...(isSecure ? trustOf(tls) : {}),
  })
  const reading = new Promise<Reading>((resolve) => {
    const timer = setTimeout(() => give({ reason: TOO_LATE }), SAMPLE_WAIT_MS)
    const give = (result: Reading): void => {
      clearTimeout(timer)
      resolve(result)
      request.destroy()
    }
    request.on('error', (error) => give({ reason: error.message }))
    // Destroyed from outside: there is neither an answer nor an error.
    request.on('close', () => give({ reason: 'the connection was closed' }))
    request.on('response', (response) => {
      const { statusCode = 0 } = response
      if (statusCode < 200 || statusCode > 299) {
        give({ reason: `the status is ${statusCode}` })
        return
      }
      const body = new BoundedText(PAGE_BYTES_MAX)
      response.on('data', (chunk: Buffer) => {
        if (!body.add(chunk)) give({ reason: 'the page is longer than 4 MB' })
      })
      response.on('error', (error) => give({ reason: error.message }))
      response.on('end', () => give(readNumber(body.text(), pick)))
    })
  })
  request.end()
  return { reading, abort: () => request.destroy() }
}

function trustOf({ verify, ca }: TlsPlan): https.RequestOptions {
  const authorities = ca === null ? {} : { ca: [...rootCertificates, ca] }
  return { rejectUnauthorized: verify, ...authorities }
}

/** The number counts, whatever the exit status: `grep -c` says 0 and fails. */
function runCommand(command: string): Sampling {
  // In a process group of its own all that it starts can be ended, and Ctrl-C does not reach it.
  // Without a descriptor left there is a child that never was, and no streams either.
  const child: ChildProcess = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reading = new Promise<Reading>((resolve) => {
    const stdout = new BoundedText(OUTPUT_BYTES_MAX)
    const stderr = new BoundedText(OUTPUT_BYTES_MAX)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child)
    }, SAMPLE_WAIT_MS)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!stdout.add(chunk)) endGroup(child)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (!stderr.add(chunk)) endGroup(child)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ reason: error.message })
    })
    child.on('close', (status) => {
      clearTimeout(timer)
      const found = readNumber(stdout.text(), { kind: 'first' })
      const complaint = stderr.text().trim().split('\n', 1)[0]!
      if (isLate) resolve({ reason: TOO_LATE })
      else if ('value' in found || (status === 0 && complaint === '')) resolve(found)
      else resolve({ reason: complaint === '' ? `its exit status is ${status}` : complaint })
    })
  })
  return { reading, abort: () => endGroup(child) }
}

function endGroup(child: ChildProcess): void {
  // Without a process id it never started; with an exit code the id may be someone else's by now,
  // but not that of a group some of whose members hold our pipes.
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}

/** The beginning of a text, as far as it is of use. */
class BoundedText {
  readonly #bytesMax: number
  readonly #chunks: Buffer[] = []
  #byteCount = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** False when it is full. */
  add(chunk: Buffer): boolean {
    if (this.#byteCount < this.#bytesMax) this.#chunks.push(chunk)
    this.#byteCount += chunk.length
    return this.#byteCount <= this.#bytesMax
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
