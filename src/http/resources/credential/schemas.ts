// The credential of a project or a source, and what a check found, as requests and responses have them. No response has a secret.

import { boolean, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { forgeKinds, rights } from '../../../forge/host.ts'
import type { AccessReport, CredentialReport } from '../../../projects/access/access.ts'
import { type ProofStep, stepNames } from '../../../projects/access/prove.ts'
import { credentialKinds } from '../../../projects/credentials.ts'
import { forgeNames } from '../../../projects/places.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'

export const granted = namedEnum('Granted', ['yes', 'no', 'unknown'])
const rightsSchema = z.object({ read: granted, push: granted, pullRequests: granted }).openapi({
  title: 'Rights',
  description: "`unknown`: the host does not report it. Docent's own pull requests need no right.",
})

export const missing = z
  .array(
    z
      .object({
        right: namedEnum('Right', rights),
        remedy: string('How and where to grant it. It ends with a command if one is needed.'),
      })
      .openapi({ title: 'MissingRight' }),
  )
  .readonly()
  .openapi({ description: 'An entry for each right that is `no`.' })

const problem = string(
  'Why the credential cannot be used, or could not be checked; null if there is no problem. After a restore without the secret key, it says how to enter the credential again.',
).nullable()
export const account = string('The account that the forge names, or the user of the forge `git`.').nullable()
export const expiresAt = time('When the token expires; null if never, or if the forge does not report it.').nullable()

export const base = z
  .object({ branch: z.string(), commit: z.string() })
  .nullable()
  .openapi({ description: 'The branch that jobs start from; null if it could not be read.' })

const exampleOfBase = { branch: 'main', commit: '0123456789abcdef0123456789abcdef01234567' }
const exampleOfRights = {
  rights: { read: 'yes', push: 'yes', pullRequests: 'no' },
  missing: [
    {
      right: 'pullRequests',
      remedy:
        'Give the token "Pull requests: Read and write" for acme/docs: https://github.com/settings/personal-access-tokens.',
    },
  ],
  problem: null,
} as const

const exampleOfRules = {
  refused: [
    {
      rule: 'message must match `^docs:`',
      remedy: 'Set `commit.prefix` to `docs: `.',
      change: { commit: { prefix: 'docs: ' } },
    },
  ],
  unknown: [],
}

export const exampleOfAccess = {
  account: 'acme-docs-bot',
  forge: 'github' as const,
  credential: 'token' as const,
  ...exampleOfRights,
  off: [],
  expiresAt: null,
  rules: exampleOfRules,
  base: exampleOfBase,
}

export const credentialSchema = schemaOf<CredentialReport>()(
  z
    .object({
      kind: namedEnum('CredentialKind', credentialKinds).openapi({
        description:
          '`github_app`: an installation of a GitHub App of this service. `token`: a token of a forge. `basic`: user and password of a host without pull requests. `ssh`: a private key.',
      }),
      forge: namedEnum('Forge', forgeKinds).nullable().openapi({
        description:
          '`gitea` includes Forgejo, `bitbucket` is Bitbucket Cloud, `azure` is Azure DevOps Services. Null for `basic` and `ssh`.',
      }),
      webUrl: string('The secret is sent to this host only.'),
      apiUrl: string("The base address of the forge's API.").nullable(),
      account,
      installationId: z.number().nullable().openapi({ description: 'Only for `github_app`.' }),
      rights: rightsSchema.nullable().openapi({
        description:
          'The result of the last check; null before the first one, and if the secret cannot be decrypted. Every run begins with a check, and a host that refuses a run or a look at a pull request causes one.',
      }),
      missing,
      problem,
      expiresAt,
      checkedAt: time().nullable(),
      updatedAt: time(),
      signingKey: z
        .object({
          publicKey: string('The public half, as the forge takes it.'),
          fingerprint: z.string(),
          page: string(
            'Where to enter it for the account of the credential; null: the host has no such page.',
          ).nullable(),
        })
        .nullable()
        .openapi({
          title: 'SigningKey',
          description: 'The key with which commits are signed; null: they are not signed.',
        }),
    })
    .openapi('Credential', {
      example: {
        kind: 'token',
        forge: 'github',
        webUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
        account: 'acme-docs-bot',
        installationId: null,
        ...exampleOfRights,
        expiresAt: '2027-02-18T08:00:00.000Z',
        checkedAt: '2026-11-20T08:00:00.000Z',
        updatedAt: '2026-11-20T08:00:00.000Z',
        signingKey: null,
      },
    }),
)

export const newCredentialSchema = exactObject({
  forge: namedEnum('CredentialForge', forgeNames).optional().openapi({
    description:
      'Default: detected from the host of the repository. `gitea` includes Forgejo, `bitbucket` is Bitbucket Cloud, `azure` is Azure DevOps Services. `git` is any host with a user and a password.',
  }),
  token: text({ max: 10_000, description: 'A token of the forge, or the password of `user`.' }).optional(),
  user: text({
    max: 200,
    description: 'For `git`: the user. For an API token of Bitbucket: the e-mail address of its account.',
    example: 'docs-bot',
  }).optional(),
  installationId: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().openapi({
    description: 'Instead of `token`: the installation of a GitHub App of this service.',
  }),
  apiUrl: text({
    max: 2_000,
    description: "The base address of the forge's API, if it differs from the usual one.",
    example: 'https://example.com/gitlab/api/v4',
  }).optional(),
  privateKey: text({
    max: 16_384,
    description: 'Only for a repository over ssh: a private key without a passphrase, as `ssh-keygen` writes it.',
  }).optional(),
  hostKey: text({
    max: 16_384,
    description:
      'With `privateKey`: the accepted keys of the host, as lines from `ssh-keyscan HOST`. Compare them with the published keys first.',
    example: 'git.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI…',
  }).optional(),
}).openapi('NewCredential', { example: { forge: 'github', token: 'github_pat_…' } })

const personSchema = z.object({ name: z.string(), email: z.string() })
const rules = z
  .object({
    refused: z
      .array(
        z
          .object({
            rule: string('A demand of the repository that a push of a job would not fulfil.'),
            remedy: string('A sentence that says how to fulfil it.'),
            change: z
              .object({
                pullRequest: z.object({ branchPrefix: z.string() }).optional(),
                commit: z
                  .object({
                    prefix: z.string().optional(),
                    signOff: z.literal(true).optional(),
                    author: personSchema.nullable().optional(),
                  })
                  .optional(),
              })
              .nullable()
              .openapi({
                description: 'The change of the project that helps, as `PATCH /v1/projects/{projectId}` takes it.',
              }),
          })
          .openapi({ title: 'PublishProblem' }),
      )
      .readonly(),
    unknown: z.array(z.string()).readonly().openapi({ description: 'Rules that only a push can judge.' }),
  })
  .openapi({
    title: 'PublishRules',
    description:
      'Whether the rules of the repository let a job push: judged by those that the forge shows to the credential, and by those of an earlier refusal. A run that would be refused fails before the model is asked.',
  })

const checkedForge = namedEnum('Forge', forgeKinds).nullable().openapi({
  description: 'Where the pull requests are; null: Docent keeps them itself, which needs no right.',
})

const usedKind = namedEnum('CredentialKind', credentialKinds)
  .nullable()
  .openapi({ description: 'The kind of the credential that was used; null: the project has no credential.' })

export const accessSchema = schemaOf<AccessReport>()(
  z
    .object({
      account,
      forge: checkedForge,
      credential: usedKind,
      rights: rightsSchema,
      missing,
      off: list(
        z.string(),
        'Work that the service leaves out because it may not do it, although jobs work without it: a sentence each, with the page to open.',
      ),
      problem,
      expiresAt,
      rules,
      base,
    })
    .openapi('Access', { example: exampleOfAccess }),
)

const stepSchema = schemaOf<ProofStep>()(
  z.object({
    step: namedEnum('AccessCheckStep', stepNames),
    state: namedEnum('AccessCheckState', ['done', 'failed', 'skipped']),
    detail: string('The action, or the reason why it was not done.'),
  }),
)

export const checkRequestSchema = exactObject({
  write: boolean(
    'Also pushes a scratch branch, opens a draft pull request, closes it and deletes the branch. Default: only reads.',
  ).optional(),
}).openapi('AccessCheckRequest', { example: { write: true } })

export const checkSchema = z
  .object({
    ...accessSchema.shape,
    steps: z.array(stepSchema).readonly().nullable().openapi({ description: 'Only with `write`; otherwise null.' }),
  })
  .openapi('AccessCheck', {
    example: {
      account: 'acme-docs-bot',
      forge: 'github',
      credential: 'token',
      rights: { read: 'yes', push: 'yes', pullRequests: 'yes' },
      missing: [],
      off: [],
      problem: null,
      expiresAt: null,
      rules: { refused: [], unknown: [] },
      base: exampleOfBase,
      steps: [
        { step: 'read', state: 'done', detail: 'main is at 0123456789ab' },
        { step: 'push', state: 'done', detail: 'created docent/check-0123456789ab' },
        { step: 'open', state: 'done', detail: 'opened the draft #7: https://github.com/acme/docs/pull/7' },
        { step: 'close', state: 'done', detail: 'closed #7' },
        { step: 'delete', state: 'done', detail: 'deleted docent/check-0123456789ab' },
      ],
    },
  })

/** Only what those hosts show, so that nothing else can be signed. */
export const signingProofSchema = exactObject({
  text: z
    .string()
    .regex(/^[0-9a-f]{20,128}$/, 'must be the text of digits and letters from a to f that the page of the key shows')
    .openapi({ description: 'The text that the page of the key shows.' }),
}).openapi('SigningProof', { example: { text: '0123456789abcdef0123456789abcdef' } })

export const signatureSchema = z
  .object({ signature: string('With its first and last line.') })
  .openapi('Signature', { example: { signature: '-----BEGIN SSH SIGNATURE-----\n…\n-----END SSH SIGNATURE-----' } })
