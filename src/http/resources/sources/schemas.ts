// The sources of a project, and what a check of one found, as requests and responses have them.

import { z } from '@hono/zod-openapi'
import { forgeKinds } from '../../../forge/host.ts'
import { credentialKinds } from '../../../projects/credentials.ts'
import type { SourceAccess } from '../../../projects/sources/source-access.ts'
import type { CheckedSource, SourceSetting } from '../../../projects/sources/sources.ts'
import { boolean, list, string, time } from '../../contract/fields.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { account, base, expiresAt, granted, missing } from '../credential/schemas.ts'

const words = {
  name: 'Unique in the project.',
  repository: 'The address of the repository.',
  branch: 'The branch that is read; null for the default branch of the repository.',
  paths:
    'Globs of the files that can be read; empty for all files. `src/` matches everything in that top-level folder; `*.md` matches in any folder.',
  outsidersCommit:
    'Whether people outside of the team commit to the branch without a review, as in a mirror of somebody else’s repository. No automation that reads the source can have `update: "merge"` then.',
  releaseStatus:
    'Whether the newest release of the source gets a commit status, `docent/docs`, that says how many of its changes are undocumented. Needs an automation with the trigger `code` that follows the source, and a credential that may set statuses. It is the only thing that is ever written to a source.',
}

export const accessSchema = schemaOf<SourceAccess>()(
  z
    .object({
      read: granted.openapi({
        description: 'Whether the source can be read. `unknown`: the check did not get so far.',
      }),
      account,
      forge: namedEnum('Forge', forgeKinds)
        .nullable()
        .openapi({ description: 'The forge of the credential; null without one, and for a host without an adapter.' }),
      credential: namedEnum('CredentialKind', credentialKinds).nullable().openapi({
        description:
          'The kind of the credential that was used; null: the source has no credential, and was read as anybody may.',
      }),
      missing,
      problem: string(
        'Why the source cannot be read, or could not be checked; null if there is no problem.',
      ).nullable(),
      expiresAt,
      base: base.openapi({ description: 'The branch that is read, and its commit; null if it was not found.' }),
      checkedAt: time(),
    })
    .openapi('SourceAccess', {
      example: {
        read: 'yes',
        account: 'acme-docs-bot',
        forge: 'github',
        credential: 'token',
        missing: [],
        problem: null,
        expiresAt: null,
        base: { branch: 'main', commit: '0123456789abcdef0123456789abcdef01234567' },
        checkedAt: '2026-11-20T08:00:00.000Z',
      },
    }),
)

const setting = {
  name: 'api',
  repository: 'https://github.com/acme/api.git',
  branch: null,
  paths: ['src/', '*.md'],
  releaseStatus: false,
}
const shownSetting = {
  name: string(words.name),
  repository: string(words.repository),
  branch: string(words.branch).nullable(),
  paths: z.array(z.string()).readonly().openapi({ description: words.paths }),
  releaseStatus: boolean(words.releaseStatus),
}

/** As the response for a project has them. */
export const sourceSettingsSchema = z
  .array(schemaOf<SourceSetting>()(z.object(shownSetting).openapi({ title: 'SourceSetting' })))
  .readonly()
  .openapi({ description: 'The repositories of the product that the project reads, by name.', example: [setting] })

export const sourceSchema = schemaOf<Omit<CheckedSource, 'projectId'>>()(
  z
    .object({
      id: z.string(),
      ...shownSetting,
      outsidersCommit: boolean(words.outsidersCommit),
      // A reference could not be null.
      access: z.object(accessSchema.shape).nullable().openapi({
        description:
          'The result of the last check; null: the repository, the branch or the credential changed after it, or the key does not have the scope `admin`.',
      }),
      createdAt: time(),
      updatedAt: time(),
    })
    .openapi('Source', {
      example: {
        id: 'src_0123456789abcdefghij',
        ...setting,
        outsidersCommit: false,
        access: null,
        createdAt: '2026-11-20T08:00:00.000Z',
        updatedAt: '2026-11-20T08:00:00.000Z',
      },
    }),
)

export const sourcesSchema = z.object({ sources: list(sourceSchema, 'The sources by name.') }).openapi('Sources')

const fields = {
  name: text({
    max: 40,
    description: `1 to 40 lower-case letters, digits and dashes. Unique in the project, and no top folder of the documentation.`,
    example: 'api',
  }),
  repository: text({
    max: 2_000,
    description: 'The address of the repository, without a user name or password.',
    example: 'https://github.com/acme/api.git',
  }),
  branch: text({ max: 250, description: words.branch, example: 'main' }).nullable().optional(),
  paths: z
    .array(text({ max: 500, description: 'A glob.', example: 'src/' }))
    .max(100, 'must have at most 100 globs')
    .nullable()
    .optional()
    .openapi({ description: words.paths }),
  outsidersCommit: boolean(words.outsidersCommit).nullable().optional(),
  releaseStatus: boolean(words.releaseStatus).nullable().optional(),
}

export const newSourceSchema = z.object(fields).openapi('NewSource', {
  example: { name: 'api', repository: 'https://github.com/acme/api.git', paths: ['src/'] },
})

export const sourceChangeSchema = z
  .object({ ...fields, name: fields.name.optional(), repository: fields.repository.optional() })
  .openapi('SourceChange', { example: { branch: 'release', paths: null } })
