// Judges files as a run would: the whole of them as one change, and each with its own verdict. Knows neither where the base
// comes from nor who asks.

import type { Edit } from '../../../git/types.ts'
import type { HostPlace } from '../content/change.ts'
import { judgeEdits, judgeShown, modeOf, type Judging } from '../judge-edits.ts'
import { createRules, type PathVerdict, pathRules } from '../judge-path.ts'
import type { Finding } from '../verdict.ts'

export type FileText = { readonly path: string; readonly text: string }

/** The rules of paths, those of texts, and `expected`: found, and named by the project as no reason for a draft. */
export const fileRules = [
  ...pathRules,
  ...(['secret', 'content', 'code', 'page', 'file', 'redirect', 'include', 'expected'] as const),
] as const
export type FileRule = (typeof fileRules)[number]

export type FileFinding = {
  readonly rule: FileRule
  /** Counted from 1; null for a finding about the path. */
  readonly line: number | null
  /** Continues a sentence that begins with the path. */
  readonly message: string
  /** How a person could change the project so that it is accepted; null if there is no way, or no need. */
  readonly remedy: string | null
}

export type FileVerdict = FileFinding & {
  readonly path: string
  /** `shown`: its pull request is a draft that says so. `refused`: for its content. */
  readonly result: PathVerdict['result'] | 'shown' | 'refused'
  /** The one that decided is the first. */
  readonly findings: readonly FileFinding[]
  /** Other sites that the file leads to, and the base does not. */
  readonly hosts: readonly Omit<HostPlace, 'path'>[]
  /** How many findings and hosts are not listed. */
  readonly more: number
}

/** So many findings, and so many hosts, for each file. */
const mostListed = 50

/** At most one file for each path. Returns a verdict for each, in the same order. */
export async function judgeFiles(judging: Judging, files: readonly FileText[]): Promise<readonly FileVerdict[]> {
  const { base, policy } = judging
  const encoder = new TextEncoder()
  const edits = files.map(({ path, text }): Edit => {
    return { path, content: encoder.encode(text), mode: modeOf(base, path) }
  })
  const refused = await judgeEdits(judging, edits)
  const { shown, expected, hosts } = await judgeShown(judging, edits)
  const judgePath = createRules(policy)
  return files.map(({ path }) => {
    const isHere = (one: { readonly path: string }) => one.path === path
    const { rule, message } = judgePath(path)
    const reasons = [...refused, ...shown].filter(isHere)
    const findings = [
      ...reasons.map((one) => toFileFinding(one, verdictOf(one, rule).rule)),
      ...expected.filter(isHere).map((one) => toFileFinding(one, 'expected')),
    ]
    const [first] = reasons
    const places = hosts.filter(isHere).map(({ host, line }) => ({ host, line }))
    const left = [findings, places].map(({ length }) => Math.max(0, length - mostListed))
    return {
      path,
      result: first ? verdictOf(first, rule).result : 'allowed',
      ...(findings[0] ?? { rule, line: null, message, remedy: null }),
      findings: findings.slice(0, mostListed),
      hosts: places.slice(0, mostListed),
      more: left.reduce((sum, one) => sum + one, 0),
    }
  })
}

function toFileFinding({ line, message, remedy }: Finding, rule: FileRule): FileFinding {
  return { rule, line, message, remedy }
}

/** `pathRule`: the one that decided about the path. */
function verdictOf({ kind }: Finding, pathRule: FileRule): Pick<FileVerdict, 'result' | 'rule'> {
  switch (kind) {
    case 'denied':
      return { result: 'denied', rule: pathRule }
    case 'never':
      return { result: 'denied', rule: kind }
    case 'protected':
      return { result: 'protected', rule: kind }
    case 'secret':
    case 'content':
      return { result: 'refused', rule: kind }
    case 'code':
    case 'page':
    case 'file':
    case 'redirect':
    case 'include':
      return { result: 'shown', rule: kind }
    // These are about a whole branch.
    case 'deletion':
    case 'attempt':
    default:
      return { result: 'shown', rule: 'shown' }
  }
}
