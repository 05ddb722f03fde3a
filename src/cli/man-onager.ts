/** The manual pages of onager and its recorder: onager(1), onager-record(1). */
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'
import { commands } from './main.ts'
import { RECORD_GROUPS, recordOptions } from './record-options.ts'
import { SERVE_GROUPS, serveOptions } from './serve-options.ts'

const recordPage: ManPage = {
  name: 'onager-record',
  section: 1,
  summary: 'record what a browser requests as a list of URLs for siege',
  parts: [
    { heading: 'Synopsis', blocks: [{ usage: ['onager record [options]'] }] },
    {
      heading: 'Description',
      blocks: [
        'onager record runs a proxy. What a browser, or any program, requests through it is passed on, and written down as a list for `siege -f`, until Ctrl-C ends the recording. It does what the companion sproxy of the original siege does, and records HTTPS, bodies and their types as well.',
        'Each request becomes a line: URL, method, content type and body; see `urls.txt(5)`. A body that is no text of one line goes to a file of its own in `FILE.bodies`; siege finds it when it is started in the same folder as the recorder. Header fields and cookies are not recorded: siege keeps cookies of its own, and `-H` sets fields for a whole run.',
        'To read HTTPS the recorder plays each server, with a certificate of an authority of its own. That is made when first needed. A browser has to trust it, and finds it at `http://127.0.0.1:9001/ca.pem` as well. Whoever has its key can read what such a browser sends: stop trusting it afterwards. With `--no-https`, and for hosts that are not recorded, HTTPS passes through unread. Other protocols, such as WebSockets, pass through.',
      ],
    },
    { heading: 'Options', blocks: [{ options: optionRows(recordOptions, RECORD_GROUPS) }] },
    {
      heading: 'Examples',
      blocks: [
        'Record, browse through 127.0.0.1:9001, and replay:',
        { example: 'onager record\nsiege -f urls.txt -r once' },
        'Only pages of one site:',
        { example: 'onager record --host-only www.example.com --no-resources' },
        'Only calls that change something:',
        { example: 'onager record -o api.txt --include /api/ --method POST,PUT --unique' },
        'Programs that use it:',
        {
          example:
            'chromium --proxy-server=127.0.0.1:9001\ncurl -x 127.0.0.1:9001 --cacert ~/.onager/ca.pem https://www.example.com/',
        },
      ],
    },
    {
      heading: 'Files',
      blocks: [
        {
          terms: [
            [
              'urls.txt, urls.txt.bodies',
              'The list and its bodies, in the current folder; `-o` gives another name.',
            ],
            [
              '~/.onager/ca.pem, ~/.onager/ca-key.pem',
              'The authority and its key, for you alone. Nothing else is ever written there.',
            ],
          ],
        },
      ],
    },
    {
      heading: 'Environment',
      blocks: [
        {
          terms: [
            [
              'NODE_EXTRA_CA_CERTS',
              'A file of further authorities that the recorder trusts when it talks to servers.',
            ],
          ],
        },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'A signal ended the recording.'],
            ['2', 'The command line is wrong.'],
            ['3', 'The port is taken, or a file cannot be written.'],
          ],
        },
      ],
    },
  ],
  seeAlso: ['siege(1)', 'urls.txt(5)', 'onager(1)'],
}

const onagerPage: ManPage = {
  name: 'onager',
  section: 1,
  summary: 'put HTTP servers under load and tell what happened',
  parts: [
    {
      heading: 'Synopsis',
      blocks: [{ usage: ['onager COMMAND [options] ...', 'onager --help', 'onager --version'] }],
    },
    {
      heading: 'Description',
      blocks: [
        'onager is the switchboard of its package. Each command has its own `--help`; those that are programs by themselves are the same as these, for people who keep the originals on their PATH.',
      ],
    },
    {
      heading: 'Commands',
      blocks: [
        {
          terms: Object.values(commands).map(({ usage, help }) => [
            usage,
            `${help[0]!.toUpperCase()}${help.slice(1)}.`,
          ]),
        },
      ],
    },
    {
      heading: 'Options of onager serve',
      blocks: [
        'The practice site is a small web site on this machine, made to be load-tested: pages, a JSON API, a login, redirects, slow and failing answers. It lists its pages at `/` and counts what it has answered at `/counts`.',
        { options: optionRows(serveOptions, SERVE_GROUPS) },
      ],
    },
    {
      heading: 'Completions',
      blocks: [
        '`onager completions bash` (or `zsh`, `fish`) prints a script that completes options, files and words of all programs of the package. For good, put it into the file that the shell reads at its start:',
        {
          example: `source <(onager completions bash)    # ~/.bashrc
source <(onager completions zsh)     # ~/.zshrc, below compinit
onager completions fish | source     # ~/.config/fish/config.fish`,
        },
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        'Try it out in two terminals:',
        { example: 'onager serve\nonager siege -c10 -t5S http://127.0.0.1:8080/blog' },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'Fine.'],
            ['2', 'The command line is wrong.'],
            ['3', 'The machine did not play along.'],
            ['70', 'A mistake in onager itself.'],
          ],
        },
        'Programs have more of their own: see their pages.',
      ],
    },
  ],
  seeAlso: [
    'siege(1)',
    'ab(1)',
    'onager-run(1)',
    'onager-report(1)',
    'onager-record(1)',
    'siege.config(1)',
    'bombardment(1)',
    'siege2csv(1)',
  ],
}

export const onagerPages: readonly ManPage[] = [onagerPage, recordPage]
