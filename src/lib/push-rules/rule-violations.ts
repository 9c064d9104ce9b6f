// Splits the refusal of a host into the rules that it names. GitHub lists them as bullets below GH013, and its API as
// paragraphs; GitLab names the first one after its own name. Each kind has another remedy. Pure.

import { Failure } from '../failure.ts'
import { sanitise } from '../outbound/sanitise.ts'
import { startOf } from '../plain-text.ts'

export type ViolationKind = 'message' | 'branch' | 'signature' | 'signOff' | 'author' | 'size' | 'secrets' | 'closed'

/** `pattern`: in RE2's syntax, if the host quotes one that must match. */
export type Violation = { readonly kind: ViolationKind; readonly words: string; readonly pattern: string | null }

type Row = readonly [words: RegExp, kind: ViolationKind]

const rows: readonly Row[] = [
  [/\bsecrets?\b|\bGH009\b|prevent_secrets/i, 'secrets'],
  [/\bDCO\b|signed-off-by|sign-?off/i, 'signOff'],
  [/verified signature|must be signed|\bGPG key\b|unsigned commit/i, 'signature'],
  [/larger than|file size|size limit|exceeds .{0,40}\b(?:MB|MiB|KB)\b/i, 'size'],
  [/e-?mail|\bauthor\b|\bcommitter\b|git username/i, 'author'],
  [/branch name|ref name/i, 'branch'],
  [/commit message/i, 'message'],
  [
    /restricted|protected|through a pull request|cannot (?:update|create|delete) (?:this|ref)|not allowed to push/i,
    'closed',
  ],
]

const heading = /\bGH013\b|repository rule violations found/i
const longestLine = 500

/** Returns what a refusal names; empty if it is no refusal by rules. `text`: as git or the API shows it. */
export function readViolations(text: string): readonly Violation[] {
  const hasHeading = heading.test(text)
  const found = new Map<string, Violation>()
  for (const line of startOf(text, 64_000).split('\n')) {
    const own = line.replace(/^remote:/, '').trim()
    const rule = ruleIn(own, hasHeading)
    const words = rule === undefined ? undefined : sanitise(rule)
    const kind = words === undefined ? undefined : rows.find(([pattern]) => pattern.test(words))?.[1]
    if (words === undefined || kind === undefined) continue
    found.set(`${kind} ${words}`, { kind, words, pattern: patternIn(words) })
  }
  return [...found.values()]
}

function ruleIn(line: string, hasHeading: boolean): string | undefined {
  if (line.length > longestLine || heading.test(line) || /^\W*$|https?:\/\//.test(line)) return undefined
  const gitLab = /^(?:error: )?GitLab: (.+)$/.exec(line)?.[1]
  if (gitLab !== undefined) return withoutStop(gitLab)
  if (/\bDCO\b|^(?:error: )?.{0,80}\bSigned-off-by\b/i.test(line)) return withoutStop(line)
  return hasHeading ? withoutStop(line.replace(/^[-*•] /, '')) : undefined
}

function withoutStop(words: string): string {
  return words.replace(/\.$/, '')
}

/** `must match pattern ^docs`, `does not follow the pattern '^docs'`; one that must not match is no help. */
function patternIn(words: string): string | null {
  if (/forbidden|must not|not match/i.test(words)) return null
  const quoted = /\bpattern:? ['"](.{1,300})['"]$/.exec(words)?.[1]
  const plain = /\b(?:match(?:es)?(?: the| a)?(?: given)?(?: regex)?(?: pattern)?|pattern):? (\S.{0,300})$/.exec(
    words,
  )?.[1]
  return quoted ?? plain ?? null
}

const remedies: Readonly<Record<ViolationKind, string>> = {
  message: 'Set `commit.prefix` of the project to the beginning that messages must have.',
  branch: 'Set `pullRequest.branchPrefix` of the project to the beginning that names of branches must have.',
  signature:
    'Use a GitHub App: GitHub signs its commits. Or let the service sign them: docent project credential sign.',
  signOff: 'Set `commit.signOff` of the project to true.',
  author: 'Set `commit.author` of the project to a name and an address that the host accepts.',
  size: 'Leave the large file out, or raise the limit at the host.',
  secrets: 'Remove the secret from the change, and revoke it if it is real.',
  closed: 'Let the credential push to the branches of jobs, or set another `pullRequest.branchPrefix` of the project.',
}

/** The cause of a failure, for the code that keeps rules. */
class RefusedByRules extends Error {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[]) {
    super('The host refused the push by its rules.')
    this.violations = violations
  }
}

/** Undefined if the words name no rule. */
export function rulesFailure(text: string): Failure | undefined {
  const violations = readViolations(text)
  if (violations.length === 0) return undefined
  const words = violations.map((one) => `${one.words}. ${remedies[one.kind]}`)
  const isClosed = violations.every(({ kind }) => kind === 'closed')
  const message = `The repository refused the push. ${[...new Set(words)].join(' ')}`
  return new Failure(isClosed ? 'branch_protected' : 'forge_refused', message, {
    cause: new RefusedByRules(violations),
  })
}

/** The rules that a failure names; empty for other failures. */
export function violationsOf(thrown: unknown): readonly Violation[] {
  return thrown instanceof Failure && thrown.cause instanceof RefusedByRules ? thrown.cause.violations : []
}
