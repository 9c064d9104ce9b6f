// Introduces a run to its repository: the brief, and the repository's own notes for agents. They are made once, before the
// first turn is stored, from the mirror alone. Notes come from the base branch, so that a branch cannot instruct itself.

import { type Brief, briefNotice } from '../../../agent/guidance/brief.ts'
import { findGuidance, type GuidancePaths } from '../../../agent/guidance/find-guidance.ts'
import { type Guidance, guidanceMessages } from '../../../agent/guidance/guidance.ts'
import type { ModelMessage } from '../../../agent/model/types.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { Oid, PastCommit, Tree } from '../../../git/types.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { checkSettingsOf } from '../review/open-checks.ts'
import { budgetOf, type RunPart } from '../context.ts'
import type { Prepared } from '../prepare.ts'
import { findGenerated } from './generated-parts.ts'
import { countBy, surveyTree } from './survey.ts'

/** Larger files are ignored; the messages contain the beginning of smaller ones. */
const maxGuidanceBytes = 1_000_000
/** Tags on older commits are not found. */
const maxHistory = 2_000

/** `earlier`: the turns that the model sees before this run. */
export async function introduce(
  context: RunPart<'project' | 'repository', 'budget' | 'clock' | 'redactor'>,
  prepared: Prepared,
  earlier: readonly Turn[],
): Promise<readonly ModelMessage[]> {
  const { repository, deps, project } = context
  const tree = await repository.tree(prepared.start)
  const base = await repository.tree(prepared.base.commit)
  const survey = await surveyTree(tree, checkSettingsOf(project).sites)
  const paths = findGuidance(
    base.entries().map(({ path }) => path),
    survey.roots,
  )
  const history = await repository.history(prepared.base.commit, maxHistory)
  const brief: Brief = {
    today: deps.clock.now(),
    repository: nameOf(project.repository),
    base: { ...prepared.base, date: (await repository.commitFacts(prepared.base.commit)).date },
    lastTag: history && findLastTag(history, prepared.tags),
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
function findLastTag(history: readonly PastCommit[], tags: ReadonlyMap<Oid, readonly string[]>): Brief['lastTag'] {
  const tagged = history.find(({ commit }) => tags.has(commit))
  const named = tags.get(tagged?.commit ?? '') ?? []
  const name = named.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return name === undefined ? undefined : { name, date: tagged?.date }
}

/** `acme/docs` for `https://example.com/acme/docs.git`. */
function nameOf(address: string): string {
  return address
    .replace(/\/+$|(?:\.git)?\/*$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
}
