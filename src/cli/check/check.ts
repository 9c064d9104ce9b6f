// `docent check [path]`: checks the documentation in a folder, without a service. For people, and for CI.

import { availableParallelism } from 'node:os'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { checkTree, type CheckResult } from '../../checks/check-tree.ts'
import { compareChecks } from '../../checks/compare.ts'
import { createFactsReader, type FactsReader } from '../../checks/facts/reader.ts'
import { type Finding, findingKinds, severityOf } from '../../checks/finding.ts'
import { findMoves } from '../../checks/moves.ts'
import { toSarif } from '../../checks/sarif.ts'
import type { SiteTree } from '../../checks/tree.ts'
import { openWorkTree, type WorkTree } from '../../git/read/work-tree.ts'
import { plainText } from '../../lib/plain-text.ts'
import { version } from '../../service/version.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { createScreen } from '../screen.ts'
import { openFolder } from './folder.ts'
import { type Checked, countProblems, describeSites, printReport } from './report.ts'

type Options = { readonly since?: string; readonly json?: true; readonly sarif?: true }

export function defineCheck(command: Command, context: CommandContext): void {
  command
    .argument('[path]', 'the folder of the documentation', '.')
    .option('--since <ref>', 'report only problems that are not in the merge base with this branch, tag or commit')
    .option('--json', 'print one JSON object')
    .option('--sarif', 'print a SARIF log, which code hosts show beside a change')
    .addHelpText('after', `\nProblems:\n${kindsHelp()}`)
    .action(async (path: string, options: Options) => {
      if (options.json && options.sarif) throw usage('Use --json or --sarif, not both.')
      await runCheck(context, resolve(path), options)
    })
}

async function runCheck(context: CommandContext, folder: string, options: Options): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw usage(`There is no folder ${plainText(folder)}.`)
  const work = await openWorkTree(folder)
  const facts = createFactsReader(Math.min(4, availableParallelism()))
  try {
    const checked = await checkFolder(context, { folder, work, facts, since: options.since })
    print(context, checked, options)
    if (checked.findings.length > 0) {
      throw new CommandFailure('checkFailed', 'checks_failed', `${countProblems(checked.findings)}.`)
    }
  } finally {
    await facts.close()
    await work?.close()
  }
}

type Wanted = {
  readonly folder: string
  readonly work: WorkTree | undefined
  readonly facts: FactsReader
  readonly since: string | undefined
}

async function checkFolder(context: CommandContext, wanted: Wanted): Promise<Checked> {
  const tree = await openFolder(wanted.folder, wanted.work)
  const before = wanted.since === undefined ? undefined : await openBefore(wanted.work, wanted.since)
  const after = await check(context, wanted.facts, tree)
  if (!before) return { ...after, compared: undefined }
  const old = await check(context, wanted.facts, before)
  const { introduced, fixed, remaining } = compareChecks(
    old.findings,
    after.findings,
    findMoves(before.entries(), tree.entries()),
  )
  return { ...after, findings: introduced, compared: { fixed, remaining } }
}

async function openBefore(work: WorkTree | undefined, since: string): Promise<SiteTree> {
  if (!work) throw usage('--since needs a folder in a git repository.')
  return await work.before(since)
}

async function check(context: CommandContext, facts: FactsReader, tree: SiteTree): Promise<CheckResult> {
  const { output, stop } = context
  const screen = createScreen(output)
  const onProgress = (done: number, total: number) => {
    if (!output.terminal || (done % 10 > 0 && done < total)) return
    screen.live([{ style: 'gray', text: `Reading ${done} of ${total} files` }])
  }
  try {
    return await checkTree(tree, { facts, onProgress, signal: stop })
  } finally {
    screen.clear()
  }
}

function print(context: CommandContext, checked: Checked, { json, sarif }: Options): void {
  const { output } = context
  if (sarif) output.print(JSON.stringify(toSarif(checked.findings, version), null, 2))
  else if (json) output.print(JSON.stringify(toJson(checked)))
  else printReport(output, checked)
}

function toJson({ sites, pages, findings, compared }: Checked) {
  const shown = (found: readonly Finding[]) => found.map((one) => ({ ...one, severity: severityOf(one) }))
  return {
    sites: describeSites(sites),
    pages,
    findings: shown(findings),
    ...(compared ? { fixed: shown(compared.fixed), remaining: compared.remaining.length } : {}),
  }
}

function kindsHelp(): string {
  return Object.entries(findingKinds)
    .map(([kind, { severity, about }]) => `  ${kind.padEnd(16)} ${severity.padEnd(9)} ${about}`)
    .join('\n')
}
