// Checks the model of the service with one small request, like a turn. A key in the environment is used here; a stored one
// only by the running service, which can decrypt it.

import { modelProblem, parseModelId } from '../../agent/model/model-id.ts'
import { openModel } from '../../agent/model/providers.ts'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import type { ModelKeyCheck } from '../../models/check.ts'
import { isServed } from '../../service/socket.ts'
import { openSocketApi } from '../api/api.ts'
import type { StoredModelKey } from './data.ts'
import { failed, type Finding, ok, skipped, warning } from './finding.ts'

const modelMs = 60_000
const todo = failureTodo()

export async function checkModel(
  config: Config,
  stored: readonly StoredModelKey[],
  isWanted: boolean,
): Promise<Finding> {
  const { id } = config.model
  if (id === 'docent/rules') return ok('model', `${id} is built in and understands a few kinds of instructions`)
  const problem = modelProblem(id, config.model)
  const provider = parseModelId(id)?.provider
  if (problem !== null && !stored.some((key) => key.provider === provider)) {
    return failed('model', `${id} cannot be used: it ${problem}`, todo)
  }
  if (!isWanted) return skipped('model', `${id} was not checked`)
  if (problem === null) return askModel(config)
  if (await isServed(config)) return askService(config, id, provider ?? '')
  return skipped('model', `the key of ${id} is stored: start the service to check it`)
}

/** Names the stored keys; undefined if there is no stored key. */
export function describeModelKeys(stored: readonly StoredModelKey[]): Finding | undefined {
  if (stored.length === 0) return undefined
  const bad = stored.filter(({ problem }) => problem !== null)
  if (bad.length === 0) return ok('model keys', `stored for ${stored.map(({ provider }) => provider).join(', ')}`)
  const says = bad.map(({ provider, problem }) => `${provider}: ${problem}`).join('; ')
  return warning('model keys', says, 'Enter the key again: docent model key set PROVIDER --key-file FILE')
}

async function askService(config: Config, id: string, provider: string): Promise<Finding> {
  try {
    const path = `/v1/model-keys/${provider}/check?model=${encodeURIComponent(id)}`
    const { body } = await openSocketApi(config).send('POST', path)
    const { problem, inputTokens, outputTokens } = JSON.parse(body) as ModelKeyCheck
    if (problem !== null) return failed('model', problem, todo)
    return ok('model', `${id} responds with the stored key (${inputTokens} + ${outputTokens} tokens)`)
  } catch (error) {
    return fail(toFailure(error))
  }
}

async function askModel({ model }: Config): Promise<Finding> {
  const { id } = model
  const request = {
    instructions: 'You are asked whether you can be reached.',
    messages: [{ role: 'user' as const, content: 'Answer with the one word: yes' }],
    tools: [],
  }
  const start = performance.now()
  try {
    const { usage } = await openModel(id, model, systemClock).respond(request, AbortSignal.timeout(modelMs))
    const ms = Math.round(performance.now() - start)
    return ok('model', `${id} responds in ${ms} ms (${usage.inputTokens} + ${usage.outputTokens} tokens)`)
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return fail(isLate ? new Failure('model_unavailable', `${id} did not respond in time.`) : toFailure(error))
  }
}

function fail(failure: Failure): Finding {
  return failed('model', failure.message, failure.meaning.todo)
}

function failureTodo(): string {
  return new Failure('model_not_configured', '').meaning.todo
}
