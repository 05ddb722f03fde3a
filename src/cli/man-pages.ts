/** All manual pages, and where each is in the package. */
import { ONAGER_VERSION } from '../base/version.ts'
import { type ManPage, manText } from '../plan/option-docs-man.ts'
import { abPages } from './man-ab.ts'
import { companionPages } from './man-companions.ts'
import { onagerPages } from './man-onager.ts'
import { runPages } from './man-run.ts'
import { siegePages } from './man-siege.ts'

export const manPages: readonly ManPage[] = [
  ...siegePages,
  ...abPages,
  ...companionPages,
  ...onagerPages,
  ...runPages,
]

/** `siege.1`, a file in docs/man. */
export function manFileName({ name, section }: ManPage): string {
  return `${name}.${section}`
}

export function manSource(page: ManPage): string {
  return manText(page, `onager ${ONAGER_VERSION}`)
}
