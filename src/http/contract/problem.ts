// Problem details (RFC 9457) as every refused request is answered.

import { z } from '@hono/zod-openapi'

export const problemSchema = z
  .object({
    type: z.string().openapi({ format: 'uri', description: 'Address of the line about the `code` in the reference.' }),
    title: z.string().openapi({ description: 'What went wrong; the same for every occurrence of the `code`.' }),
    status: z.int().openapi({ description: 'The status of this answer.', minimum: 400, maximum: 599 }),
    detail: z.string().openapi({ description: 'What went wrong this time and what to do about it. For people.' }),
    instance: z.string().openapi({ description: 'The path that was asked for.' }),
    code: z.string().openapi({ description: 'Stable: switch on this one. More codes may be added.' }),
    requestId: z.string().openapi({ description: 'The same as `X-Request-Id`: name it when you report a problem.' }),
    error: z.string().openapi({ description: '`detail` again, for clients of the older shape.' }),
    details: z
      .array(
        z.object({
          message: z.string().openapi({ description: 'What is wrong with it.' }),
          pointer: z.string().openapi({ description: 'JSON pointer: `#/prompt`, `#/query/limit`.' }),
        }),
      )
      .optional()
      .openapi({ description: 'One entry for each invalid field; only with `invalid_input`.' }),
  })
  .openapi('Problem', {
    example: {
      type: 'https://docs.example.com/reference#code-invalid_input',
      title: 'Invalid input',
      status: 400,
      detail: '`prompt` must not be only white space.',
      instance: '/v2/agent/prj_0123456789abcdefghij/job',
      code: 'invalid_input',
      requestId: 'req_0123456789abcdefghij',
      error: '`prompt` must not be only white space.',
      details: [{ message: 'must not be only white space', pointer: '#/prompt' }],
    },
  })

export type Problem = z.infer<typeof problemSchema>
