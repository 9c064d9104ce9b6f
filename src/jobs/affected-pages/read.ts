// Answers which pages a change concerns, for a project: the change is in one of its sources, or in its own repository.

import type { GroupSettings } from '../../projects/setting-groups.ts'
import type { FactsReader } from '../../checks/facts/reader.ts'
import type { Git, Oid, Past } from '../../git/types.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { checkSettingsOf } from '../run/review/open-checks.ts'
import { createIsVisible } from '../sources/visible.ts'
import { rankAffected } from './rank.ts'

export type AffectedContext = {
  readonly db: Db
  readonly git: Git
  readonly facts: Pick<FactsReader, 'keptIn' | 'hold'>
}

/** `source` undefined: the repository of the documentation. `from` and `to`: tags, branches, commits, dates or `last-tag`. */
export type AffectedQuestion = {
  readonly source: string | undefined
  readonly from: string
  readonly to: string | undefined
  readonly limit: number
}

export type AffectedPages = {
  readonly concernsDocs: boolean
  readonly score: number
  /** The commits between which the change is. */
  readonly from: string
  readonly to: string
  readonly pages: readonly { readonly path: string; readonly score: number; readonly terms: readonly string[] }[]
}

/** Throws `not_found` for another project or source, `invalid_input` for a name of no commit, and the errors of a fetch. */
export async function readAffected(
  context: AffectedContext,
  projectId: string,
  question: AffectedQuestion,
  signal: AbortSignal,
): Promise<AffectedPages> {
  const { db, git, facts } = context
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const repository = git.repository(project.id, project.repository, project.fork)
  const { base } = await repository.fetch({ branch: project.branch, branches: [] }, signal)
  const place =
    question.source === undefined
      ? { past: repository, at: base.commit, isVisible: () => true, isDocs: true }
      : await openSource(context, project, question.source, signal)
  const from = await findNamed(place, question.from, '#/query/from', signal)
  const to = question.to === undefined ? place.at : await findNamed(place, question.to, '#/query/to', signal)
  const sites = sitesOf(project)
  const docs = { repository, commit: base.commit, sites, facts }
  const { concernsDocs, score, pages } = await rankAffected(docs, { ...place, from, to }, signal)
  return { concernsDocs, score, from, to, pages: pages.slice(0, question.limit).map(toShown) }
}

function toShown({ path, score, terms }: AffectedPages['pages'][number]) {
  return { path, score, terms }
}

function sitesOf(project: ProjectRow): GroupSettings['checks']['sites'] {
  return checkSettingsOf(project).sites
}

type Place = { readonly past: Past; readonly at: Oid }

async function openSource({ db, git }: AffectedContext, { id }: ProjectRow, name: string, signal: AbortSignal) {
  const query = db.selectFrom('sources').selectAll().where('project_id', '=', id).where('name', '=', name)
  const row = await query.executeTakeFirst()
  if (!row) throw new Failure('not_found', 'The project has no such source.')
  const past = git.source(row.id, row.repository)
  const isVisible = createIsVisible(JSON.parse(row.paths) as readonly string[])
  const { commit } = await past.fetch({ branch: row.branch, isVisible }, signal)
  return { past, at: commit, isVisible, isDocs: false }
}

/** The commit that a name in a request means. Throws `invalid_input`. */
export async function findNamed(
  { past, at }: Pick<Place, 'past' | 'at'>,
  name: string,
  pointer: string,
  signal: AbortSignal,
): Promise<Oid> {
  const found = await past.resolve(name, at, signal)
  if (found !== undefined) return found
  if (name === 'last-tag')
    throw invalidInput(pointer, 'is `last-tag`, but the repository has no tag: name a commit, a branch or a date')
  throw invalidInput(pointer, 'must be a tag, a branch, a commit, a date or `last-tag` of the repository')
}
