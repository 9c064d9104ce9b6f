// People who are signed in to a whole service: invited by the operator, and requests as pages of the service send them.

import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { type Client, connect } from './service.ts'
import { cookieOf } from './signed-in.ts'

type Person = { readonly name: string; readonly email: string }

/** Creates the account and returns the headers of its requests. */
export async function joinAs(
  environment: Environment,
  address: string,
  { name, email }: Person,
): Promise<Readonly<Record<string, string>>> {
  const operator = openSocketApi(parseConfig(environment))
  const { body } = await operator.send('POST', '/v1/invitations', { email, role: 'editor' })
  const { link } = JSON.parse(body) as { readonly link: string }
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
  const response = await fetch(`${address}/v1/invitations/${link.split('#')[1] ?? ''}/accept`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, password: 'four plain words together' }),
  })
  return { 'Sec-Fetch-Site': 'same-origin', Cookie: cookieOf(response) }
}

type Service = { readonly environment: Environment; readonly addresses: readonly string[] }

/** A client for the project of another client, which uses the session of a new person. */
export async function clientOf(
  { environment, addresses }: Service,
  { projectId, key }: Client,
  person: Person,
): Promise<Client> {
  const caller = await joinAs(environment, addresses[0] ?? '', person)
  return connect({ addresses, projectId, key, caller, send: fetch })
}
