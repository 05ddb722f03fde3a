/**
 * Prints a complete plan as YAML that can be read again, without what is secret in it.
 *
 * Secrets are what people call so: values under names such as password or token, credentials in
 * URLs, and the header fields that carry them. Texts with variables show nothing and stay.
 */
import type { ZodType } from 'zod'
import type { PlanDraft } from './plan-draft.ts'
import type { YamlModule } from './read-document.ts'

const MASK = '*****'
const SECRET_NAME = /passw|secret|token|api[-_]?key|credential|^(?:proxy-)?authorization$|^cookie$/i

/** The schema puts everything in its order; what it does not take would not be read again. */
export function printedPlan(
  yaml: YamlModule,
  schema: ZodType<PlanDraft>,
  draft: PlanDraft,
): string {
  const plan = masked(schema.parse(draft), '')
  return yaml.stringify(plan, { lineWidth: 100, aliasDuplicateObjects: false })
}

/** `name` is that of the value, or of the list that it is in. */
function masked(value: unknown, name: string): unknown {
  // Where values come from, not values.
  if (name === 'extract') return value
  if (Array.isArray(value)) return value.map((entry) => masked(entry, name))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, entry]) => [key, masked(entry, key)])
    return Object.fromEntries(entries)
  }
  if (typeof value === 'boolean' || value === null) return value
  if (SECRET_NAME.test(name) && !String(value).includes('${')) return MASK
  return typeof value === 'string' ? maskedInText(value) : value
}

const IN_URL = /(^|[A-Z] )([a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#@]*@/gi
const IN_QUERY = /((?:^|[?&])[^=&?\s]*(?:passw|secret|token|api[-_]?key)[^=&?\s]*=)[^&\s$]+/gi
const IN_JSON = /("[^"]*(?:passw|secret|token|api[-_]?key)[^"]*"\s*:\s*")[^"$]+"/gi

function maskedInText(text: string): string {
  return text
    .replace(IN_URL, `$1$2:${MASK}@`)
    .replace(IN_QUERY, `$1${MASK}`)
    .replace(IN_JSON, `$1${MASK}"`)
}
