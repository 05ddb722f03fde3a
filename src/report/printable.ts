/** Text from elsewhere, a server's own words among it, made safe to show on a terminal. */

/** Control characters stand as `\x1b`: none of them reaches the terminal. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
