// Checks what the service needs from outside: the model, and its public address.

import { openModel } from '../../agent/model/providers.ts'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { failed, type Finding, ok, skipped, warning } from './finding.ts'

const modelMs = 60_000
const addressMs = 5_000

/** Sends one small request, like a turn. */
export async function checkModel(config: Config, isWanted: boolean): Promise<Finding> {
  const { id } = config.model
  if (id === 'docent/rules') return ok('model', `${id} is built in and understands a few kinds of instructions`)
  if (!isWanted) return skipped('model', `${id} was not checked`)
  const request = {
    instructions: 'You are asked whether you can be reached.',
    messages: [{ role: 'user' as const, content: 'Answer with the one word: yes' }],
    tools: [],
  }
  const start = performance.now()
  try {
    const { usage } = await openModel(id, config.model, systemClock).answer(request, AbortSignal.timeout(modelMs))
    const ms = Math.round(performance.now() - start)
    return ok('model', `${id} responds in ${ms} ms (${usage.inputTokens} + ${usage.outputTokens} tokens)`)
  } catch (error) {
    const failure = isTimeout(error)
      ? new Failure('model_unavailable', `${id} did not respond in time.`)
      : toFailure(error)
    return failed('model', failure.message, failure.meaning.todo)
  }
}

export async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const about = 'public address'
  const { publicUrl, host } = config
  if (publicUrl === undefined) {
    if (isLoopback(host)) return [ok(about, `not set: links lead to ${host}, which only this machine can reach`)]
    const todo = 'Set DOCENT_PUBLIC_URL to the address that clients use.'
    return [warning(about, `not set, and the service listens on ${host}: links lead there`, todo)]
  }
  const { protocol, hostname } = new URL(publicUrl)
  const findings = [await reach(publicUrl)]
  if (protocol === 'http:' && !isLoopback(hostname)) {
    findings.push(
      warning(
        about,
        `${publicUrl} is not https: keys are sent unencrypted`,
        'Put a TLS proxy in front of the service.',
      ),
    )
  }
  if (protocol === 'https:' && 'hops' in config.trustedProxies && config.trustedProxies.hops === 0) {
    const todo = 'Set DOCENT_TRUSTED_PROXIES to 1, or to the addresses of the proxies.'
    findings.push(
      warning(
        about,
        'the proxy in front of the service is not trusted: the log shows its address instead of those of clients',
        todo,
      ),
    )
  }
  return findings
}

async function reach(publicUrl: string): Promise<Finding> {
  const about = 'public address'
  try {
    const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(addressMs), redirect: 'manual' })
    const isOurs = response.ok && response.headers.get('X-Request-Id')?.startsWith('req_') === true
    if (isOurs) return ok(about, `${publicUrl} leads to the service`)
    const todo = 'Check that the proxy forwards requests to the service and removes the path prefix.'
    return warning(about, `${publicUrl}/healthz responds with ${response.status}, and not from Docent`, todo)
  } catch {
    const todo = 'Start the service and the proxy, and check the host name. This machine may be unable to reach it.'
    return warning(about, `nothing responds at ${publicUrl}`, todo)
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.startsWith('127.')
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
