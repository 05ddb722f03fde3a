/** The manual page of ab(1). */
import { abOptions, GROUPS } from '../ab/options.ts'
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'

const rows = optionRows(abOptions, GROUPS)

const abPage: ManPage = {
  name: 'ab',
  section: 1,
  summary: 'benchmark a web server with one request, many times',
  parts: [
    {
      heading: 'Synopsis',
      blocks: [{ usage: ['ab [options] [http[s]://]hostname[:port]/path'] }],
    },
    {
      heading: 'Description',
      blocks: [
        'ab requests one URL again and again, several times at once if told so, and reports how fast the answers came and what failed. It is the ab of the package onager: options, report, files and exit statuses are those of ApacheBench 2.3, the numbers are true, and below the report stands what ApacheBench never told. `docs/differences.md` beside the source lists every place where the two differ.',
        'The run ends after `-n` requests, or after the time `-t`, or with Ctrl-C, and without `-r` with the first error of a socket. The report is printed in every case. A second Ctrl-C ends the program at once.',
        'Responses are read by the rules of HTTP, whatever the connection does: a server that keeps it open does not hold the run up, chunks are understood, and a body that is cut short is a failure.',
      ],
    },
    {
      heading: 'Options',
      blocks: [
        'Options stand before the URL, as POSIX has it. Flags may share a hyphen (`-kr`), values may be attached or separate (`-n5`, `-n 5`). They act from left to right: `-t` sets the number of requests to 50000, and only a later `-n` sets it anew. Numbers are read up to their first character that is no digit. Long options are not those of ApacheBench; `--` ends the options.',
        { options: rows },
      ],
    },
    {
      heading: 'Report',
      blocks: [
        {
          terms: [
            [
              'Document Length',
              'Body bytes of the first response; all others are compared with it.',
            ],
            [
              'Complete requests',
              'Requests that ended, failed ones included. What the end of the run cut off is not among them.',
            ],
            [
              'Failed requests',
              'Each counts once, in one column. Connect: no connection, or no TLS. Receive: the connection ended before the response did. Length: a whole response of another length than the first; see `-l`. Exceptions: no HTTP, silence for longer than `-s`, no socket.',
            ],
            ['Non-2xx responses', 'Whole responses of other statuses. They are not failures.'],
            [
              'Connection Times',
              'Of whole responses. Connect: name, TCP and TLS. Processing: from then to the last byte. Waiting: from then to the first byte. They are exact up to 1,000,000 responses; of more, they come from a histogram with 3 digits, and the report says so.',
            ],
            [
              'Percentage of the requests',
              'The time in which this share of the whole responses was there.',
            ],
          ],
        },
        'Below it stand finer percentiles, counts by status, failures by kind, and how busy the generator itself was; `--classic` leaves that out, and `--json` prints all figures for programs instead.',
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        'A thousand requests, ten at once:',
        { example: 'ab -n 1000 -c 10 http://127.0.0.1:8080/' },
        'Thirty seconds over kept connections, however many requests that makes:',
        { example: 'ab -t 30 -n 100000000 -c 50 -k http://127.0.0.1:8080/' },
        'A body, and its type:',
        {
          example: 'ab -n 100 -p body.json -T application/json http://127.0.0.1:8080/api',
        },
        'Files for a spreadsheet and for gnuplot:',
        { example: 'ab -n 1000 -c 10 -e percentiles.csv -g times.tsv http://127.0.0.1:8080/' },
        'A figure for a script:',
        {
          example:
            "ab -n 1000 -c 10 http://127.0.0.1:8080/ | awk '/^Requests per second/ {print $4}'",
        },
      ],
    },
    {
      heading: 'Files',
      blocks: [
        {
          terms: [
            [
              '-e FILE',
              'A line for each percentage from 0 to 100: the percentage, a comma, and the time in milliseconds within which it was served.',
            ],
            [
              '-g FILE',
              'A line for each whole response, by ascending time: when it was begun (as text and in seconds since 1970), and connect, processing, total and waiting time in milliseconds, with tabs between. Beyond 1,000,000 responses the lines are sorted in a file of the temporary folder, 16 bytes for each, which is removed at the end.',
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
            ['TMPDIR', 'The temporary folder.'],
            ['NODE_EXTRA_CA_CERTS', 'A file of further authorities that `--verify` trusts, PEM.'],
          ],
        },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'The run ended, whatever the statuses of its responses; and after `-V`.'],
            [
              '1',
              'A value or file is wrong, every request failed, an output file cannot be written, or SIGINT ended the run.',
            ],
            ['22', 'The usage is wrong; and after `-h`.'],
            ['50', 'The name of the server was not found.'],
            ['104, 111, ...', "Without `-r`: the system's number of the error that ended the run."],
            ['119', 'Without `-r`: a request had to wait for longer than `-s`.'],
            ['70', 'A mistake in ab itself.'],
            ['130', 'A second signal ended the program at once.'],
            ['143', 'SIGTERM ended the run.'],
          ],
        },
      ],
    },
  ],
  seeAlso: ['onager(1)', 'siege(1)'],
}

export const abPages: readonly ManPage[] = [abPage]
