// The events that the person who is signed in gets by mail.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type MailSettings = components['schemas']['MailSettings']

export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => ask((api) => api.GET('/v1/session/mail', { signal })),
})

export async function saveMail(body: components['schemas']['MailSettingsChange']): Promise<void> {
  const saved = await ask((api) => api.PUT('/v1/session/mail', { body }))
  queries.setQueryData(mailQuery.queryKey, saved)
}
