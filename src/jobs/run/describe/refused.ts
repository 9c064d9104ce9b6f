// The warnings about labels and reviewers that a forge did not accept: which ones, and what to do. They are no reason to
// fail a run.

import { forgeNames, type PullForge, type Refused } from '../../../forge/forge.ts'
import { plainText } from '../../../lib/plain-text.ts'

/** `projectId`: commands take it as it is. Returns one sentence for labels, and one for reviewers. */
export function sayRefused(
  { labels, reviewers }: Refused,
  { forge, projectId }: { readonly forge: PullForge; readonly projectId: string },
): readonly string[] {
  const name = forgeNames[forge]
  const change = (option: string) => `docent project update ${projectId} --${option} NAME`
  return [
    ...(labels.length === 0
      ? []
      : [`${name} did not add ${list(labels, 'label')}: create it there, or name others: ${change('label')}`]),
    ...(reviewers.length === 0
      ? []
      : [
          `${name} did not ask ${list(reviewers, 'reviewer')}: a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: ${change('reviewer')}`,
        ]),
  ]
}

function list(names: readonly string[], noun: string): string {
  const words = names.map((name) => `"${plainText(name).replaceAll(/\s+/g, ' ')}"`).join(', ')
  return `the ${noun}${names.length === 1 ? '' : 's'} ${words}`
}
