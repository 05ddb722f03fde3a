/** Error numbers of the kernel as Node's own errors, so that both reactors share their texts. */
import { getSystemErrorName } from 'node:util'

export function errorOf(errno: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno)
  return Object.assign(new Error(code), { code, errno: -errno })
}
