// The merged pull request of a job, and the addresses of the pages that it changed: those of the files, as the site of the
// repository serves them, and the failing pages that the runs of the job were given.

import { namesIn, openSites, readNamed } from '../../agent/tools/links/open-sites.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { listPulls, type PullsContext } from '../../forge/own/pulls.ts'
import type { PullResponse } from '../../forge/own/response.ts'
import { createOverlay } from '../../git/write/overlay.ts'
import { onceMore } from '../../lib/once-more.ts'
import type { Db } from '../../postgres/types.ts'
import type { NamedSite } from '../../sites/find-sites.ts'
import type { ChangeRange, DiffContext } from '../diff.ts'
import { parseGiven } from '../options/given.ts'
import { checkSettingsOf } from '../run/review/open-checks.ts'
import { getJob } from '../store.ts'
import { rangeOfPull } from './files.ts'
import { listHostedPulls } from './hosted.ts'

type Context = { readonly pulls: PullsContext; readonly jobs: DiffContext }
export type MergedPull = PullResponse & { readonly mergedAt: string }
type Sites = readonly NamedSite[]

/** More files of one pull request are not read. */
const mostFiles = 200

/** The one that was merged last. Throws `not_found` if the project has no such job. */
export async function findMergedPull(
  pulls: PullsContext,
  projectId: string,
  jobId: string,
): Promise<MergedPull | undefined> {
  const { id } = await getJob(pulls.db, projectId, jobId)
  const wanted = { jobId: id, merged: {} }
  const found = [
    ...(await listPulls(pulls, projectId, wanted)),
    ...(await listHostedPulls(pulls.db, projectId, wanted)),
  ]
  const merged = found.flatMap((pull) => (pull.mergedAt === null ? [] : [{ ...pull, mergedAt: pull.mergedAt }]))
  return merged.toSorted((a, b) => (a.mergedAt < b.mergedAt ? 1 : -1))[0]
}

/** Each once, those that runs were given first. Throws the errors of reading the repository. */
export async function findChangedPages(
  context: Context,
  projectId: string,
  { jobId, number }: Pick<PullResponse, 'jobId' | 'number'>,
): Promise<readonly string[]> {
  const { db } = context.pulls
  const project = await db.selectFrom('projects').select('checks').where('id', '=', projectId).executeTakeFirstOrThrow()
  const { sites } = checkSettingsOf(project)
  const changed = await onceMore(async () => {
    const range = await rangeOfPull(context, projectId, number)
    return range ? addressesIn(range, sites) : []
  })
  return [...new Set([...(await readGiven(db, jobId)), ...changed])]
}

async function readGiven(db: Db, jobId: string): Promise<readonly string[]> {
  const runs = db.selectFrom('runs').select('given_pages').where('job_id', '=', jobId)
  const rows = await runs.where('given_pages', 'is not', null).orderBy('number').execute()
  return rows.flatMap((row) => parseGiven(row.given_pages).map(({ path }) => path))
}

/** A page that the change deletes or moves has the address that it had before, too. */
async function addressesIn({ repository, from, to }: ChangeRange, sites: Sites): Promise<readonly string[]> {
  const files = await repository.changedFiles(from, to)
  const pages = files.filter(({ path, previousPath }) => isPagePath(path) || isPagePath(previousPath ?? ''))
  const some = pages.slice(0, mostFiles)
  const before = some.flatMap(({ path, previousPath, status }) => (status === 'deleted' ? path : (previousPath ?? [])))
  const after = some.flatMap(({ path, status }) => (status === 'deleted' ? [] : path))
  const addresses = [{ at: to, paths: after }, ...(before.length === 0 ? [] : [{ at: from, paths: before }])]
  const found = await Promise.all(addresses.map(({ at, paths }) => addressesAt(repository, at, { paths, sites })))
  return found.flat()
}

type Asked = { readonly paths: readonly string[]; readonly sites: Sites }

async function addressesAt(
  repository: ChangeRange['repository'],
  commit: string,
  { paths, sites }: Asked,
): Promise<readonly string[]> {
  const workspace = await createOverlay(repository, commit, [])
  const opened = await openSites({ workspace, sites })
  const found: string[] = []
  const files = new Set(opened.paths)
  for (const path of paths.filter((one) => files.has(one))) {
    const names = namesIn(opened, await readNamed(workspace, path))
    const base = opened.placeOf(path)?.site.base ?? ''
    if (names) found.push(`${base}${names.address}`)
  }
  return found
}
