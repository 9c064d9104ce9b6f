// `docent debt`: which commits of the product the documentation does not have yet, over the API. Ends with 5 if there are more than
// `--fail-over`, so that a release can wait for its documentation.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Counts, Ledger, LedgerEntry } from '../../automations/ledger/ledger.ts'
import { countOwed, ledgerStates, owedStates, sayOwed } from '../../automations/ledger/states.ts'
import type { Followers } from '../../automations/ledger/followers.ts'
import type { Savings } from '../../automations/ledger/savings.ts'
import type { ShownRelease } from '../../automations/releases/show.ts'
import type { AutomationRun } from '../../automations/runs/run.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = ProjectOption & {
  readonly since?: string
  readonly to?: string
  readonly source: string
  readonly state: readonly LedgerEntry['state'][]
  readonly failOver?: number
  readonly look?: string
  readonly json?: true
}

type Page = Ledger & {
  readonly followers: Followers
  readonly notFollowed: number | null
  readonly releases: readonly ShownRelease[]
  readonly savings: Savings
}

const mostShown = 500

const help = `
A commit that an automation with the trigger \`code\` follows is documented, skipped, waiting, rejected or set aside. Those that wait or are
set aside are the debt.
  docent debt --source api --since v1.2 --fail-over 0   # before a release: ends with 5 if a change is not documented
  docent debt --source api --state skipped              # with the scores
  docent debt --source api --look 3f2c1d8               # document this one after all`

export function defineDebt(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option('--source <name>', 'the source whose commits are listed; . is the repository of the project itself', '.')
    .option('--since <commit>', 'only the commits after this tag, branch, commit or date')
    .option('--to <commit>', 'the last commit; default: the newest one. Needs --since, except with --look')
    .addOption(
      new Option('--state <state...>', 'only commits in these states').choices(ledgerStates).default([...owedStates]),
    )
    .option('--fail-over <number>', 'end with 5 if more commits than this wait or are set aside', toCount)
    .option(
      '--look <commit>',
      'start a run for this commit, and with --since for those after it, whatever their scores',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      if (options.look === undefined) await list(context, options)
      else await look(context, options, options.look)
    })
}

function toCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

async function list(context: CommandContext, options: Options): Promise<void> {
  const { output } = context
  const { entries, isCut, ...page } = await readAll(context, options)
  const { counts, followers, notFollowed, releases } = page
  const debt = countOwed(counts)
  if (options.json) output.print(JSON.stringify({ debt, ...page, entries }))
  else {
    const rows = entries.map(({ commit, state, score, subject, pullRequest, reason }) => [
      commit.slice(0, 12),
      state,
      score === null ? '' : score.toFixed(2),
      plainText(shorten(subject, 70)),
      plainText(shorten(pullRequest?.url ?? reason ?? '', 80)),
    ])
    if (rows.length > 0) printTable(output, ['COMMIT', 'STATE', 'SCORE', 'SUBJECT', 'PULL REQUEST OR REASON'], rows)
    if (followers.count > 0) output.print(sayDebt(debt, counts))
    if (isCut) output.warn(`Only the newest ${mostShown} are listed.`)
    if (notFollowed) output.warn(`${notFollowed} more: no automation followed them, so nothing is known about them.`)
    for (const { tag, problem } of releases)
      if (problem !== null) output.warn(`The commit status of ${plainText(tag)} was refused. ${plainText(problem)}`)
  }
  const unknown = sayUnknown(followers)
  if (unknown !== undefined && options.failOver !== undefined)
    throw new CommandFailure('nothingJudged', 'not_found', unknown)
  if (unknown !== undefined && !options.json) output.warn(unknown)
  if (options.failOver !== undefined && debt + (notFollowed ?? 0) > options.failOver) {
    throw new CommandFailure(
      'checkFailed',
      'checks_failed',
      `${sayOwed(debt + (notFollowed ?? 0))}; at most ${options.failOver} may be.`,
    )
  }
}

/** Why an empty list proves nothing. Undefined: it does. */
function sayUnknown({ count, unread }: Followers): string | undefined {
  if (count === 0) return 'No automation follows this source, so nothing is known: docent automation create --help'
  if (unread === 0) return undefined
  return 'The branch was not read yet, or could not be read at the last look: docent automation list says more.'
}

function sayDebt(debt: number, counts: Counts): string {
  const all = ledgerStates.map((state) => `${counts[state]} ${state.replace('_', ' ')}`)
  return `${sayOwed(debt)}: ${all.join(', ')}.`
}

type All = Omit<Page, 'nextCursor'> & { readonly isCut: boolean }

async function readAll(context: CommandContext, options: Options): Promise<All> {
  const { source, since, to, state } = options
  return await withProject(context, options, async (api, id) => {
    const read = async (cursor: string | null) => {
      const query = new URLSearchParams({ source, limit: '100' })
      for (const [name, value] of Object.entries({ from: since, to, cursor })) if (value) query.set(name, value)
      if (state.length === 1 && state[0] !== undefined) query.set('state', state[0])
      return JSON.parse((await api.send('GET', `/v1/projects/${id}/ledger?${query.toString()}`)).body) as Page
    }
    const { nextCursor, ...first } = await read(null)
    const found = [...first.entries]
    let next = nextCursor
    while (next !== null && found.length < mostShown * 20) {
      const page = await read(next)
      found.push(...page.entries)
      next = page.nextCursor
    }
    const wanted = found.filter((entry) => state.includes(entry.state))
    return { ...first, entries: wanted.slice(0, mostShown), isCut: next !== null || wanted.length > mostShown }
  })
}

async function look(context: CommandContext, options: Options, to: string): Promise<void> {
  const { source, since: from, json } = options
  const ask = (api: Api, id: string) => api.send('POST', `/v1/projects/${id}/ledger/look`, { source, from, to })
  const { body } = await withProject(context, options, ask, true)
  const { id } = JSON.parse(body) as AutomationRun
  context.output.print(json ? body : `The run ${id} begins as soon as its automation has no other one.`)
}
