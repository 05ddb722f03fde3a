/**
 * Thresholds and checks as JUnit test cases, for the pages that CI systems make of those.
 *
 * A check that fails now and then fails its case, unless the run has a threshold on checks: then
 * that decides, and cases only tell the counts.
 */
import { secondsFromNs } from '../base/units.ts'
import type { CheckSummary } from '../result/name-summary.ts'
import type { Summary } from '../result/summary.ts'
import type { Verdict } from '../result/verdicts.ts'
import { runWarnings } from '../result/warnings.ts'
import { countedText, measuredText, percentText } from './run-numbers.ts'
import { runVerdict } from './run-verdict.ts'

interface TestCase {
  readonly group: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly text: string
}

export function junitXml(summary: Summary, verdicts: readonly Verdict[]): string {
  const cases = casesOf(summary, verdicts)
  const count = (outcome: TestCase['outcome']) =>
    cases.filter((testCase) => testCase.outcome === outcome).length
  const title = summary.plan.title === '' ? 'onager run' : summary.plan.title
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="0"`
  const time = secondsFromNs(summary.elapsedNs).toFixed(3)
  const startedAt = new Date(summary.startedAtMs).toISOString().slice(0, 19)
  const skipped = `skipped="${count('skipped')}" timestamp="${startedAt}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="onager" ${counts} time="${time}">
  <testsuite name="${escaped(title)}" ${counts} ${skipped} time="${time}">
${cases.map(caseXml).join('\n')}
${notesXml(summary)}  </testsuite>
</testsuites>
`
}

/** What the figures cannot say by themselves. */
function notesXml(summary: Summary): string {
  const texts = runWarnings(summary).map(({ text }) => escaped(text))
  return texts.length === 0 ? '' : `    <system-out>${texts.join('&#10;')}</system-out>\n`
}

function casesOf(summary: Summary, verdicts: readonly Verdict[]): TestCase[] {
  const areChecksJudged = verdicts.some(({ threshold }) => threshold.metric.kind === 'checks')
  return [
    {
      group: 'run',
      name: 'requests are answered',
      outcome: summary.completedCount === 0 ? 'failed' : 'passed',
      text: outcomeText(summary),
    },
    ...verdicts.map(
      (verdict): TestCase => ({
        group: 'thresholds',
        name: verdict.threshold.text,
        outcome: verdict.outcome === 'passed' ? 'passed' : 'failed',
        text:
          measuredText(verdict) + (verdict.isFirm ? '' : ' (fewer than ten responses were slower)'),
      }),
    ),
    ...summary.checks.map((check) => checkCase(check, areChecksJudged)),
  ]
}

function outcomeText(summary: Summary): string {
  const { sentence, ending } = runVerdict(summary, [])
  return `${sentence} ${ending}`.trimEnd()
}

function checkCase(check: CheckSummary, areChecksJudged: boolean): TestCase {
  const { name, requestName, passedCount, failedCount, passedRatio } = check
  const group = requestName === '' ? 'checks' : `checks: ${requestName}`
  if (passedCount + failedCount === 0) {
    return { group, name, outcome: 'skipped', text: 'never made' }
  }
  const outcome = failedCount > 0 && !areChecksJudged ? 'failed' : 'passed'
  const failed = `${failedCount} of ${countedText(passedCount + failedCount, 'check')} failed`
  return { group, name, outcome, text: `${failed}, ${percentText(passedRatio)} passed` }
}

function caseXml({ group, name, outcome, text }: TestCase): string {
  const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}"`
  const message = escaped(text)
  switch (outcome) {
    case 'passed':
      return `${head}><system-out>${message}</system-out></testcase>`
    case 'failed':
      return `${head}><failure message="${message}"/></testcase>`
    case 'skipped':
      return `${head}><skipped message="${message}"/></testcase>`
  }
}

/** XML 1.0 has no way to say most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
