// Checks the documentation of a project as it would be with files that somebody sends: the problems that they would bring to
// the newest commit of the base branch. Nothing is stored or pushed.

import { compareFindings, severityOf } from '../../checks/finding.ts'
import { nameProblem, shapeProblem } from '../../git/write/path.ts'
import type { Edit, Tree } from '../../git/types.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { createLine } from '../../lib/few-at-once.ts'
import type { AffectedContext } from '../affected-pages/read.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { Coverage } from '../../sites/coverage.ts'
import { checkSettingsOf } from '../run/review/open-checks.ts'
import type { ReviewedFinding } from './review.ts'
import { openRunChecks } from './run-checks.ts'

/** `text` null: the file is deleted. */
export type GivenText = { readonly path: string; readonly text: string | null }

export type CheckedTexts = {
  /** The commit of the base branch. */
  readonly commit: string
  /** How many problems the files would bring. */
  readonly introduced: number
  readonly fixed: number
  /** The first of the introduced ones. */
  readonly findings: readonly Pick<ReviewedFinding, 'path' | 'line' | 'kind' | 'severity' | 'message' | 'suggestion'>[]
  readonly losses: readonly PageLoss[]
  readonly coverage: Coverage
}

export type CheckTexts = (projectId: string, files: readonly GivenText[], signal: AbortSignal) => Promise<CheckedTexts>

const mostFindings = 200
/** A check of a repository that was not read before takes minutes, and each keeps its files in memory. */
const atOnce = 2
const waiting = 20

/** Throws `not_found`, `invalid_input` for a path, `unavailable` if too many are waiting, and the errors of a fetch. */
export function createTextChecks(context: AffectedContext): CheckTexts {
  const full = () => new Failure('unavailable', 'Too many texts are being checked. Try again soon.', { retryAfter: 5 })
  const inTurn = createLine({ atOnce, waiting, full })
  return async (projectId, files, signal) => {
    const query = context.db.selectFrom('projects').selectAll().where('id', '=', projectId)
    const project = await query.executeTakeFirst()
    if (!project) throw new Failure('not_found', 'There is no such project.')
    return await inTurn(() => checkTexts(context, { project, files }, signal))
  }
}

type Given = { readonly project: ProjectRow; readonly files: readonly GivenText[] }

async function checkTexts(
  { git, facts }: AffectedContext,
  { project, files }: Given,
  signal: AbortSignal,
): Promise<CheckedTexts> {
  signal.throwIfAborted()
  const repository = git.repository(project.id, project.repository, project.fork)
  const { base } = await repository.fetch({ branch: project.branch, branches: [] }, signal)
  const edits = toEdits(await repository.tree(base.commit), files)
  const checks = openRunChecks({
    repository,
    facts,
    settings: checkSettingsOf(project),
    base: base.commit,
    start: base.commit,
    published: () => Promise.resolve(null),
    drift: undefined,
    signal,
  })
  try {
    const { introduced, fixed, losses, coverage, suggest } = await checks.check({ edits, extent: 'change' })
    const findings = introduced.toSorted(compareFindings).slice(0, mostFindings)
    return {
      commit: base.commit,
      introduced: introduced.length,
      fixed: fixed.length,
      findings: findings.map((finding) => {
        const { path, line, kind, message } = finding
        const suggestion = finding.suggestion ?? suggest(finding)
        return { path, line, kind, severity: severityOf(finding), message, ...(suggestion ? { suggestion } : {}) }
      }),
      losses,
      coverage: { judged: coverage.judged, notJudged: coverage.notJudged },
    }
  } finally {
    checks.close()
  }
}

/** A file that the base has may have any name; a new one only a name that is safe everywhere. */
function toEdits(tree: Tree, files: readonly GivenText[]): readonly Edit[] {
  return files.map(({ path, text }, index) => {
    const entry = tree.entry(path)
    const problem = entry ? shapeProblem(path) : nameProblem(path)
    if (problem !== null) throw invalidInput(`#/files/${index}/path`, `cannot name a file: ${problem}`)
    if (entry && entry.kind !== 'file') throw invalidInput(`#/files/${index}/path`, 'is a link or a submodule')
    if (!entry && text === null)
      throw invalidInput(`#/files/${index}/path`, 'is not in the base, so it cannot be deleted')
    const mode = entry?.mode === '100755' ? '100755' : '100644'
    return { path, content: text === null ? null : new TextEncoder().encode(text), mode }
  })
}
