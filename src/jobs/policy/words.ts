// Formats findings as text: for the agent, for the error of a job, and for the first line of a pull request.

import { Failure } from '../../lib/failure.ts'
import { inlineCode, shorten } from '../../lib/plain-text.ts'
import type { JobPaths } from './judge-path.ts'
import type { Finding, FindingKind } from './verdict.ts'

const mostShown = 10

/** Formats a finding as `docs/a.md line 3 has a token of GitHub`. */
export function sayFinding({ path, line, message }: Finding): string {
  return `${shorten(path, 300)}${line === null ? '' : ` line ${line}`} ${message}`
}

/** Explains why the change is refused; undefined if there are no findings. */
export function sayRefused(refused: readonly Finding[]): string | undefined {
  if (refused.length === 0) return undefined
  const more = refused.length > mostShown ? `; and ${refused.length - mostShown} more` : ''
  const remedies = [...new Set(refused.slice(0, mostShown).flatMap(({ remedy }) => remedy ?? []))].slice(0, 3)
  const words = refused.slice(0, mostShown).map(sayFinding).join('; ')
  return [`the path policy of the project refuses the change: ${words}${more}`, ...remedies].join('; ')
}

/** Creates the failure `policy_refused`, with a detail for each finding. */
export function refusedFailure(refused: readonly Finding[]): Failure {
  const details = refused.map((finding) => ({
    message: finding.remedy === null ? sayFinding(finding) : `${sayFinding(finding)}; ${finding.remedy}`,
    pointer: `#/${finding.path.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }))
  return new Failure('policy_refused', `Nothing was published: ${sayRefused(refused) ?? 'the policy refuses it'}.`, {
    details,
  })
}

/** Returns the first lines of a pull request, in Markdown; undefined if there is nothing to show. */
export function sayShown(shown: readonly Finding[]): string | undefined {
  const lines = shownGroups.flatMap(({ kinds, title, advice }) => {
    const places = sayPlaces(shown.filter((finding) => kinds.some((kind) => kind === finding.kind)))
    return places === undefined ? [] : [`**${title}:** ${places}. ${advice}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n\n')
}

const shownGroups: readonly {
  readonly kinds: readonly FindingKind[]
  readonly title: string
  readonly advice: string
}[] = [
  {
    kinds: ['never', 'protected', 'denied', 'secret', 'content'],
    title: 'The policy refuses what an earlier run or a person added',
    advice: 'It is still on the branch.',
  },
  {
    kinds: ['deletion'],
    title: 'This deletes pages',
    advice: 'Check that nobody needs them before you merge.',
  },
  {
    kinds: ['code'],
    title: 'This changes code that runs when the site is built',
    advice: 'Read it before you merge or build it.',
  },
  {
    kinds: ['file'],
    title: 'This changes files that tools read, and readers do not',
    advice: 'Find out what reads them before you merge.',
  },
  {
    kinds: ['redirect'],
    title: 'This sends readers to other hosts',
    advice: 'Check that they are yours before you merge.',
  },
  {
    kinds: ['include'],
    title: 'This inserts other files into pages',
    advice: 'Check that readers may see them before you merge.',
  },
  {
    kinds: ['page'],
    title: 'This adds code to pages',
    advice: 'Read it before you merge or build it.',
  },
  {
    kinds: ['attempt'],
    title: 'The model tried what the policy refuses',
    advice: 'None of it is in the change: read its instructions.',
  },
]

function sayPlaces(shown: readonly Finding[]): string | undefined {
  if (shown.length === 0) return undefined
  const more = shown.length > mostShown ? `, and ${shown.length - mostShown} more` : ''
  const places = shown.slice(0, mostShown).map(({ path, line, message }) => {
    return `${inlineCode(path)}${line === null ? '' : ` line ${line}`} ${message}`
  })
  return `${places.join(', ')}${more}`
}

/** Describes the policy for the agent; undefined when the project has no rules of its own. */
export function describePolicy({ allow, deny, unprotect, scope }: JobPaths): string | undefined {
  if ([allow, deny, unprotect, scope].every((globs) => globs.length === 0)) return undefined
  const within = scope.length === 0 ? '' : ` This job may only change what fits one of these: ${scope.join(' ')} .`
  const only = allow.length === 0 ? '' : ` Change only what fits one of these globs: ${allow.join(' ')} .`
  const never = deny.length === 0 ? '' : ` Never change what fits one of these: ${deny.join(' ')} .`
  const may = unprotect.length === 0 ? '' : ` These protected files may be changed: ${unprotect.join(' ')} .`
  return `The project has a path policy.${only}${within}${never}${may}`
}
