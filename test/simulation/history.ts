// The branch of a repository, and what the simulation knows of each commit because it made it: no git is asked. People merge, push,
// revert and rewrite; the history by first parents is kept beside.

import type { TestRemote } from '../support/git-remote.ts'
import { writeRef } from '../support/bare-repository.ts'
import { changeTree, type Files, readCommit, writeObject } from '../support/git-objects.ts'

/** `hidden`: it concerns the docs, and only a model can see that. */
export type Kind = 'feature' | 'chore' | 'hidden' | 'docs' | 'published'
export type Commit = {
  readonly id: string
  readonly parent: string | undefined
  readonly kind: Kind
  readonly paths: readonly string[]
  /** The job that published it. */
  readonly job: string | undefined
}

export type Change = {
  readonly kind: Kind
  readonly files: Files
  readonly subject: string
  /** Below the subject. */
  readonly body?: string
  readonly job?: string
  /** As a merge of a branch, and not as one commit. */
  readonly isMerge: boolean
}

export type History = {
  readonly name: string
  readonly remote: TestRemote
  readonly first: string
  head(): string
  find(id: string): Commit
  /** By first parents: the commits after `from` up to `to`, the oldest first. */
  between(from: string | undefined, to: string): readonly Commit[]
  /** All after the first one. */
  all(): readonly Commit[]
  add(change: Change): Commit
  /** A commit that others have put on the head. */
  note(id: string, given: Pick<Commit, 'job' | 'kind' | 'paths'>): Commit
  rewind(count: number): void
  tag(name: string): void
}

/** `remote`: has one commit. */
export function createHistory(remote: TestRemote, name: string, now: () => Date): History {
  const { directory } = remote
  const commits = new Map<string, Commit>()
  const first = remote.head('main') ?? ''
  commits.set(first, { id: first, parent: undefined, kind: 'docs', paths: [], job: undefined })
  const state = { head: first }
  const find = (id: string): Commit => {
    const found = commits.get(id)
    if (!found) throw new Error(`${name} never had the commit ${id}`)
    return found
  }
  const write = (tree: string | null, parents: readonly string[], message: string) => {
    const person = `Ada <ada@example.com> ${Math.floor(now().getTime() / 1000)} +0000`
    const lines = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`), `author ${person}`, `committer ${person}`]
    return writeObject(directory, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`))
  }
  const moveTo = (id: string) => {
    state.head = id
    writeRef(directory, 'refs/heads/main', id)
  }
  const between = (from: string | undefined, to: string) => {
    const found: Commit[] = []
    for (let at: string | undefined = to; at !== undefined && at !== from; at = find(at).parent) found.push(find(at))
    return found.toReversed()
  }
  return {
    name,
    remote,
    first,
    head: () => state.head,
    find,
    between,
    all: () => between(first, state.head),
    add: ({ kind, files: changed, subject, body = '', job, isMerge }) => {
      const parent = state.head
      const tree = changeTree(directory, readCommit(directory, parent).tree, changed)
      const parents = isMerge ? [parent, write(tree, [parent], `Work for ${subject}`)] : [parent]
      const id = write(tree, parents, body === '' ? subject : `${subject}\n\n${body}`)
      const commit = { id, parent, kind, paths: Object.keys(changed), job }
      commits.set(id, commit)
      moveTo(id)
      return commit
    },
    note: (id, given) => {
      const commit = { id, parent: readCommit(directory, id).parents[0], ...given }
      commits.set(id, commit)
      state.head = id
      return commit
    },
    rewind: (count) => {
      const kept = between(undefined, state.head).at(-1 - count)
      moveTo(kept?.id ?? first)
    },
    tag: (tag) => writeRef(directory, `refs/tags/${tag}`, state.head),
  }
}
