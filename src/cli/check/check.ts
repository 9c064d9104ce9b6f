// `docent check [path]`: checks the documentation in a folder, without a service. For people, and for CI.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { checkTree } from '../../checks/check-tree.ts'
import { compareChecks } from '../../checks/compare.ts'
import { coverageOf, coverageOfChange } from '../../checks/coverage.ts'
import { findFixed } from '../../checks/fixed.ts'
import { createFactsReader, type SiteFacts } from '../../checks/facts/reader.ts'
import {
  type FindingKind,
  findingKindNames,
  findingKinds,
  ungroundedAbout,
  ungroundedKind,
} from '../../checks/finding.ts'
import { type IgnoreRule, splitIgnored } from '../../checks/ignore.ts'
import { findLosses } from '../../checks/losses.ts'
import { findMoves } from '../../checks/moves.ts'
import type { NamedSite } from '../../sites/find-sites.ts'
import { toFolder } from '../../sites/names.ts'
import { siteExample, siteKinds } from '../../sites/kinds.ts'
import { withSuggestions } from '../../checks/suggest/suggest.ts'
import type { SiteTree } from '../../sites/tree.ts'
import { type EarlierTree, openWorkTree, type WorkTree } from '../../git/read/work-tree.ts'
import { plainText } from '../../lib/plain-text.ts'
import { withoutYoungGrowth } from '../../lib/memory/young-generation.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { createRuleParser } from '../rule-option.ts'
import { createScreen } from '../screen.ts'
import { withCache } from './cache.ts'
import { openFolder } from './folder.ts'
import { formOf, type FormOptions, forms, print } from './forms.ts'
import { type Grounded, groundChange, leaveOut } from './grounding.ts'
import { type Compared, openSources, type Sources, withMore } from './sources.ts'
import { findTranslations } from './translations.ts'
import { type Checked, countProblems } from './report.ts'

type Options = FormOptions & {
  readonly since?: string
  readonly ignore?: readonly IgnoreRule<FindingKind | typeof ungroundedKind>[]
  readonly site?: readonly NamedSite[]
  readonly source?: readonly string[]
  readonly grounding?: 'show' | 'fail' | 'off'
  readonly allowEmpty?: true
  /** False with `--no-cache`. */
  readonly cache: boolean
}

export function defineCheck(command: Command, context: CommandContext): void {
  command
    .argument('[path]', 'the folder of the documentation', '.')
    .option('--since <ref>', 'report only problems that are not in the merge base with this branch, tag or commit')
    .addOption(
      toRules('--ignore', 'a kind of problem to leave out in a file or folder: link=docs/legal', [
        ...findingKindNames,
        ungroundedKind,
      ]),
    )
    .addOption(
      toRules('--site', `the kind of the site in a folder: ${siteExample.kind}=${siteExample.path}`, siteKinds),
    )
    .addOption(
      new Option(
        '--source <path>',
        'a clone of a repository of the product: report what the docs say and its HEAD no longer has; repeatable',
      ).argParser((folder: string, before: readonly string[] | undefined) => [...(before ?? []), folder]),
    )
    .addOption(
      new Option(
        '--grounding <effect>',
        'with --since and --source: names and values that the change adds and that are found nowhere are shown, fail the check, or are not looked up (default: show)',
      ).choices(['show', 'fail', 'off']),
    )
    .option('--allow-empty', 'end with 0 although nothing could be judged')
    .option('--no-cache', 'read every page again, and keep nothing for the next check', true)
    .addOption(
      new Option(
        '--format <form>',
        'text, json, sarif (GitHub code scanning), github (annotations and summary of GitHub Actions) or codequality (GitLab) (default: text)',
      ).choices(forms),
    )
    .option('--json', 'short for --format json')
    .option('--sarif', 'short for --format sarif')
    .addHelpText('after', `\nProblems:\n${kindsHelp()}`)
    .action(async (path: string, options: Options) => {
      const { grounding = 'off', since, source } = options
      formOf(options)
      if (grounding !== 'off' && (since === undefined || source === undefined))
        throw usage('--grounding needs --since and --source.')
      await runCheck(context, resolve(path), options)
    })
}

function toRules(flag: string, help: string, kinds: readonly string[]): Option {
  return new Option(`${flag} <kind=path>`, `${help}; repeatable`).argParser(createRuleParser(kinds))
}

/** Prints the report. Throws `checks_failed` if there are problems, and if nothing could be judged. */
export async function runCheck(context: CommandContext, folder: string, options: Options): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw usage(`There is no folder ${plainText(folder)}.`)
  const sources = await openSources(options.source ?? [], folder)
  const work = await openWorkTree(folder)
  const reader = createFactsReader()
  try {
    const checkWith = (facts: SiteFacts) => checkFolder(context, { folder, work, facts, sources, options })
    const { environment } = context
    const checked = options.cache
      ? await withCache({ environment, folder, facts: reader }, checkWith)
      : await withoutYoungGrowth(() => checkWith(reader))
    await print(context, checked, { form: formOf(options), folder })
    const problems = findProblems(checked, options)
    if (problems !== undefined) throw new CommandFailure('checkFailed', 'checks_failed', problems)
    const empty = options.allowEmpty ? undefined : findEmpty(checked)
    if (empty !== undefined) throw new CommandFailure('nothingJudged', 'checks_failed', empty)
  } finally {
    await reader.close()
    await work?.close()
    await sources.close()
  }
}

/** Why the check fails; undefined if it does not. */
function findProblems({ findings, grounded }: Checked, { grounding }: Options): string | undefined {
  if (findings.length > 0) return `${countProblems(findings)}.`
  const missing = grounding === 'fail' ? (grounded?.ungrounded.length ?? 0) : 0
  if (missing === 0) return undefined
  return missing === 1
    ? '1 name or value is not found in the sources.'
    : `${missing} names and values are not found in the sources.`
}

/** Why the check says nothing; undefined if something was judged. */
function findEmpty({ pages, site }: Checked): string | undefined {
  if (pages === 0)
    return 'There is no page here that Docent can check. Give the folder of the documentation, or --allow-empty.'
  if (site.judged > 0 || site.notJudged.length === 0) return undefined
  return 'Nothing could be judged. Name the kind of the site with --site, or allow this with --allow-empty.'
}

type Wanted = {
  readonly folder: string
  readonly work: WorkTree | undefined
  readonly facts: SiteFacts
  readonly sources: Sources
  readonly options: Options
}

async function checkFolder(context: CommandContext, wanted: Wanted): Promise<Checked> {
  const { since, ignore = [], site: named = [] } = wanted.options
  const tree = await openFolder(wanted.folder, wanted.work)
  const missing = named.find(({ path }) => !hasFolder(tree, path))
  if (missing) throw usage(`There is no folder ${plainText(missing.path)}, which --site names.`)
  const before = since === undefined ? undefined : await openBefore(wanted.work, since)
  const { result: after, drift } = await check(context, wanted, tree)
  if (!before) {
    const { kept, ignored } = splitIgnored(after.findings, ignore)
    const findings = withSuggestions(after, kept)
    const given = { work: wanted.work, facts: wanted.facts, signal: context.stop }
    const translations = await findTranslations({ tree, result: after }, given)
    const site = withMore(coverageOf(after), drift)
    const coverage = withMore(site, translations)
    const rest = { drift, translations, grounded: undefined, compared: undefined }
    return { ...after, findings, ignored: ignored.length, coverage, site, ...rest }
  }
  const { result: old } = await check(context, wanted, before)
  const moves = findMoves(before.entries(), tree.entries())
  const { introduced, fixed: gone, remaining } = compareChecks(old.findings, after.findings, moves)
  const fixed = findFixed(gone, { before: old, after, moves })
  const { kept, ignored } = splitIgnored(introduced, ignore)
  const compared = {
    fixed: splitIgnored(fixed, ignore).kept,
    remaining: splitIgnored(remaining, ignore).kept,
    losses: findLosses(old, after, moves),
  }
  const found = await ground(context, wanted, { before, after: tree })
  const grounded = found && leaveOut(found, introduced, ignore)
  const touched = withMore(coverageOfChange({ tree: before, result: old }, { tree, result: after }), drift)
  const findings = withSuggestions(after, kept)
  const whole = withMore(coverageOf(after), drift)
  const coverage = withMore(touched, grounded)
  const left = ignored.length + (grounded?.ignored ?? 0)
  const rest = { drift, translations: undefined, grounded, compared }
  return { ...after, findings, ignored: left, coverage, site: whole, ...rest }
}

function hasFolder(tree: SiteTree, path: string): boolean {
  const folder = toFolder(path)
  return folder === '' || tree.entries().some((file) => file.path.startsWith(`${folder}/`))
}

async function openBefore(work: WorkTree | undefined, since: string): Promise<EarlierTree> {
  if (!work) throw usage('--since needs a folder in a git repository.')
  return await work.before(since)
}

/** Undefined: it is turned off, or no source says what there is. */
async function ground(
  { stop }: CommandContext,
  { work, sources: { clones }, options }: Wanted,
  change: { readonly before: EarlierTree; readonly after: SiteTree },
): Promise<Grounded | undefined> {
  if (!work || clones.length === 0 || options.grounding === 'off') return undefined
  return await groundChange({ work, sources: clones, ...change }, stop)
}

async function check(context: CommandContext, wanted: Wanted, tree: SiteTree): Promise<Compared> {
  const { output, stop } = context
  const { facts, sources, options } = wanted
  const screen = createScreen(output)
  const onProgress = (done: number, total: number) => {
    if (!output.terminal || (done % 10 > 0 && done < total)) return
    screen.live([{ style: 'gray', text: `Reading ${done} of ${total} files` }])
  }
  try {
    const result = await checkTree(tree, { facts, sites: options.site ?? [], onProgress, signal: stop })
    return await sources.compare({ tree, result }, stop)
  } finally {
    screen.clear()
  }
}

function kindsHelp(): string {
  const shown = { [ungroundedKind]: { severity: 'unknown', about: `${ungroundedAbout}: shown only` } }
  return Object.entries({ ...findingKinds, ...shown })
    .map(([kind, { severity, about }]) => `  ${kind.padEnd(16)} ${severity.padEnd(9)} ${about}`)
    .join('\n')
}
