/** Error numbers of the kernel as Node's own errors, so that both reactors share their texts. */

/** Such as `ECONNREFUSED`. */
export function errnoName(errno: number): string {
  return process.getBuiltinModule('node:util').getSystemErrorName(-errno)
}

export function errorOf(errno: number): NodeJS.ErrnoException {
  const code = errnoName(errno)
  return Object.assign(new Error(code), { code, errno: -errno })
}
