// The groups of settings that say how changes are published: pull requests, and their commits.

import { deleteBranch, onFailedChecks, usualBranchPrefix } from '../../forge/publication.ts'
import type { SettingGroup } from './fields.ts'

export const publicationGroups = {
  pullRequest: {
    column: 'pull_request',
    description:
      "How pull requests are opened: as a draft or not, with which labels, reviewers, assignees and milestone, on branches with which names, under which titles; and how they end. Labels, accounts and milestones that the forge does not know are left out; they do not apply to Docent's own pull requests. `autoMerge` asks the forge to merge a pull request that is not a draft as soon as its own rules allow that. `deleteBranch` says when Docent deletes the branch: when it is `merged`, also two weeks after it was closed (`ended`), or `never`. `onFailedChecks`: with `fix`, checks of the forge that fail on a commit of a job are given to the agent with the last lines of their logs, once until a person acts; with `ignore`, people see to them.",
    help: '',
    fields: {
      draft: { kind: 'flag', option: 'draft', help: 'open pull requests as drafts' },
      labels: {
        kind: 'names',
        option: 'label',
        placeholder: 'name',
        help: 'labels of pull requests on the forge',
        item: 'The name of a label.',
        example: 'documentation',
      },
      reviewers: {
        kind: 'names',
        option: 'reviewer',
        placeholder: 'account',
        help: 'accounts on the forge to request reviews from',
        item: 'The name of an account.',
        example: 'octocat',
        isUnusual: true,
      },
      assignees: {
        kind: 'names',
        option: 'assignee',
        placeholder: 'account',
        help: 'accounts on the forge to assign pull requests to',
        item: 'The name of an account.',
        example: 'octocat',
        isUnusual: true,
      },
      milestone: {
        kind: 'line',
        option: 'milestone',
        placeholder: 'title',
        help: 'the milestone of pull requests on the forge',
        fallback: null,
        description: 'The title of an open milestone on the forge; null for none.',
        example: 'Docs 2',
      },
      autoMerge: {
        kind: 'flag',
        option: 'autoMerge',
        help: 'let the forge merge pull requests as soon as its rules allow it',
      },
      deleteBranch: {
        kind: 'choice',
        option: 'deleteBranch',
        placeholder: 'when',
        choices: deleteBranch,
        help: 'when the branch of a pull request is deleted; ended: also two weeks after it was closed',
      },
      onFailedChecks: {
        kind: 'choice',
        option: 'onFailedChecks',
        placeholder: 'what',
        choices: onFailedChecks,
        help: 'what follows when checks of the forge fail on a pull request; fix: the agent gets them once',
      },
      branchPrefix: {
        kind: 'line',
        option: 'branchPrefix',
        placeholder: 'prefix',
        help: 'the beginning of the names of branches',
        fallback: usualBranchPrefix,
        description:
          'The beginning of the names of branches: the id of the job follows. Branches that exist keep their names. null for the default.',
        example: usualBranchPrefix,
        isBranch: true,
      },
      titlePrefix: {
        kind: 'line',
        option: 'titlePrefix',
        placeholder: 'prefix',
        help: 'the beginning of the titles of pull requests, such as "docs: "',
        fallback: null,
        description:
          'The beginning of the titles of pull requests, with its space at the end; null for none. A title that begins so already stays.',
        example: 'docs: ',
      },
    },
  },
  commit: {
    column: 'commit',
    description:
      'The commits of jobs: the beginning of their first line, the `Signed-off-by` line of their author, and their author, who is also their committer.',
    help: '',
    fields: {
      prefix: {
        kind: 'line',
        option: 'commitPrefix',
        placeholder: 'prefix',
        help: 'the beginning of the first line of commits, such as "docs: "',
        fallback: null,
        description:
          'The beginning of the first line of commits, with its space at the end; null for none. A line that begins so already stays.',
        example: 'docs: ',
      },
      signOff: { kind: 'flag', option: 'signOff', help: 'end commits with a Signed-off-by line of their author' },
      author: {
        kind: 'person',
        option: 'commitAuthor',
        placeholder: 'author',
        help: 'the author of commits, such as "Acme Docs <docs@example.com>"; default: that of the service',
        example: { name: 'Acme Docs', email: 'docs@example.com' },
      },
    },
  },
} as const satisfies Readonly<Record<string, SettingGroup>>
