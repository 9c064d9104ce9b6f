// The tree that a run edits: a base commit and, in memory, the files that differ from it. It publishes nothing; only a
// search writes a draft commit, which no ref points to. Implements the agent's `Workspace` interface. A refused edit
// throws `path_refused` and changes nothing.

import { createLock } from '../cache/lock.ts'
import { blobId } from './blob-id.ts'
import { type Names, createNames } from './name-clashes.ts'
import { comparePaths, nameProblem, refusePath, shapeProblem } from './path.ts'
import { checkReadable, isLfsPointer } from '../read/tree.ts'
import type { Edit, Oid, Repository, SearchQuery, SearchResult, Tree, TreeEntry } from '../types.ts'

export interface Overlay {
  /** All entries in byte order of their paths. */
  list(): Promise<readonly Listed[]>
  read(path: string): Promise<Uint8Array | undefined>
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
  write(path: string, content: Uint8Array): Promise<void>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Returns the final state of every path that differs from the base, in byte order; the input of `commit`. */
  edits(): readonly Edit[]
  /** Returns the edits since the last call. All of them, replayed in order on the same base, give this overlay. */
  takeEdits(): readonly Edit[]
}

type Listed = Pick<TreeEntry, 'path' | 'kind' | 'size'>

type OverlaySource = Pick<Repository, 'tree' | 'commit' | 'maxFileBytes'>

type State = {
  readonly base: Tree
  readonly source: OverlaySource
  /** The files that differ from the base; content null: deleted. */
  readonly changes: Map<string, Edit>
  readonly untaken: Map<string, Edit>
  /** Created with the first edit. */
  names: Names | null
  /** The commit that holds the current state, for searches; null after an edit. */
  draft: Oid | null
}

/** `edits` are the results of earlier `takeEdits` calls, in order. */
export async function createOverlay(source: OverlaySource, base: Oid, edits: readonly Edit[]): Promise<Overlay> {
  const tree = await source.tree(base)
  const state: State = { base: tree, source, changes: new Map(), untaken: new Map(), names: null, draft: null }
  for (const edit of edits) apply(state, edit)
  state.untaken.clear()
  const lock = createLock()
  return {
    list: async () => list(state),
    read: (path) => read(state, path),
    search: (query, signal) => search(state, query, signal),
    // Runs edits one at a time, so that nothing changes between a check and its edit.
    write: (path, content) => lock(async () => await write(state, path, content)),
    move: (from, to) => lock(async () => await move(state, from, to)),
    remove: (path) => lock(async () => remove(state, path)),
    edits: () => sorted(state.changes),
    takeEdits: () => {
      const taken = sorted(state.untaken)
      state.untaken.clear()
      return taken
    },
  }
}

function list(state: State): readonly Listed[] {
  if (state.changes.size === 0) return state.base.entries()
  const kept = state.base.entries().filter((entry) => entry.kind === 'unnameable' || !state.changes.has(entry.path))
  const changed = sorted(state.changes).flatMap(({ path, content }) =>
    content === null ? [] : [{ path, kind: 'file' as const, size: content.length }],
  )
  return merge(kept, changed)
}

/** Merges two sorted lists: comparing bytes is expensive, and there are few changes. */
function merge(kept: readonly Listed[], changed: readonly Listed[]): Listed[] {
  const merged: Listed[] = []
  let next = 0
  for (const entry of changed) {
    let low = next
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comparePaths(kept[middle]?.path ?? '', entry.path) < 0) low = middle + 1
      else high = middle
    }
    merged.push(...kept.slice(next, low), entry)
    next = low
  }
  return [...merged, ...kept.slice(next)]
}

async function read(state: State, path: string): Promise<Uint8Array | undefined> {
  const change = state.changes.get(path)
  if (change === undefined) return await state.base.read(path)
  return change.content === null ? undefined : Uint8Array.from(change.content)
}

async function search(state: State, query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
  const { base, source } = state
  if (state.changes.size === 0) return await base.search(query, signal)
  const edits = sorted(state.changes)
  const draft =
    state.draft ?? (await source.commit({ parent: base.commit, edits, message: 'Draft', date: new Date(0) }))
  // An edit that arrived while the draft was written makes it stale.
  if (edits.length === state.changes.size && edits.every((edit) => state.changes.get(edit.path) === edit)) {
    state.draft = draft
  }
  return await (await source.tree(draft)).search(query, signal)
}

async function write(state: State, path: string, content: Uint8Array): Promise<void> {
  if (content.length > state.source.maxFileBytes) {
    refusePath(path, `the content has ${content.length} bytes, more than ${state.source.maxFileBytes}`)
  }
  const present = current(state, path)
  if (present === undefined) checkNew(state, path)
  else await checkWritable(state, path, present)
  const mode = present?.mode ?? baseMode(state, path)
  apply(state, { path, content: Uint8Array.from(content), mode })
}

async function move(state: State, from: string, to: string): Promise<void> {
  const present = fileAt(state, from)
  const content = await read(state, from)
  if (content === undefined) return refusePath(from, 'there is no file')
  if (current(state, to) !== undefined) refusePath(to, 'something is there already')
  const names = namesOf(state)
  // Frees the old name first: `a` may become `a/b`, or `A`.
  names.remove(from)
  const problem = nameProblem(to) ?? names.clash(to)
  names.add(from, 'file')
  if (problem !== null) refusePath(to, problem)
  apply(state, { path: from, content: null, mode: present.mode })
  apply(state, { path: to, content, mode: present.mode })
}

function remove(state: State, path: string): void {
  const { mode } = fileAt(state, path)
  apply(state, { path, content: null, mode })
}

/** Sets the file and replaces any previous edit. Keeps the edit only when it differs from the base. */
function apply(state: State, edit: Edit): void {
  const wasThere = current(state, edit.path) !== undefined
  const base = state.base.entry(edit.path)
  const isRestored =
    edit.content === null
      ? base === undefined
      : base?.mode === edit.mode && base.size === edit.content.length && base.oid === blobId(edit.content, base.oid)
  if (isRestored) state.changes.delete(edit.path)
  else state.changes.set(edit.path, edit)
  state.untaken.set(edit.path, edit)
  state.draft = null
  if (wasThere && edit.content === null) state.names?.remove(edit.path)
  if (!wasThere && edit.content !== null) state.names?.add(edit.path, 'file')
}

type Present = { readonly kind: TreeEntry['kind']; readonly size: number; readonly mode: Edit['mode'] }

function current(state: State, path: string): Present | undefined {
  const change = state.changes.get(path)
  if (change !== undefined) {
    return change.content === null ? undefined : { kind: 'file', size: change.content.length, mode: change.mode }
  }
  const entry = state.base.entry(path)
  return entry && { kind: entry.kind, size: entry.size, mode: baseMode(state, path) }
}

function baseMode(state: State, path: string): Edit['mode'] {
  return state.base.entry(path)?.mode === '100755' ? '100755' : '100644'
}

function fileAt(state: State, path: string): Present {
  const present = current(state, path)
  const problem = present === undefined ? (shapeProblem(path) ?? 'there is no file') : null
  if (present === undefined || problem !== null) return refusePath(path, problem ?? 'there is no file')
  checkReadable({ ...present, path }, Infinity)
  return present
}

/** Throws unless the name is free, or is one that the base already has. */
function checkNew(state: State, path: string): void {
  const isOldName = state.base.entry(path) !== undefined
  const problem = (isOldName ? shapeProblem(path) : nameProblem(path)) ?? namesOf(state).clash(path)
  if (problem !== null) refusePath(path, problem)
}

async function checkWritable(state: State, path: string, present: Present): Promise<void> {
  checkReadable({ ...present, path }, Infinity)
  const content = present.size < 1024 ? await read(state, path) : undefined
  if (content !== undefined && isLfsPointer(content)) {
    refusePath(path, 'it is kept in Git LFS; only a pointer to its content is in the repository')
  }
}

function namesOf(state: State): Names {
  if (state.names !== null) return state.names
  const names = createNames(state.base.entries())
  const changes = [...state.changes.values()]
  for (const { path } of changes) if (state.base.entry(path) !== undefined) names.remove(path)
  for (const { path, content } of changes) if (content !== null) names.add(path, 'file')
  state.names = names
  return names
}

function sorted(edits: ReadonlyMap<string, Edit>): Edit[] {
  return [...edits.values()].toSorted((a, b) => comparePaths(a.path, b.path))
}
