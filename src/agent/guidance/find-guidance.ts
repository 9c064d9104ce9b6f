// Finds the notes for agents, and the guides for people who write, among the paths of a repository: at the usual places of
// each tool. Nested notes count for the folders of the pages; others are only named. Pure.

import { notesForAgents } from '../../sites/by-path/known-files.ts'
import { elsewhere } from '../../sites/names.ts'

/** In order of priority: what does not fit is left out from the end. Paths are relative to the place that notes are for. */
const noteFiles: readonly RegExp[] = [
  /^\.docent\/agents\.md$/i,
  /^agents\.md$/i,
  notesForAgents,
  /^claude\.md$/i,
  /^\.claude\/claude\.md$/i,
  /^\.claude\/rules\/(?:[^/]+\/){0,3}[^/]+\.md$/i,
  /^\.github\/copilot-instructions\.md$/i,
  /^\.cursor\/rules\/(?:[^/]+\/){0,3}[^/]+\.mdc?$/i,
  /^\.cursorrules$/i,
]
/** The guide for people; elsewhere such a page is part of the documentation. */
const contributing = /^(?:(?:\.github|docs)\/)?contributing\.md$/i
const folderNote = /\/(?:agents|claude)\.md$/i
const guide =
  /(?:^|\/)(?:contributing|style[-_ ]?guides?|writing[-_ ]?(?:guide|style)|documentation[-_ ]?guide|terminology)\.mdx?$|^(?:[^/]+\/)?(?:\.vale\.ini|\.prettierrc[^/]*|prettier\.config\.\w+|\.markdownlint[^/]*|\.remarkrc[^/]*|\.editorconfig|\.textlintrc[^/]*|\.?cspell[^/]*)$/i
const mostGiven = 24
const mostNamed = 50

export type GuidancePaths = {
  /** The notes that are given whole, by priority. */
  readonly given: readonly string[]
  /** Notes for agents about other folders. */
  readonly folderNotes: readonly string[]
  readonly guides: readonly string[]
}

/** `roots`: the folders of the pages. */
export function findGuidance(paths: readonly string[], roots: readonly string[]): GuidancePaths {
  const places = new Set(['', ...roots.flatMap(withParents)])
  const ours = paths.filter((path) => !elsewhere.test(path))
  const ranked = ours.flatMap((path) => {
    const rank = rankOf(path, places)
    return rank === -1 ? [] : [{ path, rank, depth: path.split('/').length }]
  })
  const given = ranked
    .toSorted((a, b) => a.rank - b.rank || a.depth - b.depth || compare(a.path, b.path))
    .slice(0, mostGiven)
    .map(({ path }) => path)
  const isGiven = new Set(given)
  const others = ours.filter((path) => !isGiven.has(path))
  return {
    given,
    folderNotes: others.filter((path) => folderNote.test(path)).slice(0, mostNamed),
    guides: byDepth(others.filter((path) => guide.test(path))).slice(0, mostNamed),
  }
}

function rankOf(path: string, places: ReadonlySet<string>): number {
  if (contributing.test(path)) return noteFiles.length
  for (let slash = path.lastIndexOf('/'); ; slash = path.lastIndexOf('/', slash - 1)) {
    const place = slash === -1 ? '' : path.slice(0, slash)
    const name = slash === -1 ? path : path.slice(slash + 1)
    const rank = places.has(place) ? noteFiles.findIndex((pattern) => pattern.test(name)) : -1
    if (rank !== -1 || slash <= 0) return rank
  }
}

function withParents(folder: string): string[] {
  const parts = folder.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function byDepth(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => a.split('/').length - b.split('/').length || compare(a, b))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
