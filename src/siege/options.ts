/**
 * The option table of siege: every option of the command line and every directive of a siegerc.
 *
 * Defaults are those of the configuration file that siege installs, whether or not there is one.
 * Help, reference page, template and messages come from here; the rules between options are in
 * `settle.ts`.
 */
import type { OptionTable } from '../plan/option-table.ts'
import { loadOptions } from './options-load.ts'
import { outputOptions } from './options-output.ts'
import { requestOptions } from './options-requests.ts'
import type { SiegeSettings } from './settings.ts'

export const siegeOptions: OptionTable<SiegeSettings> = {
  ...loadOptions,
  ...requestOptions,
  ...outputOptions,
}

/** The groups in the order in which help and reference show them. */
export const GROUPS: readonly string[] = [
  ...new Set(Object.values(siegeOptions).map((row) => row.group)),
]
