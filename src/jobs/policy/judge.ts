// Judges the paths and secrets of a whole change against the policy of a project. Pure: maps the tree
// before the change and the change to findings.

import type { Edit } from '../../git/types.ts'
import { createFindingOf, type JobPaths } from './judge-path.ts'
import { type BaseNames, findNever } from './never.ts'
import { findNewSecrets } from './secrets.ts'
import type { Finding } from './verdict.ts'

/** The previous contents of the changed paths that were files. */
export type Before = ReadonlyMap<string, Uint8Array>

export type JudgedChange = {
  readonly policy: JobPaths
  readonly base: BaseNames
  readonly before: Before
  /** At most one edit per path. */
  readonly edits: readonly Edit[]
}

/** Returns the findings that refuse the change. */
export function judgeChange({ policy, base, before, edits }: JudgedChange): readonly Finding[] {
  const never = findNever(base, edits)
  const named = new Set(never.map(({ path }) => path))
  const findingOf = createFindingOf(policy)
  const paths = edits.flatMap(({ path }) => (named.has(path) ? [] : (findingOf(path) ?? [])))
  return [...never, ...paths, ...findSecretsIn(before, edits)]
}

export function findSecretsIn(before: Before, edits: readonly Edit[]): readonly Finding[] {
  const texts = new Map<Uint8Array, string>()
  return edits.flatMap(({ path, content }) => {
    if (content === null) return []
    const text = decode(content)
    if (findNewSecrets(text, []).length === 0) return []
    for (const old of before.values()) if (!texts.has(old)) texts.set(old, decode(old))
    return findNewSecrets(text, [...texts.values()]).map(({ name, line }) => {
      return { kind: 'secret', path, line, message: `has ${name}`, remedy: placeholderRemedy, isGrave: true } as const
    })
  })
}

const placeholderRemedy = 'write a placeholder such as `<token>` or `xxxxxxxx` in its place; no setting allows a secret'

const decoder = new TextDecoder()

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
