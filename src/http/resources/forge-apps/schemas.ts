// The GitHub Apps of the installation, as requests and responses have them. A private key is only ever sent in.

import { string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { BegunForgeApp } from '../../../projects/forge-apps/create.ts'
import type { ForgeApp } from '../../../projects/forge-apps/forge-app.ts'
import type { ForgeAppCheck } from '../../../projects/forge-apps/forge-apps.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { deliveredFields } from '../forge-webhooks/contract.ts'

const example = {
  id: 'app_0123456789abcdefghij',
  forge: 'github' as const,
  webUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
  appId: 1_234_567,
  slug: 'docent-acme',
  name: 'Docent Acme',
  owner: 'acme',
  pageUrl: 'https://github.com/apps/docent-acme',
  installUrl: 'https://github.com/apps/docent-acme/installations/new',
  problem: null,
  projects: [{ id: 'prj_0123456789abcdefghij', name: 'Acme docs', installationId: 7_654_321 }],
  deliveredAt: '2026-11-20T09:30:00.000Z',
  refused: 0,
  refusedAt: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
}

export const forgeAppSchema = schemaOf<ForgeApp>()(
  z
    .object({
      id: z.string(),
      forge: z.enum(['github']),
      webUrl: string('The address of GitHub, or of the GitHub Enterprise server that the App is on.'),
      apiUrl: z.string(),
      appId: z.int().openapi({ description: 'The id that GitHub gave the App.' }),
      slug: string('The name of the App in URLs.'),
      name: z.string(),
      owner: string('The account on GitHub that owns the App.').nullable(),
      pageUrl: string('The page of the App on GitHub.'),
      installUrl: string('The page on which you install the App on repositories.'),
      problem: string('Why the App cannot be used, for example because the key that encrypted it is lost.').nullable(),
      projects: z
        .array(z.object({ id: z.string(), name: z.string(), installationId: z.int() }))
        .readonly()
        .openapi({ description: 'The projects that sign in with an installation on this GitHub, by name.' }),
      ...deliveredFields,
      createdAt: time(),
      updatedAt: time(),
    })
    .openapi('ForgeApp', { example }),
)

export const forgeAppsSchema = z.object({ forgeApps: z.array(forgeAppSchema).readonly() }).openapi('ForgeApps')

const webUrl = text({
  max: 500,
  description: 'The address of GitHub, or of your own server with GitHub Enterprise.',
  example: 'https://github.com',
}).default('https://github.com')

export const newForgeAppSchema = exactObject({
  webUrl,
  organization: z
    .string()
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})$/, 'is not the name of an organization')
    .nullable()
    .default(null)
    .openapi({ description: 'The organization that will own the App; null for the person who creates it.' }),
  name: text({
    max: 34,
    description: 'The name of the App. It must be unique on GitHub; you can change it on the page of the App.',
  }),
}).openapi('NewForgeApp', { example: { webUrl: 'https://github.com', organization: 'acme', name: 'Docent Acme' } })

export const begunForgeAppSchema = schemaOf<BegunForgeApp>()(
  z
    .object({
      id: string('The id of the forge app, as soon as it exists.'),
      openUrl: string('Open this page in a browser. It leads to GitHub and back.'),
      expiresAt: time('When `openUrl` expires.'),
    })
    .openapi('BegunForgeApp', {
      example: {
        id: example.id,
        openUrl: 'https://docs.example.com/github/new?state=0123456789abcdefghijABCDEFGHIJabcdefghij',
        expiresAt: '2026-11-20T09:00:00.000Z',
      },
    }),
)

export const givenForgeAppSchema = exactObject({
  webUrl,
  appId: z.int().min(1, 'must be at least 1').openapi({ description: 'The "App ID" on the settings page of the App.' }),
  privateKey: text({ max: 20_000, description: 'The content of the .pem file. It is stored encrypted.' }),
}).openapi('GivenForgeApp', {
  example: { webUrl: 'https://github.com', appId: 1_234_567, privateKey: '-----BEGIN RSA PRIVATE KEY-----\n…' },
})

export const forgeAppCheckSchema = schemaOf<ForgeAppCheck>()(
  z
    .object({
      missing: z
        .array(z.object({ permission: z.string(), remedy: z.string() }))
        .readonly()
        .openapi({ description: 'The permissions that the App lacks, and where to grant each.' }),
      installations: z
        .array(
          z.object({
            id: z.int().openapi({ description: 'Connect a project with this id.' }),
            account: string('The account whose repositories it has.'),
            settingsUrl: z.string(),
            repositories: namedEnum('InstalledOn', ['all', 'selected']),
            isSuspended: z.boolean(),
            permissions: z.record(z.string(), z.string()),
          }),
        )
        .readonly(),
    })
    .openapi('ForgeAppCheck', {
      example: {
        missing: [],
        installations: [
          {
            id: 7_654_321,
            account: 'acme',
            settingsUrl: 'https://github.com/organizations/acme/settings/installations/7654321',
            repositories: 'selected',
            isSuspended: false,
            permissions: { contents: 'write', metadata: 'read', pull_requests: 'write' },
          },
        ],
      },
    }),
)
