/** Basic login (RFC 7617): the field's value, which is the same for every request. */
import { type AuthCredentials, base64Text } from './auth-text.ts'

/** Whether Basic can carry them: the first colon ends the name, so a name cannot have one. */
export function fitsBasic({ user }: AuthCredentials): boolean {
  return !user.includes(':')
}

/** In UTF-8, which is the only encoding that a server can ask for (section 2.1). */
export function basicValue({ user, password }: AuthCredentials): string {
  return `Basic ${base64Text(new TextEncoder().encode(`${user}:${password}`))}`
}
