// Saved segments: filters of page views under a name. Their counters are sealed with those of all page views.

import { createId } from '../../../lib/id.ts'
import { Failure } from '../../../lib/failure.ts'
import type { SegmentRow } from '../../../postgres/schema.ts'
import type { Db } from '../../../postgres/types.ts'
import { type Filters, keyOfFilters } from './filters.ts'

export type Segment = {
  readonly id: string
  readonly name: string
  readonly filters: Filters
  readonly createdAt: string
}

/** Each is counted for all windows, and again when one changes. */
export const mostSegments = 20

export type NewSegment = { readonly projectId: string; readonly name: string; readonly filters: Filters }

/** Throws `segment_exists` and `too_many_segments`. */
export async function createSegment(db: Db, { projectId, name, filters }: NewSegment): Promise<Segment> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
    const known = await listSegments(trx, projectId)
    if (known.some((one) => isSameName(one.name, name))) {
      throw new Failure('segment_exists', `The project has a segment "${name}" already.`)
    }
    if (known.length >= mostSegments) {
      throw new Failure('too_many_segments', `A project has at most ${mostSegments} segments.`)
    }
    const row = await trx
      .insertInto('segments')
      .values({
        id: createId('seg'),
        project_id: projectId,
        name,
        filters: JSON.stringify(filters),
        created_at: new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSegment(row)
  })
}

/** By name. */
export async function listSegments(db: Db, projectId: string): Promise<readonly Segment[]> {
  const rows = await db.selectFrom('segments').selectAll().where('project_id', '=', projectId).orderBy('name').execute()
  return rows.map(toSegment)
}

/** The filters of the segments of all projects, by project. */
export async function readSegments(db: Db): Promise<ReadonlyMap<string, readonly Filters[]>> {
  const rows = await db.selectFrom('segments').selectAll().orderBy('created_at').execute()
  const byProject = Map.groupBy(rows, (row) => row.project_id)
  return new Map(Array.from(byProject, ([id, some]) => [id, some.map((row) => toSegment(row).filters)]))
}

/** Throws `not_found`. Page views stay. */
export async function deleteSegment(db: Db, projectId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('segments')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('not_found', 'There is no such segment in this project.')
}

/** `name`: a name, or an id. */
export function findSegment<One extends Pick<Segment, 'id' | 'name'>>(all: readonly One[], name: string) {
  return all.find((one) => one.id === name || isSameName(one.name, name))
}

/** `names`: names or ids. Throws `invalid_input` if there is no such segment. */
export function filtersOfSegments(segments: readonly Segment[], names: readonly string[]): Filters {
  return names.flatMap((name) => {
    const found = findSegment(segments, name)
    if (!found)
      throw new Failure('invalid_input', `\`segment\` must be the id or the name of a segment of the project.`)
    return found.filters
  })
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function keysOfSegments(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.map(({ filters }) => keyOfFilters(filters)))
}

function toSegment({ id, name, filters, created_at: createdAt }: SegmentRow): Segment {
  return { id, name, filters: JSON.parse(filters) as Filters, createdAt: createdAt.toISOString() }
}
