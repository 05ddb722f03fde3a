/** The manual pages of siege's companions: siege.config(1), bombardment(1), siege2csv(1). */
import { HELP_ONLY_GROUPS, helpOnlyOptions } from '../plan/help-only-options.ts'
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'
import { BOMBARDMENT_GROUPS, bombardmentOptions } from '../siege/companions/bombardment-options.ts'
import { SIEGE2CSV_GROUPS, siege2csvOptions } from '../siege/companions/siege2csv.ts'

const siegeConfigPage: ManPage = {
  name: 'siege.config',
  section: 1,
  summary: 'write a configuration file for siege',
  parts: [
    { heading: 'Synopsis', blocks: [{ usage: ['siege.config'] }] },
    {
      heading: 'Description',
      blocks: [
        'siege.config writes `~/.siege/siege.conf`, the file in which `siege(1)` looks for its settings. Every directive stands there with an explanation, at its default or behind a comment sign. A file that is there already stays as it is: move it away to get a new one.',
      ],
    },
    { heading: 'Options', blocks: [{ options: optionRows(helpOnlyOptions, HELP_ONLY_GROUPS) }] },
    {
      heading: 'Examples',
      blocks: [
        {
          example:
            'siege.config        write it\nsiege -C            show what is set, and which file said so',
        },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'The file is there, new or old.'],
            ['2', 'It could not be written, or the command line is wrong.'],
          ],
        },
      ],
    },
  ],
  seeAlso: ['siege(1)', 'siegerc(5)'],
}

const bombardmentPage: ManPage = {
  name: 'bombardment',
  section: 1,
  summary: 'lay siege again and again, with more users each time',
  parts: [
    {
      heading: 'Synopsis',
      blocks: [
        {
          usage: [
            'bombardment [options] URLFILE CLIENTS INCREMENT TRIALS [DELAY] [-- SIEGE-OPTIONS]',
          ],
        },
      ],
    },
    {
      heading: 'Description',
      blocks: [
        'bombardment runs `siege(1)` several times over a list of URLs and raises the number of users from run to run, to show where a server stops keeping up. At its end it prints a table; all figures of each run go to a CSV file, written as the runs end.',
        {
          terms: [
            ['URLFILE', 'The list of URLs, see `urls.txt(5)`.'],
            ['CLIENTS', 'Users of the first run.'],
            ['INCREMENT', 'Users that each run has more than the one before.'],
            ['TRIALS', 'Number of runs.'],
            ['DELAY', 'Users pause up to so many seconds after each request (15).'],
            ['SIEGE-OPTIONS', 'What stands behind `--` is given to siege.'],
          ],
        },
        'Unless told otherwise each user makes as many requests as there are URLs in the list, and so goes through it once. (The original takes a minute for each URL instead: `-t` gives a time.) Ctrl-C ends the run at hand and tells of those so far.',
      ],
    },
    {
      heading: 'Options',
      blocks: [{ options: optionRows(bombardmentOptions, BOMBARDMENT_GROUPS) }],
    },
    {
      heading: 'Examples',
      blocks: [
        'Ten runs with 5, 10, 15 and so on to 50 users:',
        { example: 'bombardment urls.txt 5 5 10' },
        'Four runs of thirty seconds, without pauses:',
        { example: 'bombardment -t 30S urls.txt 50 50 4 0' },
        'With an option of siege:',
        { example: "bombardment urls.txt 1 1 5 -- -H 'Authorization: Bearer x'" },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'Every run had at least one request that succeeded.'],
            ['1', 'One had none, or there was no run.'],
            ['2', 'Command line or list are wrong. Nothing was sent.'],
            ['3', 'A run ended without figures.'],
          ],
        },
      ],
    },
  ],
  seeAlso: ['siege(1)', 'urls.txt(5)', 'siege2csv(1)'],
}

const siege2csvPage: ManPage = {
  name: 'siege2csv',
  section: 1,
  summary: 'make a table of what siege has printed',
  parts: [
    { heading: 'Synopsis', blocks: [{ usage: ['siege2csv [options] FILE ...'] }] },
    {
      heading: 'Description',
      blocks: [
        'siege2csv reads figures of sieges and writes them as CSV: a heading, then one row for each run. A file may hold the statistics that `siege(1)` prints at its end (or those of any version of the original), its JSON (`-j`), or be its log, with any number of runs. The table goes to `FILE.csv`. A name of `-` stands for standard input, and its table goes to standard output. Times are in seconds, data in MB.',
        'All files are read before anything is written; if there is no run in one of them, nothing is.',
      ],
    },
    { heading: 'Options', blocks: [{ options: optionRows(siege2csvOptions, SIEGE2CSV_GROUPS) }] },
    {
      heading: 'Examples',
      blocks: [
        'A run, and then its table in `run.txt.csv`:',
        { example: 'siege -c10 -t1M http://127.0.0.1:8080/ 2> run.txt\nsiege2csv run.txt' },
        'Several into one table:',
        { example: 'siege2csv -o all.csv monday.json tuesday.json' },
        'Look at a log:',
        { example: 'siege2csv -o - /var/log/siege.log | column -s, -t' },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'The tables are written.'],
            [
              '2',
              'A file cannot be read or written, there is no run in it, or the command line is wrong.',
            ],
          ],
        },
      ],
    },
  ],
  seeAlso: ['siege(1)', 'bombardment(1)'],
}

export const companionPages: readonly ManPage[] = [siegeConfigPage, bombardmentPage, siege2csvPage]
