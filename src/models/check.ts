// Checks the key of a provider: requests the shortest possible response from one of its models. The result is stored with
// the key, so that the list of keys shows it.

import { type ModelProvider, parseModelId } from '../agent/model/model-id.ts'
import { cheapestModel } from '../agent/model/prices.ts'
import { Failure, invalidInput, toFailure } from '../lib/failure.ts'
import { isUsed, type ModelsContext, openConfigured } from './settings.ts'

export type ModelKeyCheck = {
  readonly provider: ModelProvider
  /** The model that was used for the check. */
  readonly model: string
  /** Why the model did not respond; null if it did. */
  readonly problem: string | null
  readonly inputTokens: number
  readonly outputTokens: number
}

const deadlineMs = 30_000

/**
 * `model` is the model to use, such as `openai/gpt-5.4`. Default: the model of the service if the provider has it, otherwise
 * the cheapest known one. Throws `invalid_input`, and `not_found` for a provider without a key.
 */
export async function checkModelKey(
  context: ModelsContext,
  provider: ModelProvider,
  model: string | undefined,
): Promise<ModelKeyCheck> {
  const { db, settings, clock } = context
  const row = await db.selectFrom('model_keys').selectAll().where('provider', '=', provider).executeTakeFirst()
  const isSet = settings[provider].apiKey !== undefined || settings[provider].baseUrl !== undefined
  if (!row && !isSet) throw new Failure('not_found', `No key of ${provider} is stored or set in the environment.`)
  const id = model ?? defaultModel(context, provider)
  if (parseModelId(id)?.provider !== provider)
    throw invalidInput('#/model', `must be a model of ${provider}, such as ${provider}/name`)
  const result = await ask(context, id)
  if (row && isUsed(context, row)) {
    await db
      .updateTable('model_keys')
      .set({ checked_at: clock.now(), check_error: result.problem })
      .where('provider', '=', provider)
      .where('secret', '=', row.secret)
      .execute()
  }
  return { provider, model: id, ...result }
}

function defaultModel({ modelId, settings }: ModelsContext, provider: ModelProvider): string {
  if (parseModelId(modelId)?.provider === provider) return modelId
  const known = cheapestModel(provider, settings.prices)
  if (known !== undefined) return known
  throw invalidInput('#/model', `is required, because no model of ${provider} is known`)
}

async function ask(context: ModelsContext, id: string): Promise<Omit<ModelKeyCheck, 'provider' | 'model'>> {
  const request = {
    instructions: 'Answer with one word.',
    messages: [{ role: 'user' as const, content: 'Yes or no?' }],
    tools: [],
    maxOutputTokens: 1,
  }
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const model = await openConfigured(context, id)
    const { inputTokens, outputTokens } = (await model.respond(request, deadline)).usage
    return { problem: null, inputTokens, outputTokens }
  } catch (error) {
    const problem = deadline.aborted
      ? `The provider did not respond within ${deadlineMs / 1_000} seconds.`
      : toProblem(error)
    return { problem, inputTokens: 0, outputTokens: 0 }
  }
}

/** Only faults of the provider or the settings are a result. Other errors are thrown. */
function toProblem(error: unknown): string {
  const failure = toFailure(error)
  if (failure.code.startsWith('model_') || failure.code === 'context_exceeded') return failure.message
  throw error
}
