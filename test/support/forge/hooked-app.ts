// A GitHub App of the service that sends webhooks, made as a person makes it: the browser and GitHub are the loopback forge.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Api } from '../../../src/cli/api/api.ts'
import type { TestForge } from './forge.ts'

type Deliver = (address: string, event?: Readonly<Record<string, unknown>>) => Promise<number>
export type HookedApp = {
  readonly installationId: number
  /** Sends a delivery about the repository to a service at this address. Returns the status. */
  readonly deliver: Deliver
}

/** The public address of the service must begin with `https:`; it is reached at `address`. */
export async function createHookedApp(operator: Api, address: string, forge: TestForge): Promise<HookedApp> {
  const begun = await operator.send('POST', '/v1/forge-apps', {
    name: 'Docent',
    webUrl: forge.web,
    organization: 'acme',
  })
  const { openUrl } = JSON.parse(begun.body) as { readonly openUrl: string }
  const follow = (url: string) => fetch(`${address}${new URL(url).pathname}${new URL(url).search}`)
  const page = await (await follow(openUrl)).text()
  const action = decode(/action="([^"]+)"/.exec(page)?.[1])
  const manifest = decode(/name="manifest" value="([^"]+)"/.exec(page)?.[1])
  const sent = { method: 'POST', body: new URLSearchParams({ manifest }), redirect: 'manual' } as const
  const created = await follow((await fetch(action, sent)).headers.get('location') ?? '')
  assert.match(await created.text(), /The GitHub App exists/)
  const app = forge.apps.at(-1)
  assert.ok(app?.webhookSecret)
  const secret = app.webhookSecret
  const { url } = (JSON.parse(manifest) as { readonly hook_attributes: { readonly url: string } }).hook_attributes
  const installed = await fetch(`${forge.web}/github-apps/${app.slug}/installations/new`, { redirect: 'manual' })
  const installationId = Number(new URL(installed.headers.get('location') ?? '').searchParams.get('installation_id'))
  return {
    installationId,
    deliver: async (to, event = { action: 'created' }) => {
      const body = JSON.stringify({ ...event, repository: { full_name: 'acme/docs' } })
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature }
      return (await fetch(`${to}${new URL(url).pathname}`, { method: 'POST', headers, body })).status
    },
  }
}

const decode = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
