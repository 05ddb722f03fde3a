/**
 * The schema of plan files for editors, as JSON Schema: docs/schema/plan.schema.json is made by it.
 *
 * Draft 7, which the YAML support of all editors understands.
 */
import { planSchema, type ZodModule } from './plan-schema.ts'

export function jsonSchemaText(z: ZodModule): string {
  const schema = z.toJSONSchema(planSchema(z), { io: 'input', target: 'draft-7', reused: 'inline' })
  const title = 'A plan of onager run'
  return `${JSON.stringify({ title, ...schema, patternProperties: { '^x-': {} } }, null, 2)}\n`
}
