// The form in which a change reaches the host: the name of the branch, the message of the commit, and its author. Runs of
// jobs, the setup check and a comparison with the rules of a host ask here. Pure.

export const usualBranchPrefix = 'docent/'

export type Person = { readonly name: string; readonly email: string }

export type PullSettings = {
  readonly draft: boolean
  readonly labels: readonly string[]
  readonly reviewers: readonly string[]
  readonly assignees: readonly string[]
  /** Its title. */
  readonly milestone: string | null
  /** Whether the forge merges it by itself, when its own rules allow that. */
  readonly autoMerge: boolean
  readonly deleteBranch: DeleteBranch
  readonly onFailedChecks: OnFailedChecks
  /** In front of the ids of jobs, in the names of branches. */
  readonly branchPrefix: string
  /** In front of the titles of pull requests. */
  readonly titlePrefix: string | null
}

/** When the branch of a pull request is deleted. `ended`: when it is merged, and two weeks after it was closed. */
export const deleteBranch = ['merged', 'ended', 'never'] as const
export type DeleteBranch = (typeof deleteBranch)[number]

/** Whether the agent gets the checks of the forge that fail on a pull request. */
export const onFailedChecks = ['ignore', 'fix'] as const
type OnFailedChecks = (typeof onFailedChecks)[number]

export type CommitSettings = {
  /** In front of the first line. */
  readonly prefix: string | null
  /** Whether the last line is `Signed-off-by`, with the author. */
  readonly signOff: boolean
  /** null: the author of the service. */
  readonly author: Person | null
}

/** Columns of a project, as JSON. A missing value is the default. */
export type PublicationColumns = { readonly pull_request: string; readonly commit: string }

export function pullSettingsOf({ pull_request: stored }: Pick<PublicationColumns, 'pull_request'>): PullSettings {
  return { ...pullDefaults, ...(JSON.parse(stored) as Partial<PullSettings>) }
}

export function commitSettingsOf({ commit: stored }: Pick<PublicationColumns, 'commit'>): CommitSettings {
  return { ...commitDefaults, ...(JSON.parse(stored) as Partial<CommitSettings>) }
}

const pullDefaults: PullSettings = {
  draft: false,
  labels: [],
  reviewers: [],
  assignees: [],
  milestone: null,
  autoMerge: false,
  deleteBranch: 'merged',
  onFailedChecks: 'ignore',
  branchPrefix: usualBranchPrefix,
  titlePrefix: null,
}
const commitDefaults: CommitSettings = { prefix: null, signOff: false, author: null }

export type PublicationInput = {
  readonly project: PublicationColumns
  /** The author of commits for which the project names nobody. */
  readonly service: Person
  readonly branch: string
  /** The first line without its prefix, the text, and the trailers before that of the author. */
  readonly commit: { readonly title: string; readonly text?: string; readonly trailers?: readonly string[] }
}

export type Publication = {
  readonly branch: string
  readonly message: string
  readonly author: Person
  readonly committer: Person
}

/** The same input always gives the same publication, so a commit can be made again. */
export function publicationOf({ project, service, branch, commit }: PublicationInput): Publication {
  const { prefix, signOff, author: named } = commitSettingsOf(project)
  const author = named ?? service
  const { title, text = '', trailers = [] } = commit
  const signed = signOff ? [`Signed-off-by: ${author.name} <${author.email}>`] : []
  const parts = [withPrefix(prefix, title), text.trim(), [...trailers, ...signed].join('\n')].filter(
    (part) => part !== '',
  )
  return { branch, message: `${parts.join('\n\n')}\n`, author, committer: author }
}

/** A text that begins with the prefix, in any case, gets no second one, but the first as rules want it. */
export function withPrefix(prefix: string | null, text: string): string {
  if (prefix === null) return text
  const begin = prefix.trimEnd()
  if (!text.toLowerCase().startsWith(begin.toLowerCase())) return `${prefix}${text}`
  const rest = text.slice(begin.length)
  return `${prefix}${begin === prefix ? rest : rest.trimStart()}`
}

export type SignOff = {
  readonly author: Person
  /** The kind of the credential; null: the project has no credential. */
  readonly kind: string | null
  /** The account that pushes. */
  readonly account: string | null
  /** Its addresses. Undefined: the host does not say. */
  readonly emails: readonly string[] | undefined
}

/** Only who pushes may sign off. Explains why that is another than the author, without a full stop, or returns null. */
export function signOffProblem({ author, kind, account, emails }: SignOff): string | null {
  if (kind === 'github_app') return 'a GitHub App cannot sign off, because it is not a person'
  if (kind === null) return 'the project has no credential, so nobody is known to push'
  if (account === null || emails === undefined) return 'the host does not say to which account the credential belongs'
  if (emails.some((email) => email.toLowerCase() === author.email.toLowerCase())) return null
  const known =
    emails.length === 0 ? 'whose addresses the host does not show' : `with the address ${emails.join(' or ')}`
  return `their author is ${author.name} <${author.email}>, and the credential belongs to ${account}, ${known}`
}
