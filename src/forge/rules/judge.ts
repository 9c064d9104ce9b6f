// Judges what would be pushed by the rules of a host, before anything is pushed. A rule that cannot be judged is named, and
// never guessed. Pure.

import { compilePattern, type Matcher } from '../../lib/push-rules/re2.ts'
import type { Judged, JudgedText, PushRule } from './rule.ts'

export type Verdict = {
  readonly refused: readonly PushRule[]
  /** Sentences. */
  readonly unknown: readonly string[]
}

type Answer = 'passes' | 'refused' | 'unknown'

export async function judgeRules(rules: readonly PushRule[], judged: Judged): Promise<Verdict> {
  const answers = await Promise.all(rules.map(async (rule) => ({ rule, answer: await judgeRule(rule, judged) })))
  return {
    refused: answers.flatMap(({ rule, answer }) => (answer === 'refused' ? [rule] : [])),
    unknown: answers.flatMap(({ rule, answer }) => (answer === 'unknown' ? [describeRule(rule)] : [])),
  }
}

async function judgeRule(rule: PushRule, judged: Judged): Promise<Answer> {
  switch (rule.kind) {
    case 'text': {
      const text = textOf(judged, rule.of)
      const matches = await matcherOf(rule)
      if (text === undefined || matches === undefined) return 'unknown'
      return matches(text) === rule.isNegated ? 'refused' : 'passes'
    }
    case 'person': {
      const text = textOf(judged, rule.of)
      if (text === undefined) return 'unknown'
      return rule.accepted.some((one) => one.toLowerCase() === text.toLowerCase()) ? 'passes' : 'refused'
    }
    case 'signature':
      return judged.isSigned ? 'passes' : 'refused'
    case 'signOff':
      return /^Signed-off-by: .+ <.+>$/m.test(judged.message) ? 'passes' : 'refused'
    case 'closed':
      return 'refused'
    case 'kept':
      return judged.settings[rule.setting] === rule.value ? 'refused' : 'passes'
    case 'unknown':
      return 'unknown'
    default:
      return rule satisfies never
  }
}

type TextRule = Extract<PushRule, { kind: 'text' }>

async function matcherOf({ operator, pattern, isMultiline = false }: TextRule): Promise<Matcher | undefined> {
  if (operator === 'starts_with') return (text) => text.startsWith(pattern)
  // A message ends with a line break, which no rule means.
  if (operator === 'ends_with') return (text) => text.trimEnd().endsWith(pattern)
  if (operator === 'contains') return (text) => text.includes(pattern)
  return await compilePattern(pattern, { isMultiline })
}

function textOf({ branch, message, author, committer }: Judged, of: JudgedText): string | undefined {
  const texts: Readonly<Record<JudgedText, string | undefined>> = {
    branch,
    message,
    authorEmail: author?.email,
    committerEmail: committer?.email,
    committerName: committer?.name,
  }
  return texts[of]
}

const names: Readonly<Record<JudgedText, string>> = {
  message: 'message',
  branch: 'branch name',
  authorEmail: "author's e-mail address",
  committerEmail: "committer's e-mail address",
  committerName: "committer's name",
}

const verbs = { starts_with: 'start with', ends_with: 'end with', contains: 'contain', regex: 'match' } as const

/** Such as ``message must match `^docs:` ``: no sentence, without a full stop. */
export function describeRule(rule: PushRule): string {
  switch (rule.kind) {
    case 'text':
      return `${names[rule.of]} must ${rule.isNegated ? 'not ' : ''}${verbs[rule.operator]} \`${rule.pattern}\``
    case 'person':
      return `${names[rule.of]} must be that of the account: ${rule.accepted.join(' or ')}`
    case 'signature':
      return 'commits must be signed'
    case 'signOff':
      return 'message must have a Signed-off-by line'
    case 'closed':
    case 'kept':
    case 'unknown':
      return rule.words
    default:
      return rule satisfies never
  }
}
