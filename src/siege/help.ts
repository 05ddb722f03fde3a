/** What `siege --help` prints on stdout, and the reference page of all options and directives. */
import { helpLines, referenceLines } from '../plan/option-help.ts'
import { GROUPS, siegeOptions } from './options.ts'

const USAGE = `Puts a web server under load and reports how it bore it.

Usage: siege [options] URL...
       siege [options] 'URL POST body'
       siege [options] -f FILE

  siege -c 50 -t 30S http://127.0.0.1:8080/       50 users for 30 seconds
  siege -c 10 -r 100 -b -f urls.txt               1000 requests, no pauses
  siege -T application/json 'http://127.0.0.1:8080/api POST {"a":1}'
`

const AFTER = `Defaults stand in brackets. A configuration file sets them and more: siege -C.
`

export const helpText: string = [USAGE, ...helpLines(siegeOptions, GROUPS), '', AFTER].join('\n')

const REFERENCE_HEAD = `# siege: options and configuration

This page is made from the option table by \`scripts/generate-docs.mjs\`; change it there.

Settings come from three places, the later ones on top: the defaults below, the configuration file,
the command line. The configuration file (siegerc) is the one named by \`-R\`, else by the environment
variable \`SIEGERC\`, else \`~/.siege/siege.conf\` or \`/etc/siege/siegerc\` if there is one.

## How options are written

Short options may share a hyphen (\`-bq\`). Their values may be attached, separate or behind an equals
sign: \`-c25\`, \`-c 25\`, \`-c=25\`. Long options may be cut short as long as they remain unambiguous
(\`--conc 25\`). Options may stand behind URLs; \`--\` ends them.

Times have a unit, in either case: \`30S\`, \`1.5m\`, \`2 hours\`, \`1h30m\`.

## How a siegerc is written

A line is \`name = value\`; a colon or a blank will do instead of the equals sign, and the case of names
does not count. \`#\` starts a comment; \`\\#\` is a plain \`#\`, and so is one inside a quoted value or on
a line that holds a password (\`login\`, \`login-url\`, \`auth-url\`, \`proxy-login\`, \`ftp-login\`). A line
without a value counts as not written.

A name that is no directive defines a variable. \`$(NAME)\`, \`\${NAME}\` and \`$NAME\` in the lines below it
stand for its value, or for that of the environment variable of that name; \`\\$\` is a plain dollar.
`

export const referenceText: string = [REFERENCE_HEAD, ...referenceLines(siegeOptions, GROUPS)].join(
  '\n',
)
