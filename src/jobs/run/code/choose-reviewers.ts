// Who reviews a change of the documentation that follows code: the people whose pull requests brought the code. Pure.

import type { MergedPull, PullAuthor } from '../../../forge/authors/merged-pulls.ts'

/** The most of one pull request, with those that the project names for all of its pull requests. */
const mostReviewers = 3

export type Asked = {
  /** Names as the host knows them: of the settings of the project, and of earlier runs. */
  readonly names: readonly string[]
  /** The login of the account that opens the pull request; null: not known. */
  readonly account: string | null
}

/** `ask`: as the host names them. `others`: the logins of those for whom no room was left. */
export type Chosen = { readonly ask: readonly string[]; readonly others: readonly string[] }

/** `isInsider`: may the author be asked? Outsiders, bots and the account itself are in neither list. */
export function chooseReviewers(
  authors: readonly PullAuthor[],
  isInsider: (author: PullAuthor) => boolean,
  { names, account }: Asked,
): Chosen {
  const before = new Set(names.map(toKey))
  const people = findPeople(authors, account).filter((one) => !before.has(toKey(one.reviewer)) && isInsider(one))
  const asked = people.filter((_, at) => before.size + at < mostReviewers)
  const others = people.slice(asked.length)
  return { ask: asked.map(({ reviewer }) => reviewer), others: others.map(({ login }) => login) }
}

/** Each once. Logins are the same in any case. */
export function findPeople(authors: readonly PullAuthor[], account: string | null): readonly PullAuthor[] {
  const own = account === null ? undefined : toKey(account)
  const people = authors.filter((one) => !one.isBot && toKey(one.login) !== own && toKey(one.reviewer) !== own)
  const first = new Map<string, PullAuthor>()
  for (const one of people) if (!first.has(toKey(one.reviewer))) first.set(toKey(one.reviewer), one)
  return [...first.values()]
}

export function authorsOf(pulls: readonly MergedPull[]): readonly PullAuthor[] {
  return pulls.flatMap(({ author }) => author ?? [])
}

function toKey(name: string): string {
  return name.toLowerCase()
}
