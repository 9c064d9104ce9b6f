// A GitHub App as the service shows it, and the projects that sign in with its installations.

import { appUrls } from '../../forge/github/manifest/manifest.ts'
import type { ForgeAppRow } from '../../postgres/schema/secrets.ts'
import type { Db } from '../../postgres/types.ts'
import { type Delivered, toDelivered } from '../forge-webhooks/forge-webhook.ts'

export type ConnectedProject = { readonly id: string; readonly name: string; readonly installationId: number }

export type ForgeApp = Delivered & {
  readonly id: string
  readonly forge: 'github'
  readonly webUrl: string
  readonly apiUrl: string
  readonly appId: number
  readonly slug: string
  readonly name: string
  readonly owner: string | null
  readonly pageUrl: string
  readonly installUrl: string
  /** Why the App cannot be used, as a sentence; null if no problem is known. */
  readonly problem: string | null
  /** The projects that sign in with an installation on this host, by name. */
  readonly projects: readonly ConnectedProject[]
  readonly createdAt: string
  readonly updatedAt: string
}

/** With the host whose App it signs in with. */
type Connected = ConnectedProject & { readonly webUrl: string }

export function findProjects(db: Db): Promise<readonly Connected[]> {
  return db
    .selectFrom('credentials')
    .innerJoin('projects', 'projects.id', 'credentials.project_id')
    .select(['projects.id', 'projects.name'])
    .select((e) => [
      e.ref('credentials.web_url').$notNull().as('webUrl'),
      e.ref('credentials.installation_id').$notNull().as('installationId'),
    ])
    .where('credentials.kind', '=', 'github_app')
    .orderBy('projects.name')
    .orderBy('projects.id')
    .execute()
}

export function toForgeApp(row: ForgeAppRow, problem: string | null, projects: readonly Connected[]): ForgeApp {
  const urls = appUrls(row.web_url, row.slug)
  return {
    id: row.id,
    forge: row.forge,
    webUrl: row.web_url,
    apiUrl: row.api_url,
    appId: row.app_id,
    slug: row.slug,
    name: row.name,
    owner: row.owner,
    pageUrl: urls.page,
    installUrl: urls.install,
    problem,
    projects: projects
      .filter(({ webUrl }) => webUrl === row.web_url)
      .map(({ id, name, installationId }) => ({ id, name, installationId })),
    ...toDelivered(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
