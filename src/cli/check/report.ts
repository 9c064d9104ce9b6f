// The report of a check for people: problems by file, then what was checked.

import { posix } from 'node:path'
import type { CheckResult } from '../../checks/check-tree.ts'
import type { Drift } from '../../checks/drift/drift.ts'
import { type Finding, severityOf } from '../../checks/finding.ts'
import type { Translations } from '../../checks/translations/outdated.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import { type Coverage, reasons, sayNotJudged } from '../../sites/coverage.ts'
import type { Site } from '../../sites/site.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Output } from '../output.ts'
import { type Grounded, printGrounded } from './grounding.ts'
import { printBasis } from './sources.ts'
import { printTranslations } from './translations.ts'
import { printLosses, printProblems, printUngrounded, type ShownProblem } from './problems.ts'

export type Checked = CheckResult & {
  /** How many problems `--ignore` left out; with `--since`, of the new ones, and of names that are not found. */
  readonly ignored: number
  /** With `--since`, it covers what the change touches. */
  readonly coverage: Coverage
  /** Covers everything. */
  readonly site: Coverage
  /** With `--source`. */
  readonly drift: Drift | undefined
  /** Without `--since`. Undefined: there are no translations. */
  readonly translations: Translations | undefined
  /** With `--since` and `--source`: what the change adds. */
  readonly grounded: Grounded | undefined
  /** With `--since`: what the base has, and what it had. */
  readonly compared:
    | {
        readonly fixed: readonly Finding[]
        readonly remaining: readonly Finding[]
        readonly losses: readonly PageLoss[]
      }
    | undefined
}

export function printReport(output: Output, checked: Checked): void {
  const { sites, pages, findings, ignored, coverage, drift, grounded, compared, translations } = checked
  printProblems(output, findings.map(toProblem))
  printUngrounded(output, grounded?.ungrounded ?? [])
  printLosses(output, compared?.losses ?? [])
  if (translations) printTranslations(output, translations)
  const what = describeSites(sites).map(({ kind, config }) =>
    config === null ? kind : `${kind} (${plainText(config)})`,
  )
  output.print(`Checked ${count(pages, 'page')}: ${what.join(', ')}.`)
  if (drift) printBasis(output, drift.basis)
  if (grounded) printGrounded(output, grounded)
  const within = coverage.notJudged.length === 0 ? '' : ' in what could be judged'
  const result = findings.length === 0 ? `No problems${within}.` : `${countProblems(findings)}.`
  if (!compared) output.print(result)
  else {
    const { fixed, remaining } = compared
    output.print(`New: ${findings.length}. Fixed: ${fixed.length}. In the base already: ${remaining.length}.`)
  }
  if (ignored > 0) output.print(`Ignored: ${ignored}.`)
  printCoverage(output, coverage)
}

/** `392 of 1,204 not judged:`, then the reasons. Prints nothing if everything was judged. */
export function printCoverage(output: Output, coverage: Coverage): void {
  const missing = sayNotJudged(coverage)
  if (missing === undefined) return
  output.print(`${missing}:`)
  for (const { reason, count: number, example } of coverage.notJudged)
    output.print(`  ${number.toLocaleString('en')}  ${reasons[reason]}; such as ${plainText(example)}`)
}

function toProblem(finding: Finding): ShownProblem {
  const { message, suggestion } = finding
  const words = suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`
  return { ...finding, severity: severityOf(finding), message: words }
}

/** `3 problems: 1 breaking, 2 wrong` */
export function countProblems(findings: readonly Finding[]): string {
  const breaking = findings.filter((finding) => severityOf(finding) === 'breaking').length
  const parts = [
    ...(breaking > 0 ? [`${breaking} breaking`] : []),
    ...(findings.length > breaking ? [`${findings.length - breaking} wrong`] : []),
  ]
  return `${count(findings.length, 'problem')}: ${parts.join(', ')}`
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** The plain site is named only when there is no other. */
export function describeSites(sites: readonly Site[]) {
  const known = sites.filter(({ hasGenerator }) => hasGenerator)
  return (known.length > 0 ? known : sites).map(({ kind, root, config }) => ({
    kind,
    root: root === '' ? '.' : posix.normalize(root),
    config: config ?? null,
  }))
}
