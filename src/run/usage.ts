/** The help of `onager run`: examples first, then every option. */
import { helpLines } from '../plan/option-help.ts'
import { RUN_GROUPS, runOptions } from './options.ts'

export const runHelpText: string = `Puts a server under load, as many users or at a rate, and tells how it did.

Usage: onager run [OPTIONS] URL ...
       onager run [OPTIONS] PLAN      a file .yaml, .json, .mjs or .ts

  onager run http://127.0.0.1:8080/                          10 users for 10 seconds
  onager run --users 50 --duration 1m URL1 URL2              users who go on when they are done
  onager run --rate 500/s --duration 30s URL                 500 a second, come what may
  onager run --rate 90/m --arrivals poisson --duration 5m URL
  onager run --stages 30s:100/s,2m:1000/s,1m URL             up to 100/s, to 1000/s, and stay there
  onager run --users 20 --think 1s..3s --warm-up 5s -f urls.txt
  onager run -H 'Accept: application/json' --body '{"id": 7}' URL
  onager run --rate 200/s --slo 'p99<200ms,errors<0.1%' --out r.json --html r.html URL
  onager run plan.yaml --base-url http://127.0.0.1:8080 --rate 5/s
  onager run plan.yaml --print-plan                          what would run, to the last default

${helpLines(runOptions, RUN_GROUPS).join('\n')}

Options go over what a plan file says. docs/plan.md tells what may be in one: steps
with data from files, values taken from answers, checks, several scenarios.

With --users nobody begins before the last answer is there, so a slow server slows
the load down. With --rate each begins when it is due, and its response time counts
from then; what finds too many under way is dropped and counted.
`
