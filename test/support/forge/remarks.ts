// The words of people and checks on the pull requests of a loopback forge, the same for all hosts. The routes of
// each forge translate this into its words.

export type Remark = {
  readonly id: number
  readonly kind: 'comment' | 'review' | 'line'
  readonly number: number
  readonly login: string
  text: string
  readonly path: string
  readonly line: number
  /** A review has `APPROVED`, `CHANGES_REQUESTED` or `COMMENTED`. */
  state: string
  /** Whether people have resolved the thread that a comment on a line begins. */
  isResolved: boolean
  /** The review of a comment on a line. */
  readonly review: number
  /** Each as `eyes docent[bot]`. */
  readonly reactions: string[]
  readonly createdAt: string
  updatedAt: string
}

/** An issue on GitHub or Gitea. Its number is no number of a pull request. */
export type Issue = { readonly number: number; readonly title: string; readonly body: string; readonly login: string }

export type Verdict = {
  readonly id: number
  readonly kind: 'check' | 'status'
  readonly commit: string
  readonly name: string
  readonly state: string
  /** The log of the job that wrote it; null: another service wrote it. */
  readonly log: string | null
  readonly createdAt: string
}

/** A status that the service set. */
export type SetStatus = {
  readonly commit: string
  readonly context: string
  readonly state: string
  readonly text: string
  readonly url: string | null
  readonly login: string
}

export type NewRemark = Partial<Pick<Remark, 'login' | 'text' | 'path' | 'line' | 'state'>>

export type NewVerdict = { readonly name?: string; readonly state?: string; readonly log?: string | null }

export type Remarks = ReturnType<typeof createRemarks>

export function createRemarks(world: { readonly date: () => string }) {
  const all: Remark[] = []
  const removed: Remark[] = []
  const verdicts: Verdict[] = []
  const statuses: SetStatus[] = []
  const asked: string[] = []
  let last = 7_000
  const add = (kind: Remark['kind'], number: number, given: NewRemark & { readonly review?: number }): Remark => {
    last += 1
    const plain = { login: 'ada', text: 'Please.', path: 'docs/index.md', line: 1, state: 'COMMENTED', review: 0 }
    const times = { createdAt: world.date(), updatedAt: world.date() }
    const remark = { ...plain, ...given, id: last, kind, number, isResolved: false, reactions: [], ...times }
    all.push(remark)
    return remark
  }
  const find = (id: number): Remark => {
    const found = all.find((one) => one.id === id)
    if (!found) throw new Error(`there is no remark ${id}`)
    return found
  }
  const issues: Issue[] = []
  return {
    all,
    /** Bitbucket and Azure DevOps still show them, without their words. */
    removed,
    issues,
    isOnIssue: ({ number }: Pick<Remark, 'number'>) => issues.some((one) => one.number === number),
    verdicts,
    /** All that were set, the last one at the end. */
    statuses,
    /** The logins that may push. */
    writers: new Set(['ada']),
    /** The logins whose permission was asked for. */
    asked,
    comment: (number: number, given: NewRemark = {}) => add('comment', number, given).id,
    /** With comments on lines, which belong to it. */
    review: (number: number, given: NewRemark = {}, lines: readonly NewRemark[] = []) => {
      const { id } = add('review', number, given)
      for (const line of lines) add('line', number, { ...given, ...line, review: id })
      return id
    },
    edit: (id: number, text: string) => {
      Object.assign(find(id), { text, updatedAt: world.date() })
    },
    resolve: (id: number) => {
      find(id).isResolved = true
    },
    react: (id: number, reaction: string) => {
      const { reactions } = find(id)
      const isNew = !reactions.includes(reaction)
      if (isNew) reactions.push(reaction)
      return isNew
    },
    find,
    remove: (id: number) => {
      const [gone] = all.splice(all.indexOf(find(id)), 1)
      if (gone) removed.push({ ...gone, text: '', updatedAt: world.date() })
    },
    verdict: (kind: Verdict['kind'], commit: string, given: NewVerdict = {}) => {
      last += 1
      const { name = 'build', state = 'success', log = null } = given
      verdicts.push({ id: last, kind, commit, name, state, log, createdAt: world.date() })
      return last
    },
    setStatus: (status: SetStatus): number => statuses.push(status),
    /** Undefined: there is no such log. */
    logOf: (id: unknown) => verdicts.find((one) => one.id === Number(id))?.log ?? undefined,
    /** The last opinion of each account about a pull request. */
    opinions: (number: number): readonly Remark[] => {
      const opinions = all.filter((one) => one.number === number && one.kind === 'review' && one.state !== 'COMMENTED')
      return [...new Map(opinions.map((one) => [one.login, one])).values()]
    },
    of: (number: number, kind: Remark['kind']) => all.filter((one) => one.number === number && one.kind === kind),
    on: (commit: string, kind: Verdict['kind']) =>
      verdicts.filter((one) => one.commit === commit && one.kind === kind).toReversed(),
  }
}

export function byChange(one: Remark, other: Remark): number {
  return one.updatedAt === other.updatedAt ? one.id - other.id : one.updatedAt < other.updatedAt ? -1 : 1
}
