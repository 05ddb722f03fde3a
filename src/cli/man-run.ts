/** The manual page of onager's own load tests: onager-run(1). */
import { optionRows } from '../plan/option-docs.ts'
import type { ManPage } from '../plan/option-docs-man.ts'
import { RUN_GROUPS, runOptions } from '../run/options.ts'
import { reportPage } from './man-report.ts'

export const runPages: readonly ManPage[] = [
  {
    name: 'onager-run',
    section: 1,
    summary: 'test a server with users or at a rate, as a plan says',
    parts: [
      {
        heading: 'Synopsis',
        blocks: [{ usage: ['onager run [options] URL ...', 'onager run [options] PLAN'] }],
      },
      {
        heading: 'Description',
        blocks: [
          'onager run puts a server under load and tells how it did. With `--users` the load is closed: each user goes on when its last answer is there, so that a slow server slows the load down. With `--rate` it is open: requests begin when they are due, whatever the server does, as those of many independent people would.',
          'In the open model the response time counts from the moment at which a request was due, the service time from its real start; a server that stands still for a second shows in the response times of all who were due in that second. What finds `--max-in-flight` others under way is dropped and counted, and flags every percentile as a lower bound.',
          'A PLAN is a file of YAML or JSON, or a module, with scenarios of several steps: requests with variables, rows from files, values taken out of answers, checks, pauses. `docs/plan.md` beside the source describes it, `onager run --print-schema` prints a JSON Schema for editors, `--print-plan` the plan that would run with every default filled in. Options go over what a plan says.',
          'On a terminal the run is shown while it goes on, elsewhere a line every few seconds; the report at the end is printed on standard output. Ctrl-C ends the run with its report, a second one at once.',
        ],
      },
      { heading: 'Options', blocks: [{ options: optionRows(runOptions, RUN_GROUPS) }] },
      {
        heading: 'Examples',
        blocks: [
          'A thousand requests a second for half a minute, with a limit that fails a pipeline, and files to keep:',
          {
            example:
              "onager run http://127.0.0.1:8080/ --rate 1000/s --duration 30s \\\n  --slo 'p99<50ms,errors<0.1%' --out run.onager.json --html run.html",
          },
          'Up to a thousand users, who pause between their pages:',
          { example: 'onager run --stages 1m:1000,5m --think 1s..5s http://127.0.0.1:8080/blog' },
          'A plan, against another server than the one it was written for:',
          { example: 'onager run shop.yaml --base-url http://127.0.0.1:8080' },
        ],
      },
      {
        heading: 'Exit status',
        blocks: [
          {
            terms: [
              ['0', 'Every threshold holds, and at least one request went well.'],
              ['1', 'A threshold does not hold, no request went well, or a file was not written.'],
              ['2', 'The command line or the plan is wrong; nothing was sent.'],
              ['3', 'The machine did not play along.'],
              ['70', 'A mistake in onager itself.'],
              ['130', 'It was interrupted; the report is there all the same.'],
            ],
          },
        ],
      },
    ],
    seeAlso: ['onager(1)', 'onager-report(1)', 'siege(1)', 'urls.txt(5)'],
  },
  reportPage,
]
