// The versions of the windows of each project, in memory, in a process that owns its store: its own writes change them, so
// no query has to ask the store for them. A window is still when no page view of it was written since its version was read.
// A process that shares its store reads the versions for every query.

import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { readAllWindows, readWindows, type Rested, type WindowVersion } from '../query/version.ts'
import type { PageView } from '../../page-view.ts'

/** The writes of this process to one window. */
type Writes = {
  count: number
  underway: number
  first: number
  last: number
  /** Undefined: it was rewritten since, or its version was not known when it was written. */
  rested: Rested | undefined
}

type Project = {
  /** Undefined: not read yet, or rewritten since. */
  versions: Map<string, { readonly version: WindowVersion; readonly writes: number }> | undefined
  readonly writes: Map<string, Writes>
  /** Rewrites that began, and those under way. */
  rewrites: number
  rewriting: number
}

const stores = new WeakMap<ClickHouse, Map<string, Project>>()
/** Versions that only this process knows never equal those of another one, or of a later start. */
const start = randomUUID()

function projectsOf(store: ClickHouse): Map<string, Project> {
  const known = stores.get(store) ?? new Map<string, Project>()
  stores.set(store, known)
  return known
}

function projectOf(store: ClickHouse, id: string): Project {
  const projects = projectsOf(store)
  const known = projects.get(id)
  if (known) return known
  const project: Project = { versions: undefined, writes: new Map(), rewrites: 0, rewriting: 0 }
  projects.set(id, project)
  return project
}

/** The windows of a project with everything that was written before the call. */
export async function knownWindows(
  store: ClickHouse,
  projectId: string,
  signal?: AbortSignal,
): Promise<readonly WindowVersion[]> {
  if (!store.isOwned) return readWindows(store, projectId, signal)
  const project = projectOf(store, projectId)
  if (project.versions && project.rewriting === 0) return present(project)
  const before = snapshot(project)
  const found = await readWindows(store, projectId, signal)
  if (project.rewriting > 0 || project.rewrites !== before.rewrites) return found
  project.versions = new Map()
  learn(project, before, found)
  return present(project)
}

/**
 * Reads the versions of all projects again, so that windows that rest are known to be still. `differs` is called for a window
 * whose page views changed although this process did not write them.
 */
export async function refreshWindows(
  store: ClickHouse,
  differs: (version: ProjectWindow) => void = () => undefined,
): Promise<readonly ProjectWindow[]> {
  const before = new Map(
    projectsOf(store)
      .entries()
      .map(([id, project]) => [id, snapshot(project)]),
  )
  const found = await readAllWindows(store)
  for (const [id, some] of Map.groupBy(found, ({ projectId }) => projectId)) {
    const [project, then] = [projectsOf(store).get(id), before.get(id)]
    if (!project?.versions || !then || project.rewriting > 0 || project.rewrites !== then.rewrites) continue
    for (const version of some) if (isOther(project, then, version)) differs(version)
    learn(project, then, some)
  }
  return found
}

/** Versions of before are not comparable any more. */
export function forgetVersions(store: ClickHouse): void {
  for (const project of projectsOf(store).values()) {
    project.rewrites += 1
    project.versions = undefined
    for (const one of project.writes.values()) one.rested = undefined
  }
}

type Snapshot = { readonly rewrites: number; readonly writes: ReadonlyMap<string, number> }

function snapshot({ rewrites, writes }: Project): Snapshot {
  const settled = writes.entries().filter(([, { underway }]) => underway === 0)
  return { rewrites, writes: new Map(settled.map(([window, { count }]) => [window, count])) }
}

type ProjectWindow = Awaited<ReturnType<typeof readAllWindows>>[number]

/** Is it another one than before, although no page view of the window was written? */
function isOther({ versions, writes }: Project, before: Snapshot, { window, views, sums }: WindowVersion): boolean {
  const known = versions?.get(window)
  const count = writes.get(window)?.count ?? 0
  if (!known || known.writes !== count || (before.writes.get(window) ?? 0) !== count) return false
  return known.version.views !== views || known.version.sums !== sums
}

/** A window that was written meanwhile is not still: its version fits no number of writes. */
function learn({ versions, writes }: Project, before: Snapshot, found: readonly WindowVersion[]): void {
  for (const version of found) {
    const now = writes.get(version.window)
    const then = now === undefined ? 0 : (before.writes.get(version.window) ?? -1)
    versions?.set(version.window, { version, writes: then })
  }
}

function present(project: Project): readonly WindowVersion[] {
  const { versions = new Map() as NonNullable<Project['versions']>, writes } = project
  const still = [...versions.keys()].flatMap((window) => stillVersion(project, window) ?? [])
  const moving = writes.entries().flatMap(([window, { count, first, last, rested }]) => {
    if (stillVersion(project, window)) return []
    const seen = versions.get(window)
    const times = {
      first: Math.min(first, seen?.version.first ?? first),
      last: Math.max(last, seen?.version.last ?? last),
    }
    return [
      {
        window,
        views: seen?.version.views ?? '0',
        sums: `${start}-${count}`,
        ...times,
        isMoving: true as const,
        rested,
      },
    ]
  })
  return [...still, ...moving]
}

/** Undefined: page views of the window were written since its version was read, or it was not read. */
function stillVersion({ versions, writes }: Project, window: string): WindowVersion | undefined {
  const [seen, now] = [versions?.get(window), writes.get(window)]
  return now === undefined || (now.count === seen?.writes && now.underway === 0) ? seen?.version : undefined
}

/** True if this process wrote page views of the window since its start. */
export function isWritten(store: ClickHouse, projectId: string, window: string): boolean {
  return store.isOwned && projectOf(store, projectId).writes.has(window)
}

/**
 * A number that each write to the window changes, when it begins and when it ends; undefined while one is under way. If it is the
 * same after rows were read, they were all there and no others.
 */
export function writesOf(store: ClickHouse, projectId: string, window: string): number | undefined {
  const { count = 0, underway = 0 } = projectOf(store, projectId).writes.get(window) ?? {}
  return underway === 0 ? count : undefined
}

/** Call it before page views are written; the function that it returns, when they are stored or have failed. */
export function beginWrite(store: ClickHouse, views: readonly PageView[]): () => void {
  if (!store.isOwned) return () => undefined
  const touched = new Set<Writes>()
  for (const { projectId, saltWindow, time } of views) {
    const project = projectOf(store, projectId)
    const known = project.writes.get(saltWindow) ?? {
      count: 0,
      underway: 0,
      first: time,
      last: time,
      rested: undefined,
    }
    if (!touched.has(known)) {
      const version = stillVersion(project, saltWindow)
      if (version) known.rested = { views: version.views, sums: version.sums, until: time }
      project.writes.set(saltWindow, known)
      touched.add(known)
    }
    known.first = Math.min(known.first, time)
    known.last = Math.max(known.last, time)
    if (known.rested && time < known.rested.until) known.rested = { ...known.rested, until: time }
  }
  const move = (by: number) => {
    for (const one of touched) {
      one.count += 1
      one.underway += by
    }
  }
  move(1)
  return () => move(-1)
}

/** Call it before page views of a project are changed or deleted; the function that it returns, afterwards. */
export function beginRewrite(store: ClickHouse, projectId: string): () => void {
  if (!store.isOwned) return () => undefined
  const project = projectOf(store, projectId)
  const move = (by: number) => {
    project.rewrites += 1
    project.rewriting += by
    project.versions = undefined
    for (const one of project.writes.values()) one.rested = undefined
  }
  move(1)
  return () => move(-1)
}
