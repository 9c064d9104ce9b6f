// Tells the problems that a change fixed from those that it only hid: a page that is deleted or no longer parses shows no
// problems, and fewer pages with a field no longer make it expected of the others.

import type { CheckResult } from './check-tree.ts'
import type { Finding, FindingKind } from './finding.ts'

type Checked = Pick<CheckResult, 'index' | 'parts' | 'findings'>

type Change = {
  readonly before: Checked
  readonly after: Checked
  /** The new path of each file that the change moved. */
  readonly moves: ReadonlyMap<string, string>
}

/** The kinds that a configuration that does not parse hides. */
const ofSite: readonly FindingKind[] = ['navigation', 'unlisted', 'redirect', 'field']

/** `gone`: the problems that only the base has. */
export function findFixed(gone: readonly Finding[], { before, after, moves }: Change): readonly Finding[] {
  const factsIn = ({ index, parts }: Checked, path: string) => index.page(path)?.facts ?? parts.get(path)
  const unparsed = (checked: Checked) => checked.findings.filter(({ kind }) => kind === 'config').length
  const isBlind = unparsed(after) > unparsed(before)
  return gone.filter(({ kind, path, target }) => {
    if (isBlind && ofSite.includes(kind)) return false
    const was = factsIn(before, path)
    if (was === undefined) return true
    const is = factsIn(after, moves.get(path) ?? path)
    if (is === undefined) return false
    if (kind === 'field') return is.frontmatter?.names.includes(target) === true
    return (is.problem === null && !is.frontmatter?.problem) || was.problem !== null
  })
}
