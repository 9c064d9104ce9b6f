// People who sign in to the app of tests: requests as pages of the service send them, with the cookie of a session.

import assert from 'node:assert/strict'
import { createSetupToken } from '../../src/people/setup.ts'
import { publicUrl, type TestApp } from './openapi-app.ts'

export const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }
/** The headers that a browser sends with a request of a page of this service. */
export const own = { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl }

type Options = { readonly cookie?: string; readonly json?: unknown; readonly method?: string }

const tables = ['people', 'setup', 'setup_tokens', 'invitations', 'shares', 'audit', 'rate_limits'] as const

export async function removePeople({ db }: TestApp): Promise<void> {
  for (const table of tables) await db.deleteFrom(table).execute()
}

export function cookieOf(response: Response): string {
  return (response.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
}

export function createPeople(t: TestApp) {
  const send = (path: string, { cookie, ...options }: Options = {}, headers: Record<string, string> = own) =>
    t.call(path, {
      key: null,
      ...options,
      headers: { ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    })
  return {
    send,
    /** Creates the first account, of Ada, and returns its cookie. */
    setUp: async () => {
      const response = await send('/v1/setup', { json: { token: await createSetupToken(t.db), ...ada } })
      assert.equal(response.status, 201, await response.clone().text())
      return cookieOf(response)
    },
    /** Invites and accepts; returns the cookie of the new person. */
    join: async (cookie: string, role: string) => {
      const invited = await send('/v1/invitations', { cookie, json: { email: `${role}@example.com`, role } })
      const { link } = (await invited.json()) as { link: string }
      const json = { name: role, password: ada.password }
      return cookieOf(await send(`/v1/invitations/${link.split('#')[1] ?? ''}/accept`, { json }))
    },
  }
}
