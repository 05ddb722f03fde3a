/**
 * As much of JSON Schema (draft 2020-12) as our schemas use. A keyword that it does not know is an
 * error, so that nothing is passed over in silence.
 */

interface Schema {
  readonly [keyword: string]: unknown
}

const silentKeywords = ['$schema', '$id', '$defs', 'title', 'description']

/** A sentence for each place where `value` is not what the schema says. */
export function schemaProblems(value: unknown, schema: Schema, root: Schema = schema): string[] {
  return problems(value, schema, { root, place: '' })
}

interface At {
  readonly root: Schema
  readonly place: string
}

function problems(value: unknown, schema: Schema, at: At): string[] {
  const here = at.place === '' ? 'the document' : at.place
  return Object.entries(schema).flatMap(([keyword, rule]): string[] => {
    if (silentKeywords.includes(keyword)) return []
    switch (keyword) {
      case '$ref':
        return problems(value, definition(at.root, rule as string), at)
      case 'anyOf': {
        const found = (rule as Schema[]).map((each) => problems(value, each, at))
        return found.some((each) => each.length === 0) ? [] : found.at(-1)!
      }
      case 'const':
        return value === rule ? [] : [`${here} is not ${rule}`]
      case 'enum':
        return (rule as unknown[]).includes(value) ? [] : [`${here} is none of ${rule}`]
      case 'type':
        return [rule].flat().some((type) => isOfType(value, type as string))
          ? []
          : [`${here} is no ${rule}`]
      case 'minimum':
        return typeof value === 'number' && value < (rule as number) ? [`${here} < ${rule}`] : []
      case 'maximum':
        return typeof value === 'number' && value > (rule as number) ? [`${here} > ${rule}`] : []
      case 'items':
        return Array.isArray(value)
          ? value.flatMap((each, index) =>
              problems(each, rule as Schema, { ...at, place: `${at.place}[${index}]` }),
            )
          : []
      case 'required':
        return isObject(value)
          ? (rule as string[])
              .filter((name) => !Object.hasOwn(value, name))
              .map((name) => `${here} has no ${name}`)
          : []
      case 'properties':
      case 'patternProperties':
        return []
      case 'additionalProperties':
        return isObject(value) ? propertyProblems(value, schema, at) : []
      default:
        return [`the schema says '${keyword}', which this does not know`]
    }
  })
}

/** All our objects are closed: `additionalProperties` is false wherever there are any. */
function propertyProblems(value: Record<string, unknown>, schema: Schema, at: At): string[] {
  const named = (schema.properties ?? {}) as Record<string, Schema>
  const patterns = Object.entries((schema.patternProperties ?? {}) as Record<string, Schema>)
  return Object.entries(value).flatMap(([name, each]) => {
    const place = `${at.place}.${name}`
    const rule = Object.hasOwn(named, name)
      ? named[name]
      : patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1]
    return rule === undefined
      ? [`${place} is in no schema`]
      : problems(each, rule, { ...at, place })
  })
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '')
  return (root.$defs as Record<string, Schema>)[name]!
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}
