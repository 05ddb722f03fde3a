/**
 * A real apache2 that asks for logins: `/basic/`, `/digest/`, and `/stale/`, whose nonces last a
 * second.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DaemonPlace, isRoot, startDaemon } from './daemon.ts'
import type { Scope } from './scope.ts'

/** Of both users, `joe` and `D"O\\M`. */
export const APACHE_PASSWORD = 'pa:s#s "w\u00f6rd"'
/** Without quotes: apache2 2.4 hashes such a realm with the backslashes of the field around it. */
const REALM = 'A realm, with comma'
export const apacheFolders: readonly string[] = ['basic', 'digest', 'stale']
const APACHE_MODULES = '/usr/lib/apache2/modules'

/** @param path From `requirePart(t, 'apache2')`. */
export async function startApache(scope: Scope, path: string): Promise<number> {
  const { port } = await startDaemon(scope, { path, prepare: prepareApache })
  return port
}

function prepareApache({ folder, port }: DaemonPlace): readonly string[] {
  for (const name of [...apacheFolders, 'basic/ann']) {
    mkdirSync(join(folder, 'html', name), { recursive: true })
    for (const file of ['index.html', 'page.html']) {
      writeFileSync(join(folder, 'html', name, file), `${name}\n`)
    }
  }
  const sha1 = createHash('sha1').update(APACHE_PASSWORD).digest('base64')
  writeFileSync(join(folder, 'basic-users'), `joe:{SHA}${sha1}\n`)
  const digestUsers = ['joe', 'D"O\\M'].map((user) => `${user}:${REALM}:${ha1(user, REALM)}\n`)
  writeFileSync(join(folder, 'digest-users'), digestUsers.join(''))
  const modules = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'dir']
    .concat('auth_basic', 'auth_digest')
    .map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so\n`)
  const digest = `AuthType Digest
    AuthName "${REALM}"
    AuthDigestProvider file
    AuthUserFile digest-users
    Require valid-user`
  writeFileSync(
    join(folder, 'apache.conf'),
    `${modules.join('')}
ServerRoot ${folder}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
${isRoot ? 'User www-data\nGroup www-data' : ''}
PidFile apache.pid
Mutex file:${folder}
ErrorLog error.log
DocumentRoot html
DirectoryIndex index.html
StartServers 1
KeepAlive On
MaxKeepAliveRequests 0
<Location /basic>
  AuthType Basic
  AuthName "A \\"quoted\\" realm, with comma"
  AuthUserFile basic-users
  Require valid-user
</Location>
<Location /basic/ann>
  Require user ann
</Location>
<Location /digest>
  ${digest}
</Location>
<Location /stale>
  ${digest}
  AuthDigestNonceLifetime 1
</Location>
`,
  )
  return ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')]
}

/** RFC 7616, section 3.4.2. */
function ha1(user: string, realm: string): string {
  return createHash('md5').update(`${user}:${realm}:${APACHE_PASSWORD}`).digest('hex')
}
