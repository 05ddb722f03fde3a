/** The heap of this process, with what no longer lives taken away when a test says so. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The flag gives a `gc` to contexts made from now on, and only to them.
setFlagsFromString('--expose-gc')

/** Takes away all that nothing refers to any more. */
export const collectGarbage = runInNewContext('gc') as () => void

/** Objects, and the buffers beside them. */
export function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
