// Forks: copies of a repository that belong to the account of a credential, for accounts that may read the repository and
// not push to it. The rules are the same for every host that has forks.

import { Failure } from '../../lib/failure.ts'
import type { Reply } from '../client.ts'
import { type Asked, failureOf } from '../errors.ts'

export const visibilities = ['private', 'internal', 'public'] as const
export type Visibility = (typeof visibilities)[number]

/** A repository as its host describes it. `id` and `parentId` are those of the host; names may be given to others. */
export type ForkFacts = {
  readonly id: number
  /** null: it is no fork. */
  readonly parentId: number | null
  readonly visibility: Visibility
  readonly path: string
}

/** Throws `forge_right_missing` if the fork was made from another repository, or more people can see it. */
export function assertFork(upstream: ForkFacts, fork: ForkFacts, { name }: Pick<Asked, 'name'>): void {
  if (fork.parentId !== upstream.id) {
    const words = `${fork.path} is not a fork of ${upstream.path}, as ${name} says.`
    throw new Failure('forge_right_missing', `${words} Set the address of one, or make one.`)
  }
  if (visibilities.indexOf(fork.visibility) <= visibilities.indexOf(upstream.visibility)) return
  const words = `The fork ${fork.path} is ${fork.visibility}, and ${upstream.path} is ${upstream.visibility}.`
  throw new Failure('forge_right_missing', `${words} Nothing is pushed until no more people can see it.`)
}

/**
 * For a branch that could not be synchronised, because the fork has commits of its own there, or the host is too old. The
 * push that follows has the last word. Throws `forge_unavailable` and `forge_rate_limited`.
 */
export function ignoreRefusal(reply: Reply, asked: Asked): void {
  if (reply.kind !== 'response' || reply.status >= 500) throw failureOf(reply, asked)
}

/** The fork is there, and somebody else's: the account already has another repository of that name. */
export function nameTaken(path: string, { name }: Pick<Asked, 'name'>): Failure {
  const words = `${name} has a repository ${path} already, which is not a fork of this one.`
  return new Failure('forge_refused', `${words} Rename it, or make the fork by hand and set its address.`)
}
