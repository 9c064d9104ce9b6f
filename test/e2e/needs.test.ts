// Every operation of the service with every kind of credential: who may request it is written down here again, and
// compared with what the service does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { cookieOf } from '../support/signed-in.ts'

const admin = `createAutomation createForgeWebhook createKey createShare createSite createSource createWebhook checkCredential checkSource deleteAutomation deleteCredential deleteForgeWebhook deleteHistory deleteProject
  deleteSigningKey deleteSite deleteSource deleteSourceCredential deleteWebhook
  eraseImported eraseVisitor getCredential getForgeWebhook getSourceCredential getWebhook leaveFork listDeliveries listForgeWebhooks listKeys listShares listVisitorWindows listWebhooks proveSigningKey putCredential
  putSigningKey putSourceCredential rebuildVisitorWindow reclassify redeliver revokeKey revokeShare rotateEventSecret rotateForgeWebhookSecret rotateKey rotateWebhookSecret setFork updateAutomation updateProject updateSite updateSource updateWebhook testWebhook`
const allProjects = `beginForgeApp checkForgeApp checkModelKey createProject deleteForgeApp deleteModelKey listChanges
  listForgeApps listModelKeys putModelKey setForgeApp`
const wholeService = `changeRole createInvitation invitePerson listInvitations listPeople removePerson withdrawInvitation`
const session = `changePassword endSession getMailSettings listSessions putMailSettings`
const open = `acceptInvitation collectPageView finishGitHubApp getDocument getHealth getInvitation getMetrics getReadiness
  getReference getScript getSession preflightPageView receiveDelivery receiveEvent setUp showInstalledGitHubApp showNewGitHubApp showPull signIn
  signInByLink signOut`
/** A GET of the analytics that shared links don't open. */
const notShared = 'exportPageViews getBrokenPageLinks getEffect listHistories'
/** A POST that only reads. */
const alsoRead = ['checkTexts', 'testPolicy']

type Need = 'public' | 'session' | 'statistics' | 'key' | 'read' | 'write' | 'admin' | 'all projects' | 'whole service'
type Operation = { readonly id: string; readonly method: string; readonly path: string; readonly declared: string }

function needOf({ id, method, path }: Operation): Need {
  const listed = [
    ['admin', admin],
    ['all projects', allProjects],
    ['whole service', wholeService],
    ['session', session],
    ['public', open],
    ['key', 'callMcp'],
    ['read', notShared],
  ] as const
  const found = listed.find(([, ids]) => ids.split(/\s+/).includes(id))?.[0]
  if (found !== undefined) return found
  if (method !== 'GET') return alsoRead.includes(id) ? 'read' : 'write'
  return path.startsWith('/v1/analytics/') ? 'statistics' : 'read'
}

type Limit = 'projects' | 'time' | 'addresses'
type Credential = {
  readonly name: string
  readonly kind: 'key' | 'person' | 'share' | 'nobody'
  readonly scope: 'read' | 'write' | 'admin'
  readonly limits: readonly Limit[]
  readonly isForeign: boolean
  readonly headers: Readonly<Record<string, string>>
}

const order = ['read', 'write', 'admin']
const mayUse = ({ scope }: Credential, needed: string) => order.indexOf(scope) >= order.indexOf(needed)

/** The statuses that are right. Nothing has the ids in the paths, so an allowed request gets a 4xx of another kind. */
function isRight(status: number, operation: Operation, credential: Credential): boolean {
  const need = needOf(operation)
  const { kind, limits } = credential
  if (need === 'public') return status !== 401 || ['receiveEvent', 'signIn'].includes(operation.id)
  if (kind === 'nobody') return status === 401 || (need === 'session' && status === 403)
  if (need === 'session') return kind === 'person' ? ![401, 403].includes(status) : [401, 403].includes(status)
  if (need === 'key' && kind === 'person') return status === 401
  if (credential.isForeign && operation.path.includes('{projectId}')) return status === 404
  return isAllowed(operation, credential) ? ![401, 403].includes(status) : status === 403

  function isAllowed({ id }: Operation, credential: Credential): boolean {
    if (kind === 'share') return need === 'statistics'
    if (kind === 'person' && id === 'recordPageViews') return false
    if (need === 'all projects') return mayUse(credential, 'admin') && !limits.includes('projects')
    if (need === 'whole service') return mayUse(credential, 'admin') && limits.length === 0
    return mayUse(credential, need === 'statistics' || need === 'key' ? 'read' : need)
  }
}

let t: OneService
let operator: ReturnType<typeof openSocketApi>
let operations: readonly Operation[]
let credentials: readonly Credential[]

before(async () => {
  t = await startOneService({ 'index.md': '# Home\n' }, { DOCENT_EXPORTS_PER_HOUR: '100000' })
  operator = openSocketApi(parseConfig(t.environment))
  operations = await readOperations()
  credentials = await createCredentials()
})
after(async () => {
  await operator.close()
  await t.close()
})

async function readOperations(): Promise<readonly Operation[]> {
  const document = (await (await fetch(`${t.service.address}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; 'x-needs': string }>>>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: id, 'x-needs': declared }]) => {
      return { id, path, declared, method: method.toUpperCase() }
    }),
  )
}

const post = async <T>(path: string, body: object) => JSON.parse((await operator.send('POST', path, body)).body) as T

async function createCredentials(): Promise<readonly Credential[]> {
  const { projectId } = t.client
  const { id: otherId } = await post<{ id: string }>('/v1/projects', { name: 'Other', repository: t.repository })
  const all = ['projects', 'time', 'addresses'] as const
  const subsets = Array.from({ length: 8 }, (_, bits) => all.filter((_, n) => (bits >> n) % 2 === 1))
  const key = async (scope: Credential['scope'], limits: readonly Limit[], isForeign = false): Promise<Credential> => {
    const { key } = await post<{ key: string }>('/v1/keys', {
      name: 'test',
      scope,
      projectIds: limits.includes('projects') ? [isForeign ? otherId : projectId] : null,
      expiresAt: limits.includes('time') ? new Date(Date.now() + 3_600_000).toISOString() : null,
      allowedAddresses: limits.includes('addresses') ? ['127.0.0.0/8', '::1'] : null,
    })
    const name = `${scope} key limited to ${limits.join(', ') || 'nothing'}`
    return { name, kind: 'key', scope, limits, isForeign, headers: { Authorization: `Bearer ${key}` } }
  }
  const { link } = await post<{ link: string }>(`/v1/projects/${projectId}/shares`, { name: 'test' })
  const common = { scope: 'read', limits: [], isForeign: false } as const
  const shared = { Authorization: `Bearer ${link.split('#')[1] ?? ''}` }
  return [
    { ...common, name: 'nobody', kind: 'nobody', headers: {} },
    { ...common, name: 'shared link', kind: 'share', limits: ['projects'], headers: shared },
    ...(await Promise.all(subsets.map((limits) => key('admin', limits)))),
    ...(await Promise.all((['read', 'write'] as const).flatMap((scope) => [key(scope, []), key(scope, all)]))),
    await key('admin', ['projects'], true),
    await join('viewer', 'read'),
    await join('editor', 'write'),
    await join('admin', 'admin'),
  ]
}

async function join(role: string, scope: Credential['scope']): Promise<Credential> {
  const { link } = await post<{ link: string }>('/v1/invitations', { email: `${role}@example.com`, role })
  const own = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
  const response = await fetch(`${t.service.address}/v1/invitations/${link.split('#')[1] ?? ''}/accept`, {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ name: role, password: 'four plain words together' }),
  })
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookieOf(response) }
  return { name: `session of a person: ${role}`, kind: 'person', scope, limits: [], isForeign: false, headers }
}

const prefixes: Readonly<Record<string, string>> = {
  id: 'job',
  siteId: 'site',
  importId: 'imp',
  historyId: 'his',
  keyId: 'key',
  personId: 'per',
  sessionId: 'ses',
  invitationId: 'inv',
  shareId: 'shr',
  segmentId: 'seg',
  forgeAppId: 'app',
}

/** Ids of the right form that nothing has, except that of the project. */
function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'projectId') return t.client.projectId
    if (name === 'number') return '1'
    const prefix = prefixes[name]
    return prefix === undefined ? 'nothing' : `${prefix}_00000000000000000000`
  })
}

async function request(operation: Operation, { headers }: Credential): Promise<number> {
  const { method } = operation
  const hasBody = !['GET', 'OPTIONS'].includes(method)
  const response = await fetch(t.service.address + pathOf(operation), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(hasBody ? { 'Content-Type': 'application/json' } : {}) },
    ...(hasBody ? { body: '{}' } : {}),
  })
  await response.body?.cancel()
  return response.status
}

test('every operation declares what it needs, and that is what it should', () => {
  assert.ok(operations.length > 100)
  assert.deepEqual(
    operations.map(({ id, declared }) => [id, declared]),
    operations.map((one) => [one.id, needOf(one)]),
  )
})

test('no credential reaches an operation that needs more, and each reaches the rest', async () => {
  const last = ['deleteProject', 'signOut']
  const ordered = operations.toSorted((a, b) => last.indexOf(a.id) - last.indexOf(b.id))
  const wrong: string[] = []
  for (const operation of ordered) {
    const statuses = await Promise.all(credentials.map((credential) => request(operation, credential)))
    for (const [n, credential] of credentials.entries()) {
      const status = statuses[n] ?? 0
      if (status >= 500 || !isRight(status, operation, credential))
        wrong.push(`${operation.id} with ${credential.name}: ${status}`)
    }
  }
  assert.deepEqual(wrong, [])
})
