// What the service needs from outside: the repositories, the model, and that its public address leads to it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openModel } from '../../agent/model/providers.ts'
import type { Config } from '../../config/config.ts'
import { openGit } from '../../git/git.ts'
import type { Git } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import { gitOptions } from '../../service/engines.ts'
import type { Project } from './data.ts'
import { failed, type Finding, fromFailure, ok, skipped, warning } from './finding.ts'
import { checkGit } from './machine.ts'

const repositoryMs = 30_000
const modelMs = 60_000
const addressMs = 5_000
/** Asked at the same time. */
const probesAtOnce = 4

/** Git itself, and each repository by `ls-remote`, with the very settings that runs have; it writes nothing anywhere. */
export async function checkRepositories(config: Config, projects: readonly Project[]): Promise<readonly Finding[]> {
  const directory = await mkdtemp(join(tmpdir(), 'docent-doctor-'))
  try {
    const git = await openGit({ ...gitOptions(config, createLog('silent')), directory })
    try {
      const waiting = [...projects]
      const findings: Finding[] = []
      const work = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) findings.push(await probe(git, one))
      }
      await Promise.all(Array.from({ length: probesAtOnce }, work))
      return [checkGit(git.version), ...findings]
    } finally {
      await git.close()
    }
  } catch (error) {
    return [fromFailure('git', toFailure(error))]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function probe(git: Git, { id, repository, branch }: Project): Promise<Finding> {
  const about = `repository of ${id}`
  try {
    const found = await git.repository(id, repository).probe(branch, AbortSignal.timeout(repositoryMs))
    if (found.commit !== null) return ok(about, `${repository} can be read; ${found.branch} is at ${found.commit}`)
    const missing = branch === null ? 'has no default branch' : `has no branch ${branch}`
    return failed(about, `${repository} ${missing}`, 'Push a first commit, or set the base branch of the project.')
  } catch (error) {
    return fromFailure(
      about,
      isTimeout(error) ? new Failure('repository_unreachable', 'It took too long.') : toFailure(error),
    )
  }
}

/** One small request, as a turn would make it. */
export async function checkModel(config: Config, isWanted: boolean): Promise<Finding> {
  const { id } = config.model
  if (id === 'docent/rules') return ok('model', `${id}, built in: it understands a few kinds of instructions`)
  if (!isWanted) return skipped('model', `${id} was not asked`)
  const request = {
    instructions: 'You are asked whether you can be reached.',
    messages: [{ role: 'user' as const, content: 'Answer with the one word: yes' }],
    tools: [],
  }
  const start = performance.now()
  try {
    const { usage } = await openModel(id, config.model, systemClock).answer(request, AbortSignal.timeout(modelMs))
    const ms = Math.round(performance.now() - start)
    return ok('model', `${id} answers in ${ms} ms (${usage.inputTokens} + ${usage.outputTokens} tokens)`)
  } catch (error) {
    const failure = isTimeout(error)
      ? new Failure('model_unavailable', `${id} gave no answer in time.`)
      : toFailure(error)
    return failed('model', failure.message, failure.meaning.todo)
  }
}

export async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const about = 'public address'
  const { publicUrl, host } = config
  if (publicUrl === undefined) {
    if (isLoopback(host)) return [ok(about, `not set: links lead to ${host}, which is this machine`)]
    const todo = 'Set DOCENT_PUBLIC_URL to the address that clients use.'
    return [warning(about, `not set, and the service listens on ${host}: links lead there`, todo)]
  }
  const { protocol, hostname } = new URL(publicUrl)
  const findings = [await reach(publicUrl)]
  if (protocol === 'http:' && !isLoopback(hostname)) {
    findings.push(
      warning(about, `${publicUrl} is not https: keys travel in the clear`, 'Put a proxy with TLS in front.'),
    )
  }
  if (protocol === 'https:' && 'hops' in config.trustedProxies && config.trustedProxies.hops === 0) {
    const todo = 'Set DOCENT_TRUSTED_PROXIES=1, or the addresses of the proxies.'
    findings.push(warning(about, 'it is behind a proxy that is not trusted: clients have its address in the log', todo))
  }
  return findings
}

async function reach(publicUrl: string): Promise<Finding> {
  const about = 'public address'
  try {
    const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(addressMs), redirect: 'manual' })
    const isOurs = response.ok && response.headers.get('X-Request-Id')?.startsWith('req_') === true
    if (isOurs) return ok(about, `${publicUrl} leads to the service`)
    const todo = 'Check that the proxy passes it on, with the path taken off.'
    return warning(about, `${publicUrl}/healthz answers ${response.status}, and not as Docent does`, todo)
  } catch {
    const todo = 'Start the service and the proxy, or check the name; from this machine it may be out of reach.'
    return warning(about, `nothing answers at ${publicUrl}`, todo)
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.startsWith('127.')
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
