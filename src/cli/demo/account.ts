// The account of the demo: a person who is signed in by a link, has no password that anybody knows, and is removed when the
// demo ends. The link that creates the first account stays open meanwhile.

import { randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { type Api, openSocketApi } from '../api/api.ts'
import { findPerson } from '../person/person.ts'

const email = 'demo@example.com'

/** Calls `show` with a link that works once, and removes the account afterwards. */
export async function openDashboard(config: Config, show: (link: string) => Promise<void>): Promise<void> {
  const operator = openSocketApi(config)
  // A demo that was killed leaves its account behind.
  if ((await findPerson(operator, email)) === undefined) await create(operator)
  const { body } = await operator.send('POST', '/local/sign-in-link', { email, purpose: 'sign_in' })
  try {
    await show((JSON.parse(body) as { readonly link: string }).link)
  } finally {
    const person = await findPerson(operator, email)
    if (person) await operator.send('DELETE', `/v1/people/${person.id}`)
  }
}

async function create(operator: Api): Promise<void> {
  const { body } = await operator.send('POST', '/v1/invitations', { email, role: 'admin' })
  const token = (JSON.parse(body) as { readonly link: string }).link.split('#')[1] ?? ''
  const own = { 'Sec-Fetch-Site': 'same-origin' }
  const wanted = { name: 'Demo', password: randomBytes(32).toString('base64url') }
  await operator.send('POST', `/v1/invitations/${token}/accept`, wanted, own)
}
