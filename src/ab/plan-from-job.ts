/** From ab's command line to the plan that every engine understands. */
import { nsFromSeconds } from '../base/units.ts'
import { FailureKind } from '../metrics/outcome.ts'
import type { Plan, ProxyServer, TlsPlan } from '../plan/plan.ts'
import { TargetListBuilder } from '../plan/target-list.ts'
import { targetTitle } from '../plan/target-title.ts'
import type { AbJob } from './command-line.ts'
import { readProxyAddress } from './proxy-address.ts'
import { abHead } from './request-head.ts'

/** Without `-r` ab ends with the first of these; garbage and TLS failures only count. */
const FATAL_KINDS: readonly number[] = [
  FailureKind.dns,
  FailureKind.connect,
  FailureKind.connectTimeout,
  FailureKind.tlsTimeout,
  FailureKind.firstByteTimeout,
  FailureKind.idleTimeout,
  FailureKind.reset,
  FailureKind.ownLimit,
]
/** For `-s` below 0: longer than any run. */
const NO_TIMEOUT_SECONDS = 100 * 24 * 3600
const TLS13_SUITES = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256'

export interface AbSurroundings {
  /** Contents of the `-E` file; null without one. */
  readonly certificatePem: string | null
  readonly localAddress: string | null
  readonly randomSeed: number
}

export function planFromJob(job: AbJob, surroundings: AbSurroundings): Plan {
  const { settings, url } = job
  const proxy = proxyServer(job)
  const isTunnelled = proxy !== null && url.origin.scheme === 'https'
  const builder = new TargetListBuilder()
  builder.add({
    origin: url.origin,
    method: job.method,
    requestTarget: url.requestTarget,
    body: job.body,
    contentType: null,
    isContentTypeExplicit: false,
    credentials: null,
  })
  const targets = builder.build()
  return {
    load: {
      model: 'closed',
      userCount: settings.concurrency,
      iterationCount: null,
      totalCount: job.requestCount,
      // A time that is over before it began ends the run at once.
      durationNs: settings.timeLimit === 0 ? null : nsFromSeconds(Math.max(0, settings.timeLimit)),
      thinkTimeNsMax: 0,
    },
    targets,
    walk: 'in-order',
    request: {
      httpVersion: settings.http11 ? '1.1' : '1.0',
      head: abHead(job, isTunnelled),
    },
    connection: {
      keepAlive: settings.keepAlive,
      timeoutNs: nsFromSeconds(settings.timeout < 0 ? NO_TIMEOUT_SECONDS : settings.timeout),
      ...(surroundings.localAddress === null
        ? {}
        : { sourceAddresses: [surroundings.localAddress] }),
      ...(settings.windowBytes === 0 ? {} : { bufferBytes: settings.windowBytes }),
    },
    tls: tlsPlan(job, surroundings),
    browse: {
      followsRedirects: false,
      cookies: null,
      resources: null,
      caches: false,
      logins: [],
      loginAttemptCountMax: 1,
      loginTargets: null,
      authTargets: null,
    },
    proxy: proxy === null ? null : { http: proxy, https: proxy, exceptions: [] },
    failureCountMax: null,
    ...(settings.goesOn ? {} : { fatalFailureKinds: FATAL_KINDS }),
    failEmptyBodies: false,
    title: targetTitle(targets),
    threadCount: settings.threadCount,
    ...(settings.pinnedCpus.length === 0 ? {} : { pinnedCpus: settings.pinnedCpus }),
    reactor: settings.reactor,
    seed: surroundings.randomSeed,
  }
}

function proxyServer({ settings, authorizations }: AbJob): ProxyServer | null {
  const address = settings.proxy === null ? null : readProxyAddress(settings.proxy)
  if (address === null) return null
  const login = authorizations.find(({ name }) => name === 'Proxy-Authorization')
  return {
    kind: 'http',
    ...address,
    logins: [],
    ...(login === undefined ? {} : { authorization: login.value }),
  }
}

function tlsPlan({ settings }: AbJob, { certificatePem }: AbSurroundings): TlsPlan {
  const version = protocolVersion(settings.protocol)
  return {
    verify: settings.verify,
    ca: null,
    cert: certificatePem,
    key: certificatePem,
    ciphers: cipherList(settings.ciphers),
    versionMin: version,
    versionMax: version,
    // Every connection of ab shakes hands in full.
    resume: false,
    ...(settings.hidesServerName ? { sendsServerName: false } : {}),
  }
}

/**
 * OpenSSL's own choice instead of Node's. The suites of TLS 1.3 do not depend on `-Z`, but Node
 * leaves that version out where a list has none of them.
 */
function cipherList(given: string | null): string {
  if (given?.includes('TLS_') === true) return given
  return `${TLS13_SUITES}:${given ?? 'DEFAULT'}`
}

/** By their beginnings, in ab's order; null: any version. */
function protocolVersion(text: string): string | null {
  const upper = text.toUpperCase()
  const versions = [
    ['TLS1.1', 'TLSv1.1'],
    ['TLS1.2', 'TLSv1.2'],
    ['TLS1.3', 'TLSv1.3'],
    ['TLS1', 'TLSv1'],
  ] as const
  return versions.find(([name]) => upper.startsWith(name))?.[1] ?? null
}
