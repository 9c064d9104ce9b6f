// Decides whether a job may change a path, and by which rule. Pure. Knows nothing about the change or the tree.

import { createFileGlobMatcher } from '../../docs-syntax/file-glob.ts'
import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { collisionKey } from '../../git/write/path.ts'
import type { PathGlobs } from '../../projects/settings.ts'
import { foldPath } from './fold-path.ts'
import { newNameProblem } from './never.ts'
import { findProtection } from './protected.ts'
import { createSiteFileOf } from './site-code.ts'
import type { Finding } from './verdict.ts'

export const pathRules = ['never', 'deny', 'protected', 'allow', 'unprotect', 'shown', 'default'] as const

export type PathVerdict = {
  readonly path: string
  readonly result: 'allowed' | 'protected' | 'denied'
  readonly rule: (typeof pathRules)[number]
  /** The glob that decided; null if no glob matched. */
  readonly glob: string | null
  /** The rule in words, which continue a sentence that begins with the path. */
  readonly message: string
}

type Verdict = Omit<PathVerdict, 'path'>

/** The globs of the policy, and the scope of the job; empty: everything that the policy allows. */
export type JobPaths = PathGlobs & { readonly scope: readonly string[] }

/** Without the pages of a repository, which only make more data files known. */
const siteFileOf = createSiteFileOf([])

/** Judges paths by the rules of this policy, as if the repository did not contain them yet. */
export function createPathJudge(policy: PathGlobs): (path: string) => PathVerdict {
  const judge = createRules(policy)
  return (path) => ({ path, ...(neverRule(path) ?? judge(path)) })
}

/** Judges a path that may be in the repository. */
export function createFindingOf(policy: JobPaths): (path: string) => Finding | undefined {
  const judge = createRules(policy)
  const isInScope = policy.scope.length === 0 ? () => true : createGlobMatcher(policy.scope.flatMap(toGlobs))
  return (path) => {
    const { result, message } = judge(path)
    if (result === 'allowed') return isInScope(path) ? undefined : outsideOfScope(path)
    const kind = result === 'protected' ? 'protected' : 'denied'
    return { kind, path, line: null, message, remedy: remedyOf(kind, path) }
  }
}

function outsideOfScope(path: string): Finding {
  const message = 'is outside of the scope of the automation'
  const remedy = 'a person may widen the scope of the automation (`docent automation set --scope`)'
  return { kind: 'denied', path, line: null, message, remedy }
}

/** Judges paths without `never`, which depends on the tree. */
export function createRules({ allow, deny, unprotect }: PathGlobs): (path: string) => Verdict {
  const denying = deny.map((glob) => ({ glob, matches: createDenyMatcher(glob) }))
  const allowing = toRules(allow, (glob) => createGlobMatcher(toGlobs(glob)))
  const unprotecting = toRules(unprotect, (glob) => createFileGlobMatcher([glob]))
  return (path) => {
    const denied = denying.find(({ matches }) => matches(path))
    if (denied) return refuse('deny', denied.glob, `is refused: it matches ${denied.glob} of \`pathPolicy.deny\``)
    const protection = findProtection(path)
    const unprotected = protection && unprotecting.find(({ matches }) => matches(path))
    if (protection && !unprotected) {
      return { ...refuse('protected', protection.glob, `is protected: ${protection.what}`), result: 'protected' }
    }
    const allowed = allowing.find(({ matches }) => matches(path))
    if (allow.length > 0 && !allowed)
      return refuse('allow', null, 'is refused: no glob of `pathPolicy.allow` matches it')
    return accept(path, unprotected?.glob, allowed?.glob)
  }
}

function accept(path: string, unprotected: string | undefined, allowed: string | undefined): Verdict {
  const accepted = (rule: Verdict['rule'], glob: string | null, why: string): Verdict => {
    return { result: 'allowed', rule, glob, message: `is allowed: ${why}` }
  }
  if (unprotected !== undefined) {
    return accepted('unprotect', unprotected, `it matches ${unprotected} of \`pathPolicy.unprotect\``)
  }
  const { kind } = siteFileOf(path)
  if (kind === 'code' || kind === 'tool') {
    return accepted('shown', null, 'a pull request that changes it is a draft that says so')
  }
  if (kind !== 'read') return accepted('shown', null, 'a pull request that adds code to it is a draft that says so')
  if (allowed !== undefined) return accepted('allow', allowed, `it matches ${allowed} of \`pathPolicy.allow\``)
  return accepted('default', null, 'no rule refuses it')
}

function refuse(rule: Verdict['rule'], glob: string | null, message: string): Verdict {
  return { result: 'denied', rule, glob, message }
}

function neverRule(path: string): Verdict | undefined {
  const problem = newNameProblem(path)
  return problem === null ? undefined : refuse('never', null, `may never be written: ${problem}`)
}

/** Creates the matchers once per policy, not once per path. */
function toRules(globs: readonly string[], toMatcher: (glob: string) => (path: string) => boolean) {
  return globs.map((glob) => ({ glob, matches: toMatcher(glob) }))
}

/** A denied path is also denied in another case or Unicode form, because it may be the same file. */
function createDenyMatcher(glob: string): (path: string) => boolean {
  const plain = toGlobs(glob)
  const asWritten = createGlobMatcher(plain)
  const folded = createGlobMatcher(plain.map(collisionKey))
  return (path) => asWritten(path) || folded(foldPath(path))
}

function remedyOf(kind: 'protected' | 'denied', path: string): string {
  if (kind === 'denied')
    return 'a person may change `pathPolicy` of the project (`docent project update --allow, --deny`)'
  return `a person may allow it with \`pathPolicy.unprotect\` of the project (\`docent project update --unprotect ${JSON.stringify(path)}\`)`
}
