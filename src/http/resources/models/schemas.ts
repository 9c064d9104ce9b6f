// Models and the keys of their providers, as requests and responses have them. No response has a key.

import { boolean, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { modelKeyProviders } from '../../../models/providers.ts'
import type { ModelKeyCheck } from '../../../models/check.ts'
import type { ModelKey } from '../../../models/keys.ts'
import type { ModelPrice, UsableModel } from '../../../models/list.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'

const provider = namedEnum('ModelKeyProvider', modelKeyProviders)
const rate = (description: string) => z.number().nullable().openapi({ description })

export const providerParams = z.object({
  provider: z
    .string()
    .regex(/^[a-z]{1,20}$/)
    .openapi({
      description: 'The provider: `anthropic`, `openai`, `google` or `compatible`.',
      example: 'anthropic',
    }),
})

const example = {
  provider: 'anthropic' as const,
  source: 'stored' as const,
  isStored: true,
  hint: 'h7Oa',
  baseUrl: null,
  problem: null,
  checkedAt: '2026-11-20T08:00:05.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
}

export const modelKeySchema = schemaOf<ModelKey>()(
  z
    .object({
      provider,
      source: namedEnum('ModelKeySource', ['environment', 'stored']).openapi({
        description:
          'The key that runs use. A key in the environment of the service takes precedence over a stored one.',
      }),
      isStored: boolean('Whether a key of the provider is stored.'),
      hint: string('The last four characters of the stored key.').nullable(),
      baseUrl: string('Another address of the API of the provider.').nullable(),
      problem: string(
        'Why the stored key cannot be used: it cannot be decrypted, or its last check failed.',
      ).nullable(),
      checkedAt: time().nullable(),
      updatedAt: time().nullable(),
    })
    .openapi('ModelKey', { example }),
)

export const modelKeysSchema = z
  .object({ modelKeys: z.array(modelKeySchema).readonly() })
  .openapi('ModelKeys', { example: { modelKeys: [example] } })

export const newModelKeySchema = exactObject({
  apiKey: z
    .string()
    .regex(/^[\u0021-\u007e]{1,2000}$/, 'must be 1 to 2,000 characters of ASCII without blanks')
    .nullable()
    .default(null)
    .openapi({
      description: 'The key. Only `compatible` can do without one.',
      example: 'sk-ant-0123456789',
      writeOnly: true,
    }),
  baseUrl: z.string().min(1).max(500).nullable().default(null).openapi({
    description:
      'Another address of the API of the provider; required for `compatible`. It must be https and public, unless its host is in `DOCENT_PRIVATE_REPOSITORY_HOSTS`.',
    example: 'https://models.example.com/v1',
  }),
}).openapi('NewModelKey', { example: { apiKey: 'sk-ant-0123456789', baseUrl: null } })

export const checkQuery = z.object({
  model: z.string().max(250).optional().openapi({
    description:
      'The model to use. Default: the model of the service if the provider has it, otherwise the cheapest known one.',
    example: 'anthropic/claude-haiku-4-5',
  }),
})

export const modelKeyCheckSchema = schemaOf<ModelKeyCheck>()(
  z
    .object({
      provider,
      model: string('The model that was used.'),
      problem: string('Why it did not respond; null if it did.').nullable(),
      inputTokens: z.int(),
      outputTokens: z.int(),
    })
    .openapi('ModelKeyCheck', {
      example: {
        provider: 'anthropic',
        model: 'anthropic/claude-haiku-4-5',
        problem: null,
        inputTokens: 18,
        outputTokens: 1,
      },
    }),
)

const priceSchema = schemaOf<ModelPrice>()(
  z
    .object({
      upToInputTokens: z.int().nullable().openapi({
        description: 'The rates apply to requests with at most this many input tokens; null for any number.',
      }),
      input: z.number(),
      cachedInput: rate('Input that the provider had in its cache; null if not known.'),
      cacheWrite: rate('Input that the provider wrote to its cache; null if not known.'),
      output: z.number(),
    })
    .openapi('ModelPrice', { description: 'US dollars for a million tokens.' }),
)

const modelSchema = schemaOf<UsableModel>()(
  z
    .object({
      id: string('The `model` of a project or a job.'),
      provider: namedEnum('ModelProvider', ['docent', ...modelKeyProviders]),
      isDefault: boolean('Whether projects without a model of their own use it.'),
      contextTokens: z
        .int()
        .nullable()
        .openapi({ description: 'The size of its context in tokens; null if not known.' }),
      prices: list(priceSchema, 'In ascending order of request size; empty if not known.'),
    })
    .openapi('Model'),
)

export const modelsSchema = z.object({ models: z.array(modelSchema).readonly() }).openapi('Models', {
  example: {
    models: [
      {
        id: 'anthropic/claude-haiku-4-5',
        provider: 'anthropic',
        isDefault: true,
        contextTokens: 200_000,
        prices: [{ upToInputTokens: 200_000, input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 }],
      },
    ],
  },
})
