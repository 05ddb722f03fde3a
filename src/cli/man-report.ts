/** The manual page onager-report(1): how results are rendered and judged again. */
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'
import { reportFormats } from '../run/report-formats.ts'
import { REPORT_GROUPS, reportOptions } from './report-options.ts'

export const reportPage: ManPage = {
  name: 'onager-report',
  section: 1,
  summary: 'render and judge the result of a run',
  parts: [
    { heading: 'Synopsis', blocks: [{ usage: ['onager report [options] FILE ...'] }] },
    {
      heading: 'Description',
      blocks: [
        'onager report renders what `onager run --out FILE` has written, as often and in as many formats as one likes. The thresholds of the run are judged again, those of `--slo` beside them.',
        'Several FILEs are the parts of one run, from several machines, and are added up: they are of one plan and one version of onager. `-` is standard input.',
      ],
    },
    { heading: 'Options', blocks: [{ options: optionRows(reportOptions, REPORT_GROUPS) }] },
    {
      heading: 'Formats',
      blocks: [
        {
          terms: Object.entries(reportFormats).map(([word, { help, fileEnding }]) => [
            word,
            `${help[0]!.toUpperCase()}${help.slice(1)}. Meant by FILEs that end in ${fileEnding}.`,
          ]),
        },
      ],
    },
    {
      heading: 'Thresholds',
      blocks: [
        'A list with commas between. Each compares a figure, by <, <=, > or >=, with a bound. A name of requests and a colon before it take the figure of these requests alone; a name with commas or colons in it stands in double quotes.',
        {
          terms: [
            [
              'p50 ... p99.99, min, mean, max',
              'Response times, with us, ms, s or m. With service- before it: service times.',
            ],
            ['errors', 'Of the requests that ended: a share (0.1%) or how many (10).'],
            ['rate', 'Complete responses: 900/s, 90/m, 10/h.'],
            ['dropped', 'Arrivals of the open model that were never begun: a share or how many.'],
            ['checks', 'The share that passed. The name may be that of a check.'],
          ],
        },
        'A threshold that nothing was measured for does not hold.',
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        { example: 'onager report run.onager.json' },
        'Fail a pipeline, and tell why on the pull request:',
        { example: "onager report run.onager.json --slo 'p99<200ms,errors<0.1%' -o comment.md" },
        'The response times for a plotter of HdrHistogram:',
        { example: 'onager report run.onager.json -o run.hgrm' },
      ],
    },
    {
      heading: 'Exit status',
      blocks: [
        {
          terms: [
            ['0', 'Fine.'],
            ['1', 'A threshold does not hold.'],
            ['2', 'The command line is wrong, or a FILE cannot be read or is no result.'],
            ['3', 'The report cannot be written.'],
          ],
        },
      ],
    },
  ],
  seeAlso: ['onager-run(1)', 'onager(1)'],
}
