// Problem details (RFC 9457): the body of every error response.

import { z } from '@hono/zod-openapi'

export const problemSchema = z
  .object({
    type: z.string().openapi({ format: 'uri', description: 'The address of the `code` in the reference.' }),
    title: z
      .string()
      .openapi({ description: 'The problem in a few words; the same for every occurrence of this `code`.' }),
    status: z.int().openapi({ description: 'The HTTP status of this response.', minimum: 400, maximum: 599 }),
    detail: z.string().openapi({ description: 'The cause of this occurrence and how to fix it, for people.' }),
    instance: z.string().openapi({ description: 'The path of the request.' }),
    code: z.string().openapi({ description: 'A stable code to switch on. New codes may be added.' }),
    requestId: z.string().openapi({ description: 'The same as `X-Request-Id`. Quote it when you report a problem.' }),
    error: z.string().openapi({ description: 'The same as `detail`, for older clients.' }),
    details: z
      .array(
        z.object({
          message: z.string().openapi({ description: 'The problem with the field.' }),
          pointer: z
            .string()
            .openapi({ description: 'A JSON pointer to the field, such as `#/prompt` or `#/query/limit`.' }),
        }),
      )
      .optional()
      .openapi({ description: 'An entry for each invalid field. Only with `invalid_input`.' }),
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
