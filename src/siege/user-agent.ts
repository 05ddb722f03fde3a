/** The User-Agent that siege sends unless told otherwise, with the platform it runs on. */
import { SIEGE_VERSION } from './messages.ts'

const CPUS = new Map([
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
  ['ia32', 'i686'],
])
const SYSTEMS = new Map([
  ['linux', 'linux-gnu'],
  ['win32', 'windows'],
])

/** `architecture` and `system` as in `process.arch` and `process.platform`. */
export function platformUserAgent(architecture: string, system: string): string {
  const vendor = system === 'darwin' ? 'apple' : 'unknown'
  const cpu = CPUS.get(architecture) ?? architecture
  return `Mozilla/5.0 (${vendor}-${cpu}-${SYSTEMS.get(system) ?? system}) Siege/${SIEGE_VERSION}`
}
