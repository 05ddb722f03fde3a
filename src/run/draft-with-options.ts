/** Lays what the command line says over what a plan file says. */
import path from 'node:path'
import type { RunSettings } from './options.ts'
import type { LoadDraft, PlanDraft, RequestDraft } from './plan-file/plan-draft.ts'

/** `urls` are those of the command line; files that it names are looked for in `folder`. */
export function draftWithOptions(
  file: PlanDraft,
  settings: RunSettings,
  urls: readonly string[],
  folder: string,
): PlanDraft {
  const inFolder = (name: string | null) => (name === null ? null : path.resolve(folder, name))
  const base = urls.length > 0 || settings.urlsFile !== null ? withoutRequests(file) : file
  return {
    ...base,
    ...said({
      title: settings.title,
      'base-url': settings.baseUrl,
      timeout: settings.timeout,
      'keep-alive': settings.keepAlive,
      'follow-redirects': settings.followRedirects,
      cookies: settings.cookies,
      resources: settings.resources,
      insecure: settings.insecure,
      ca: inFolder(settings.ca),
      cert: inFolder(settings.cert),
      key: inFolder(settings.key),
      threads: settings.threads,
      reactor: settings.reactor,
      source: settings.source,
      pin: settings.pin,
      'connect-rate': settings.connectRate,
      seed: settings.seed,
      think: settings.think,
      'abort-on-slo': settings.abortOnSlo,
      order: settings.order,
    }),
    ...(settings.slo.length === 0 ? {} : { slo: settings.slo }),
    ...(urls.length > 0 ? { urls: urls.map((url) => requestOf(url, settings, folder)) } : {}),
    ...(settings.urlsFile === null ? {} : { urls: path.resolve(folder, settings.urlsFile) }),
    ...withHeaders(base, settings),
    ...withVariables(base, settings),
    load: loadWithOptions(base, settings),
  }
}

function withoutRequests({ steps, scenarios, urls, ...rest }: PlanDraft): PlanDraft {
  return rest
}

function withVariables({ variables }: PlanDraft, settings: RunSettings): PlanDraft {
  if (settings.variables.length === 0) return {}
  const given = settings.variables.map(({ name, value }) => [name, value])
  return { variables: { ...variables, ...Object.fromEntries(given) } }
}

/** A field of the command line replaces those of its name, in any case. */
function withHeaders({ headers }: PlanDraft, settings: RunSettings): PlanDraft {
  if (settings.headers.length === 0) return {}
  const names = new Set(settings.headers.map(({ name }) => name.toLowerCase()))
  const kept = Object.entries(headers ?? {}).filter(([name]) => !names.has(name.toLowerCase()))
  const given = new Map<string, string[]>()
  for (const { name, value } of settings.headers) {
    given.set(name, [...(given.get(name) ?? []), value])
  }
  const lists = [...given].map(([name, values]) => [name, values.length > 1 ? values : values[0]!])
  return { headers: Object.fromEntries([...kept, ...lists]) }
}

/** Users, a rate and stages replace each other: whoever says one does not mean the others. */
function loadWithOptions({ load = {} }: PlanDraft, settings: RunSettings): LoadDraft {
  const { users, rate, stages } = settings
  const isRate = rate !== null || stages?.some((stage) => stage.rate !== undefined) === true
  const isUsers = users !== null || stages?.some((stage) => stage.users !== undefined) === true
  const { users: _users, rate: _rate, stages: _stages, ...limits } = load
  const { arrivals: _arrivals, 'max-in-flight': _max, ...plainLimits } = limits
  const kept = isUsers ? plainLimits : limits
  return {
    ...(isRate || isUsers || stages !== null ? kept : load),
    ...said({
      users,
      rate,
      stages,
      arrivals: settings.arrivals,
      'max-in-flight': settings.maxInFlight,
      duration: settings.duration,
      count: settings.count,
      'warm-up': settings.warmUp,
      drain: settings.drain,
    }),
  }
}

/** A URL stays a line of a list unless options say how to request it. */
function requestOf(url: string, settings: RunSettings, folder: string): string | RequestDraft {
  const { method, body, contentType } = settings
  if (method === null && body === null && contentType === null) return url
  return {
    method: method ?? (body === null ? 'GET' : 'POST'),
    url,
    ...(body === null
      ? {}
      : body.startsWith('@')
        ? { 'body-file': path.resolve(folder, body.slice(1)) }
        : { body }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
  }
}

type Said<Values> = { readonly [Key in keyof Values]?: Exclude<Values[Key], null> }

/** Only what is not null. */
function said<Values extends object>(values: Values): Said<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== null)
  // The same keys, without those that hold null.
  return Object.fromEntries(entries) as Said<Values>
}
