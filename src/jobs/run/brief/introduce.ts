// Introduces a run to its repository: the brief, and the repository's own notes for agents. They are made once, before the
// first turn is stored, from the mirror alone. Notes come from the base branch, so that a branch cannot instruct itself.

import { type Brief, briefNotice, type SourceBrief } from '../../../agent/guidance/brief.ts'
import { findGuidance, type GuidancePaths } from '../../../agent/guidance/find-guidance.ts'
import { type Guidance, guidanceMessages } from '../../../agent/guidance/guidance.ts'
import type { ModelMessage } from '../../../agent/model/types.ts'
import type { Sources } from '../../../agent/sources.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { Oid, PastCommit, Repository, Tree } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { checkSettingsOf } from '../review/open-checks.ts'
import type { RunSource } from '../../sources/run-sources.ts'
import { repositoryName } from '../../sources/repository-name.ts'
import { budgetOf, type RunPart } from '../context.ts'
import type { Prepared } from '../prepare.ts'
import { findGenerated } from './generated-parts.ts'
import { countBy, surveyTree } from './survey.ts'

/** Larger files are ignored; the messages contain the beginning of smaller ones. */
const maxGuidanceBytes = 1_000_000
/** Tags on older commits are not found. */
const maxHistory = 2_000
const mostChanges = 5
/** A brief does not wait longer for them. */
const changesMs = 2_000

type Known = {
  /** The turns that the model sees before this run. */
  readonly earlier: readonly Turn[]
  readonly sources: Sources
}

export async function introduce(
  context: RunPart<'project' | 'repository' | 'signal', 'budget' | 'clock' | 'redactor'>,
  prepared: Prepared,
  { earlier, sources }: Known,
): Promise<readonly ModelMessage[]> {
  const { repository, deps, project } = context
  const tree = await repository.tree(prepared.start)
  const base = await repository.tree(prepared.base.commit)
  const survey = await surveyTree(tree, checkSettingsOf(project).sites)
  const paths = findGuidance(
    base.entries().map(({ path }) => path),
    survey.roots,
  )
  const brief: Brief = {
    today: deps.clock.now(),
    repository: repositoryName(project.repository),
    base: { ...prepared.base, date: (await repository.commitFacts(prepared.base.commit)).date },
    ...(await describePast(context, prepared, survey.roots)),
    sources: await Promise.all(prepared.sources.flatMap((one) => describeSource(one, sources))),
    missingSources: sources.missing,
    sites: survey.sites,
    folders: countBy(tree.entries().map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : ''))),
    guides: paths.guides,
    folderNotes: paths.folderNotes,
    generated: await findGenerated(tree, survey.mainPages),
    budget: budgetOf(context),
  }
  const guidance = mapStrings(await readGuidance(base, paths), deps.redactor.hide)
  return [mapStrings(briefNotice(brief), deps.redactor.hide), ...guidanceMessages(guidance, earlier)]
}

/** Nothing of it as long as the history has not arrived: a brief never waits for it. */
async function describePast(
  { repository, signal }: RunPart<'repository' | 'signal', never>,
  { base, tags }: Prepared,
  roots: readonly string[],
): Promise<Pick<Brief, 'lastTag' | 'sinceTag' | 'changes'>> {
  const history = await repository.history(base.commit, maxHistory)
  if (!history) return { lastTag: undefined, sinceTag: undefined, changes: [] }
  const lastTag = findLastTag(history, tags)
  const sinceTag = lastTag && (await repository.countMissing(base.commit, lastTag.commit, signal))
  return { lastTag, sinceTag, changes: await readChanges(repository, { to: base.commit, roots }, signal) }
}

type Changed = { readonly to: Oid; readonly roots: readonly string[] }

/** The last changes of the documentation; those of the repository if it is in several folders. Without them after two seconds. */
async function readChanges(
  repository: Repository,
  { to, roots }: Changed,
  signal: AbortSignal,
): Promise<Brief['changes']> {
  const [root = ''] = roots.length === 1 ? roots : []
  const query = { to, path: root === '' ? undefined : root, limit: mostChanges, isVisible: () => true }
  try {
    return (await repository.log(query, AbortSignal.any([signal, AbortSignal.timeout(changesMs)]))).commits
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure || (error instanceof Error && error.name === 'TimeoutError')) return []
    throw error
  }
}

function describeSource(
  { name, repository, branch, commit }: RunSource,
  { present }: Sources,
): readonly Promise<SourceBrief>[] {
  const source = present.find((one) => one.name === name)
  if (!source || commit === null) return []
  const about = { name, repository: repositoryName(repository), branch: branch ?? '', commit }
  return [source.files.list().then((files) => ({ ...about, files: files.length }))]
}

async function readGuidance(base: Tree, { given }: GuidancePaths): Promise<readonly Guidance[]> {
  const found: Guidance[] = []
  for (const path of given) {
    const entry = base.entry(path)
    if (entry?.kind !== 'file' || entry.size > maxGuidanceBytes) continue
    const bytes = await base.read(path)
    if (bytes) found.push({ path, text: new TextDecoder().decode(bytes) })
  }
  return found
}

/** The tag on the newest tagged commit; of several, the one with the highest version. */
function findLastTag(history: readonly PastCommit[], tags: ReadonlyMap<Oid, readonly string[]>) {
  const tagged = history.find(({ commit }) => tags.has(commit))
  const named = tags.get(tagged?.commit ?? '') ?? []
  const name = named.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return name === undefined || !tagged ? undefined : { name, ...tagged }
}
