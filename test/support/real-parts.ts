/**
 * Programs of other projects that tests compare ourselves with: real siege, real servers.
 *
 * A machine without one skips the tests that need it, and says which package brings it. With
 * CI=true the test fails instead, so that no check is lost without anybody noticing.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Each program and the Debian package it comes in. `.ci/run` installs these packages. */
export const debianPackageOf = {
  nginx: 'nginx',
  siege: 'siege',
  ab: 'apache2-utils',
  openssl: 'openssl',
  python3: 'python3',
  strace: 'strace',
  apache2: 'apache2',
  squid: 'squid',
  tinyproxy: 'tinyproxy',
  danted: 'dante-server',
  vsftpd: 'vsftpd',
  script: 'bsdutils',
  chromium: 'chromium',
  man: 'man-db',
  zsh: 'zsh',
  fish: 'fish',
  prometheus: 'prometheus',
  promtool: 'prometheus',
} as const

export type RealPart = keyof typeof debianPackageOf

/** Daemons live in `sbin`, which the PATH of ordinary users does not hold. */
const extraFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** The part of a `TestContext` that is needed to skip. */
export interface Skippable {
  skip(reason?: string): void
}

/** The program's path, or undefined where it is not installed. */
export function findPart(part: RealPart, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), ...extraFolders]
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, part))
    .find(isExecutable)
}

/**
 * The program's path. Where it is missing the test is marked as skipped and gets undefined, upon
 * which it has to return.
 * @throws {Error} where it is missing and CI=true.
 */
export function requirePart(
  test: Skippable,
  part: RealPart,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const path = findPart(part, env)
  if (path !== undefined) return path
  const reason = `${part} is not installed (Debian package ${debianPackageOf[part]})`
  if (env.CI === 'true') throw new Error(`${reason}; with CI=true that is a failure`)
  test.skip(reason)
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there or not ours to run: both mean that the next folder is asked.
    return false
  }
}
