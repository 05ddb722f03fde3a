/** The manual pages of siege and of the files it reads: siege(1), siegerc(5), urls.txt(5). */
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'
import { REQUEST_METHODS } from '../plan/url-line.ts'
import { GROUPS, siegeOptions } from '../siege/options.ts'

const rows = optionRows(siegeOptions, GROUPS)

const METHODS = REQUEST_METHODS.map((method) => `\`${method}\``).join(', ')

const OPTION_GRAMMAR = `Short options may share a hyphen (\`-bq\`). Their values may be attached, separate or behind an equals sign: \`-c25\`, \`-c 25\`, \`-c=25\`. Long options may be cut short as long as they remain unambiguous (\`--conc 25\`). Options may stand behind URLs; \`--\` ends them. Times have a unit, in either case: \`30S\`, \`1.5m\`, \`2 hours\`, \`1h30m\`.`

const siegePage: ManPage = {
  name: 'siege',
  section: 1,
  summary: 'put a web server under load and report how it bore it',
  parts: [
    {
      heading: 'Synopsis',
      blocks: [{ usage: ['siege [options] URL ...', 'siege [options] -f FILE'] }],
    },
    {
      heading: 'Description',
      blocks: [
        'siege lets a number of simulated users request URLs from a web server, and reports how many answers came, how fast, and what failed. It is the siege of the package onager: options, files, reports and exit statuses are those of siege 4.1, the numbers are true, and below them stands what siege never told: percentiles, counts by status, failures by kind, and whether the load generator itself kept up.',
        'An operand is a URL, or a line as in a list of URLs: quoted, with a method and a body behind the URL. See `urls.txt(5)`. Several operands make a list. Without operands the URLs come from the file given with `-f`, or from what the configuration file says. See `siegerc(5)`.',
        'Each user requests one URL after the other: with a list, each starts at another place of it. A page is followed by what it needs (images, scripts, style sheets), and redirects are followed, unless told otherwise. Each user has its own cookies, logins and cache, as a browser has.',
        'The run ends after `-r` repetitions of each user, or after the time `-t`, or with Ctrl-C, or when more requests have failed than `failures` in the configuration file allows. The first Ctrl-C ends the run with its report, the second one at once.',
      ],
    },
    { heading: 'Options', blocks: [OPTION_GRAMMAR, { options: rows }] },
    {
      heading: 'Output',
      blocks: [
        'On standard output there is a line for each request, unless `-q`, or the figures as JSON, if `-j`. Everything else goes to standard error: the banner, messages, and the figures at the end.',
        {
          terms: [
            ['Transactions', 'Requests answered, and not failed by what siege counts as failure.'],
            [
              'Availability',
              'Transactions as a share of all requests that came to an end. Answers of status 400 and above count as available, as in siege, unless they are 401 or 407 without a usable login; a sentence above the figures says when there were many.',
            ],
            [
              'Response time',
              'The mean over all complete answers, from the start of a request to the last byte of its answer.',
            ],
            ['Concurrency', 'Requests in flight at the same time, on average.'],
            [
              'Percentiles',
              'Half of the answers took no longer than p50. A mark (*) says that too few answers lie above a percentile to rely on it.',
            ],
            [
              'In flight at the end',
              'Requests that the end of the run cut off. They are neither hits nor failures.',
            ],
            [
              'Generator busy',
              'Processor time of siege itself. Close to 100 % means that it, not the server, sets the pace; see `--threads`.',
            ],
          ],
        },
        'Figures behind the first block are those that siege never had; `--classic` leaves them out.',
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        'Fifty users for thirty seconds:',
        { example: 'siege -c 50 -t 30S http://127.0.0.1:8080/' },
        'A thousand requests from a list, without pauses:',
        { example: 'siege -c 10 -r 100 -b -f urls.txt' },
        'A body, and its type:',
        {
          example: `siege -T application/json 'http://127.0.0.1:8080/api POST {"a":1}'`,
        },
        'Figures for a script:',
        { example: 'siege -j -c 10 -t 1M http://127.0.0.1:8080/ 2>/dev/null | jq .onager' },
        'Watch the load of this machine, and a metric of the server, beside the run:',
        {
          example: `siege -t 1M --watch 'load=cat /proc/loadavg' \\
  --watch http://127.0.0.1:9100/metrics#process_open_fds http://127.0.0.1:8080/`,
        },
        'See what a server answers:',
        { example: 'siege -g http://127.0.0.1:8080/' },
      ],
    },
    {
      heading: 'Files',
      blocks: [
        {
          terms: [
            [
              '~/.siege/siege.conf',
              'The configuration file, see `siegerc(5)`. `siege.config(1)` writes one to start from; siege itself never does.',
            ],
            ['/etc/siege/siegerc', 'The configuration file of those who have none of their own.'],
            ['/etc/siege/urls.txt', 'The list of URLs if none is named, see `urls.txt(5)`.'],
            [
              '~/.siege/cookies.txt',
              'Cookies of the users that outlive a run. Read, and rewritten at the end, only if the folder is there.',
            ],
            [
              '/var/log/siege.log',
              'The log, a line for each run, if `-l` or the configuration file asks for it.',
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
            ['SIEGERC', 'Names the configuration file; `-R` comes before it.'],
            ['NO_COLOR', 'If it is set, there are no colours.'],
            ['http_proxy, https_proxy, no_proxy', 'Proxies, used only with `--proxy-from-env`.'],
            ['NODE_EXTRA_CA_CERTS', 'A file of further authorities that `--verify` trusts, PEM.'],
          ],
        },
        'Variables can be used in configuration files and lists of URLs.',
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            [
              '0',
              'At least one request succeeded. With `-g` and `-p`: each was answered with a status below 400.',
            ],
            ['1', 'None did, or too many failures ended the run.'],
            ['2', 'Command line, configuration file or list of URLs is wrong. Nothing was sent.'],
            [
              '3',
              'The machine did not play along: a thread that could not start, an output that could not be written.',
            ],
            ['70', 'A mistake in siege itself.'],
            ['130', 'A second signal ended the program at once.'],
          ],
        },
      ],
    },
  ],
  seeAlso: [
    'siegerc(5)',
    'urls.txt(5)',
    'siege.config(1)',
    'bombardment(1)',
    'siege2csv(1)',
    'onager(1)',
    'onager-record(1)',
  ],
}

const siegercPage: ManPage = {
  name: 'siegerc',
  section: 5,
  summary: 'configuration file of siege',
  parts: [
    {
      heading: 'Description',
      blocks: [
        'A siegerc sets what `siege(1)` does when the command line does not say otherwise. One file is read, the first of: the one named by `-R`, the one named by the environment variable `SIEGERC`, `~/.siege/siege.conf`, `/etc/siege/siegerc`. Without any of them the defaults below hold. `siege -C` shows what is set and which file was read; `siege.config(1)` writes a file with every directive explained.',
      ],
    },
    {
      heading: 'Syntax',
      blocks: [
        'A line is a name and a value with an equals sign between them; a colon or a blank will do instead, and the case of names does not count:',
        {
          example:
            '# fifty users, half a second apart\nconcurrent = 50\ndelay = 0.5\nheader = X-Test: siege',
        },
        'A line without a value counts as not written. Where a directive may be repeated, each line adds to the list, and the first one replaces the default; otherwise the last line counts. Yes and no may be written `true` and `false`, `yes` and `no`, `on` and `off`, `1` and `0`.',
        'A number sign (`#`) starts a comment. Write `\\#` for a plain one, or put the value in quotes; on lines that hold a password (`login`, `login-url`, `auth-url`, `proxy-login`, `ftp-login`) it stands for itself.',
        'A name that is no directive defines a variable. `$(NAME)`, `${NAME}` and `$NAME` in the lines below it stand for its value, or for that of the environment variable of that name; `\\$` is a plain dollar. The first definition of a name counts:',
        {
          example: 'HOST = 127.0.0.1:8080\nlogin-url = http://$(HOST)/login POST name=a&password=b',
        },
        'A name that is almost a directive and that nothing uses gets a warning.',
      ],
    },
    { heading: 'Directives', blocks: [{ directives: rows }] },
  ],
  seeAlso: ['siege(1)', 'siege.config(1)', 'urls.txt(5)'],
}

const urlsPage: ManPage = {
  name: 'urls.txt',
  section: 5,
  summary: 'list of URLs for siege',
  parts: [
    {
      heading: 'Description',
      blocks: [
        'A list for `siege -f` has a request on each line. Users go through it in order, each from another place; with `-i` at random, with `-r once` every line is requested once in all. Every line is read before anything is sent, and all that is wrong is told at once, with line and column. The operands of `siege(1)` are lines of the same form, without variables, which the shell has replaced already.',
      ],
    },
    {
      heading: 'Lines',
      blocks: [
        {
          example: `# the start page
http://127.0.0.1:8080/
127.0.0.1:8080/blog?page=2           # a missing scheme is http
http://127.0.0.1:8080/login POST name=jane&password=secret
http://127.0.0.1:8080/api   POST -T application/json; {"id": 1}
http://127.0.0.1:8080/photo PUT < photo.jpg
http://127.0.0.1:8080/api/1 DELETE`,
        },
        'The first field is the URL: scheme (`http`, `https` or `ftp`), perhaps a login (`user:password@`), host, perhaps a port, path and query. Without a scheme it is http, without a path the path is `/`. An IPv6 address stands in brackets. Bytes that may not stand in a URL are sent as `%XX`, unless `url-escaping` is off in the siegerc; what is escaped already stays.',
        `The second field is a method in any case: ${METHODS}. Without one it is \`GET\`. Everything behind the method is the body, as it is written.`,
        'The type of a body may be given in front of it: `-T type;`. It beats all others; then come `-T` of the command line, a header field `Content-Type`, the ending of a body file (`.json`, `.xml` ...), and at last form data. Parameters other than `charset` and `boundary` need single quotes around the type.',
        'A body that begins with `<` and a name is read from that file, byte for byte, relative to the folder that siege is started in. `<tag>` and `<?xml` are bodies by themselves.',
        'An empty line, and one that begins with `#`, counts for nothing; so does what follows a `#` behind a blank on a line without a body. A whole line, or the URL alone, may stand in quotes.',
      ],
    },
    {
      heading: 'Variables',
      blocks: [
        'A line `NAME = value` defines a variable for the lines below it; of several definitions the first one counts. `$(NAME)`, `${NAME}` and `$NAME` stand for its value, or for that of the environment variable of that name. A `$NAME` that has no value stays as it is, a `$(NAME)` without one is an error. `\\$` is a plain dollar.',
        { example: 'SITE = http://127.0.0.1:8080\n$(SITE)/blog\n$(SITE)/search?q=price\\$5' },
      ],
    },
    {
      heading: 'FTP',
      blocks: [
        'A line `ftp://host/path` downloads a file. With `PUT` or `POST` and a body (`PUT < file`) it uploads one, with `HEAD` it asks how large a file is, with `DELETE` it removes it.',
      ],
    },
  ],
  seeAlso: ['siege(1)', 'siegerc(5)', 'onager-record(1)'],
}

export const siegePages: readonly ManPage[] = [siegePage, siegercPage, urlsPage]
