// The warnings about what a forge did not accept beside a pull request: which ones, and what to do. They are no reason to
// fail a run.

import { forgeNames, type PullForge, type Refused } from '../../../forge/forge.ts'
import { plainText } from '../../../lib/plain-text.ts'

/** `projectId`: commands take it as it is. Returns one sentence for each kind. */
export function sayRefused(
  { labels, reviewers, assignees, milestone, autoMerge }: Refused,
  { forge, projectId }: { readonly forge: PullForge; readonly projectId: string },
): readonly string[] {
  const name = forgeNames[forge]
  const change = (option: string, value = 'NAME') => `docent project update ${projectId} --${option} ${value}`
  const reviewer = change('reviewer', hasNeither(forge) ? 'ID' : 'NAME')
  return [
    ...(labels.length === 0
      ? []
      : [`${name} did not add ${list(labels, 'label')}: ${labelAdvice(forge, change('label'))}`]),
    ...(reviewers.length === 0
      ? []
      : [
          `${name} did not ask ${list(reviewers, 'reviewer')}: ${reviewerAdvice(forge)}a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: ${reviewer}`,
        ]),
    ...(assignees.length === 0
      ? []
      : [
          `${name} did not assign ${list(assignees, 'account')}: ${hasNeither(forge) ? 'its pull requests have no assignees' : `an assignee needs access to the repository, and some forges take only one. Name others: ${change('assignee')}`}`,
        ]),
    ...(milestone === null
      ? []
      : [
          `${name} did not set ${list([milestone], 'milestone')}: ${hasNeither(forge) ? 'its pull requests have no milestones' : `open it there, or name another: ${change('milestone')}`}`,
        ]),
    ...(autoMerge === null ? [] : [`${name} will not merge the pull request by itself: ${plainText(autoMerge)}`]),
  ]
}

/** Assignees and milestones; people are named by ids there. */
function hasNeither(forge: PullForge): boolean {
  return forge === 'bitbucket' || forge === 'azure'
}

function reviewerAdvice(forge: PullForge): string {
  if (forge === 'bitbucket') return 'it knows people by the id in the address of their profile; '
  return forge === 'azure'
    ? 'it knows people by their id, which `az devops user show --user EMAIL --organization URL --query id` prints; '
    : ''
}

function labelAdvice(forge: PullForge, command: string): string {
  return forge === 'bitbucket' ? 'its pull requests have no labels' : `create it there, or name others: ${command}`
}

function list(names: readonly string[], noun: string): string {
  const words = names.map((name) => `"${plainText(name).replaceAll(/\s+/g, ' ')}"`).join(', ')
  return `the ${noun}${names.length === 1 ? '' : 's'} ${words}`
}
