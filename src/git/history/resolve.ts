// Finds the commit that a person or a model means with a name. Names are matched against lists, and never handed to git as
// they are.

import { failureOf, git, type Mirror } from '../cache/mirror.ts'
import { isDone } from '../transport/run.ts'
import type { Oid, RemoteRefs } from '../types.ts'
import { branchProblem } from '../write/refname.ts'

const timeoutMs = 10_000
const mostScanned = 200_000

/** `bring`: fetches the commit of a tag that is in the history of no branch here, if the host gives it. */
export type ResolveContext = {
  readonly mirror: Mirror
  readonly tags: RemoteRefs['tags']
  readonly bring?: ((commit: Oid, signal: AbortSignal) => Promise<unknown>) | undefined
}

export async function resolveName(
  { mirror, tags, bring }: ResolveContext,
  name: string,
  at: Oid,
  signal: AbortSignal,
): Promise<Oid | undefined> {
  if (name === 'last-tag') return await findLastTag({ mirror, tags }, at, signal)
  const tagged = [...tags].find(([, names]) => names.includes(name))?.[0]
  if (tagged !== undefined) {
    if ((await mirror.objects.read(tagged)) === undefined) await bring?.(tagged, signal)
    return await presentCommit(mirror, tagged)
  }
  const branch = branchProblem(name) === null ? await mirror.objects.branch(name) : undefined
  if (branch !== undefined) return await presentCommit(mirror, branch)
  if (/^[0-9a-f]{7,40}$/i.test(name)) return await findById(mirror, name.toLowerCase())
  return await findByDate(mirror, name, at, signal)
}

/** The first in the order of dates; a date is what a committer wrote. */
async function findLastTag({ mirror, tags }: ResolveContext, at: Oid, signal: AbortSignal): Promise<Oid | undefined> {
  if (tags.size === 0) return undefined
  const state: { rest: string; found?: Oid } = { rest: '' }
  const onData = (chunk: Buffer) => {
    const lines = (state.rest + chunk.toString('latin1')).split('\n')
    state.rest = lines.pop() ?? ''
    const found = lines.find((line) => tags.has(line))
    if (found !== undefined) state.found ??= found
    return found === undefined
  }
  const args = ['rev-list', `--max-count=${mostScanned}`, '--end-of-options', at]
  const result = await mirror.runner.run({ args, gitDir: mirror.gitDir, timeoutMs, onData }, signal)
  if (!isDone(result) && result.ended !== 'enough') throw failureOf(mirror, result, { args })
  return state.found
}

async function findById(mirror: Mirror, digits: string): Promise<Oid | undefined> {
  if (digits.length === 40) return await presentCommit(mirror, digits)
  const found = (await git(mirror, { args: ['rev-parse', `--disambiguate=${digits}`] })).toString('latin1').trim()
  const commits = await Promise.all(found.split('\n', 20).map((oid) => presentCommit(mirror, oid)))
  const [commit, ...others] = commits.filter((oid) => oid !== undefined)
  return others.length === 0 ? commit : undefined
}

async function presentCommit(mirror: Mirror, oid: Oid): Promise<Oid | undefined> {
  if (!/^[0-9a-f]{40}$/.test(oid)) return undefined
  const found = await mirror.objects.read(oid)
  return found?.type === 'commit' ? oid : undefined
}

async function findByDate(mirror: Mirror, name: string, at: Oid, signal: AbortSignal): Promise<Oid | undefined> {
  const date = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/.test(name) ? new Date(name) : new Date(NaN)
  if (Number.isNaN(date.getTime())) return undefined
  const before = `--before=@${Math.floor(date.getTime() / 1_000) - 1}`
  const found = await git(mirror, { args: ['rev-list', '--max-count=1', before, '--end-of-options', at] }, signal)
  return found.toString('latin1').trim() || undefined
}
