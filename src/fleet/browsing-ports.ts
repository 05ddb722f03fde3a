/**
 * The means for what a browser does: hashes, the public suffix list, inflating, page readers.
 *
 * Libraries are loaded when they are first needed, and synchronously: a thread that blocks in its
 * reactor has no other way.
 */
import { createRequire } from 'node:module'
import type { HashPort } from '../browse/auth-text.ts'
import type { BrowsingPorts } from '../engine/browsing.ts'
import type { PageReaderFactory } from '../engine/page-reader.ts'
import type { Plan } from '../plan/plan.ts'
import { nodePageReaders } from './page-readers.ts'

const require = createRequire(import.meta.url)

const hashNames = { md5: 'md5', sha256: 'sha256', 'sha512-256': 'sha512-256' } as const

export const nodeHashes: HashPort = {
  hash: (algorithm, bytes) => crypto().createHash(hashNames[algorithm]).update(bytes).digest(),
  hmacMd5: (key, bytes) => crypto().createHmac('md5', key).update(bytes).digest(),
  randomBytes: (byteCount) => crypto().randomBytes(byteCount),
}

function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

const noPageReaders: PageReaderFactory = { readerFor: () => null }

type Tldts = typeof import('tldts')
let tldts: Tldts | undefined

/** Whether cookies for all of `domain` would reach sites of different owners. */
export function isPublicSuffix(domain: string): boolean {
  tldts ??= require('tldts') as Tldts
  return tldts.getPublicSuffix(domain, { allowPrivateDomains: true }) === domain
}

/** For one thread. `startedAtMs`: the wall clock at the run's start. */
export function nodeBrowsingPorts(plan: Plan, startedAtMs: number): BrowsingPorts {
  const { resources } = plan.browse
  return {
    hashes: nodeHashes,
    isPublicSuffix,
    unixMs: (atNs) => startedAtMs + atNs / 1e6,
    pageReaders: resources === null ? noPageReaders : nodePageReaders(resources),
  }
}
