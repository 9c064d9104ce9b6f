// Judges, before the model costs anything, whether the repository would take what a job of the project pushes: by the rules that
// the forge shows, and by those of an earlier refusal. Says which setting of the project helps, if one does.

import type { ForgeHost } from '../../forge/host.ts'
import {
  commitSettingsOf,
  type Person,
  type PublicationColumns,
  publicationOf,
  pullSettingsOf,
} from '../../forge/publication.ts'
import { describeRule, judgeRules } from '../../forge/rules/judge.ts'
import { prefixCandidates } from '../../forge/rules/prefixes.ts'
import type { Judged, PublishSetting, PushRule } from '../../forge/rules/rule.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { readLearned } from './learned.ts'

/** Settings of a project, as a change of it has them. */
export type SettingsChange = {
  readonly pullRequest?: { readonly branchPrefix: string } | undefined
  readonly commit?:
    | {
        readonly prefix?: string | undefined
        readonly signOff?: true | undefined
        readonly author?: Person | null | undefined
      }
    | undefined
}

export type PublishProblem = {
  /** Such as ``message must match `^docs:` ``. */
  readonly rule: string
  /** A sentence. */
  readonly remedy: string
  /** The change of settings that the remedy names; null: no setting helps for sure. */
  readonly change: SettingsChange | null
}

export type PublishReport = {
  readonly refused: readonly PublishProblem[]
  /** Rules that apply, and that only a push can judge. */
  readonly unknown: readonly string[]
}

export const nothingJudged: PublishReport = { refused: [], unknown: [] }

export type PublishSubject = {
  readonly projectId: string
  readonly columns: PublicationColumns
  /** The author of the service. */
  readonly service: Person
  readonly host: ForgeHost | undefined
  /** Whether the service signs commits with a key of its own. */
  readonly hasKey?: boolean
}

/** A forge that does not show its rules now is no obstacle: they are `unknown`. */
export async function dryPublish(db: Db, subject: PublishSubject, signal: AbortSignal): Promise<PublishReport> {
  const judged = judgedOf(subject)
  const [shown, learned] = await Promise.all([readShown(subject, judged, signal), readLearned(db, subject.projectId)])
  const rules = distinct([...shown.rules, ...learned])
  const verdict = await judgeRules(rules, judged)
  const refused = await Promise.all(verdict.refused.map((rule) => toProblem(subject, rule, rules)))
  return { refused, unknown: [...shown.unknown, ...verdict.unknown] }
}

/** Throws `forge_refused` with the rules and their remedies. */
export function requirePublishable({ refused }: PublishReport): void {
  if (refused.length === 0) return
  const said = refused.map(({ rule, remedy }) => `${rule}. ${remedy}`).join(' ')
  throw new Failure('forge_refused', `This repository would refuse the push: ${said}`)
}

type Shown = { readonly rules: readonly PushRule[]; readonly unknown: readonly string[] }

async function readShown({ host }: PublishSubject, { branch }: Judged, signal: AbortSignal): Promise<Shown> {
  try {
    return { rules: (await host?.rules?.(branch, signal)) ?? [], unknown: [] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { rules: [], unknown: [`the rules of the repository could not be read: ${error.message}`] }
  }
}

function distinct(rules: readonly PushRule[]): readonly PushRule[] {
  return [...new Map(rules.map((rule) => [describeRule(rule), rule])).values()]
}

/** The push of a job, except the words of the model. A host that makes the commits itself signs those without an author. */
export function judgedOf({ columns, service, host, hasKey }: Omit<PublishSubject, 'projectId'>): Judged {
  const { branchPrefix } = pullSettingsOf(columns)
  const settings = commitSettingsOf(columns)
  const branch = `${branchPrefix}${sampleJob}`
  const trailers = [`Docent-Job: ${sampleJob}/1`]
  const commit = { title: 'Update the documentation', text: 'The pages say what the product does.', trailers }
  const { message, author } = publicationOf({ project: columns, service, branch, commit })
  const isByHost = host?.commits !== undefined
  const signer = { name: 'GitHub', email: 'noreply@github.com' }
  return {
    branch,
    message,
    author: isByHost ? settings.author : author,
    committer: isByHost ? (settings.author ?? signer) : author,
    isSigned: isByHost ? settings.author === null : hasKey === true,
    settings: {
      'commit.prefix': JSON.stringify(settings.prefix),
      'commit.author': JSON.stringify(author),
      'commit.signOff': JSON.stringify(settings.signOff),
      'pullRequest.branchPrefix': JSON.stringify(branchPrefix),
    },
  }
}

const sampleJob = 'job_0123456789abcdefghij'

async function toProblem(subject: PublishSubject, rule: PushRule, rules: readonly PushRule[]): Promise<PublishProblem> {
  const change = await findChange(subject, rule, rules)
  return { rule: describeRule(rule), remedy: change ? sayChange(change) : sayRemedy(subject, rule), change }
}

/** Suggests only a change with which the judge finds no rule on that text broken. */
async function findChange(
  subject: PublishSubject,
  rule: PushRule,
  rules: readonly PushRule[],
): Promise<SettingsChange | null> {
  switch (rule.kind) {
    case 'text':
      return rule.of === 'message' || rule.of === 'branch' ? await findPrefix(subject, rule.of, rules) : null
    case 'person':
      return rule.person === null ? null : { commit: { author: rule.person } }
    case 'signature':
      return subject.host?.commits ? { commit: { author: null } } : null
    case 'signOff':
      return { commit: { signOff: true } }
    case 'closed':
    case 'kept':
    case 'unknown':
      return null
    default:
      return rule satisfies never
  }
}

async function findPrefix(
  subject: PublishSubject,
  of: 'message' | 'branch',
  rules: readonly PushRule[],
): Promise<SettingsChange | null> {
  const same = rules.filter((rule) => rule.kind === 'text' && rule.of === of)
  const patterns = same.flatMap((rule) => (rule.kind === 'text' && !rule.isNegated ? [beginningOf(rule)] : []))
  for (const prefix of prefixCandidates(of, patterns)) {
    const change = of === 'message' ? { commit: { prefix } } : { pullRequest: { branchPrefix: prefix } }
    const columns = withChange(subject.columns, change)
    const { refused, unknown } = await judgeRules(same, judgedOf({ ...subject, columns }))
    if (refused.length === 0 && unknown.length === 0) return change
  }
  return null
}

/** As a pattern: the other operators have literal texts. */
function beginningOf({ operator, pattern }: Extract<PushRule, { kind: 'text' }>): string {
  const isBeginning = operator === 'starts_with' || operator === 'contains'
  return operator === 'regex' ? pattern : isBeginning ? pattern.replaceAll(/[^\w\s]/g, String.raw`\$&`) : ''
}

function withChange(columns: PublicationColumns, { pullRequest, commit }: SettingsChange): PublicationColumns {
  const merge = (stored: string, more: object | undefined) => JSON.stringify({ ...JSON.parse(stored), ...more })
  return { pull_request: merge(columns.pull_request, pullRequest), commit: merge(columns.commit, commit) }
}

function sayChange({ pullRequest, commit = {} }: SettingsChange): string {
  if (pullRequest) return `Set \`pullRequest.branchPrefix\` to \`${pullRequest.branchPrefix}\`.`
  if (commit.prefix !== undefined) return `Set \`commit.prefix\` to \`${commit.prefix}\`.`
  if (commit.signOff) return 'Set `commit.signOff` to true.'
  if (commit.author === null)
    return 'Remove `commit.author`: GitHub signs the commits of an App that names nobody else.'
  return `Set \`commit.author\` to \`${commit.author?.name} <${commit.author?.email}>\`.`
}

const proveAgain = 'If the rule has changed, prove it: docent forge check --write'

function sayRemedy({ host }: PublishSubject, rule: PushRule): string {
  if (rule.kind === 'signature') {
    const app = host?.kind === 'github' ? ', or connect the project with a GitHub App, whose commits GitHub signs' : ''
    return `Let the service sign commits (docent project credential sign)${app}.`
  }
  if (rule.kind === 'kept') return `${changeOf[rule.setting]} ${proveAgain}.`
  if (rule.kind === 'closed')
    return `Let the account of the credential push there. ${changeOf['pullRequest.branchPrefix']}`
  if (rule.kind !== 'text') return 'Change the rule at the host.'
  if (rule.of === 'message') return changeOf['commit.prefix']
  return rule.of === 'branch' ? changeOf['pullRequest.branchPrefix'] : changeOf['commit.author']
}

const changeOf: Readonly<Record<PublishSetting, string>> = {
  'commit.prefix': 'Set `commit.prefix` to a beginning with which messages fit.',
  'commit.author': 'Set `commit.author` to a name and an address that fit.',
  'commit.signOff': 'Set `commit.signOff` to true.',
  'pullRequest.branchPrefix': 'Set `pullRequest.branchPrefix` to a beginning with which names fit.',
}
