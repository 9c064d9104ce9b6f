// The types of the tables whose secrets are encrypted: credentials of repositories, GitHub Apps, webhooks of forges, and keys of
// models.

import type { Generated, GeneratedAlways, Selectable } from 'kysely'

/** One row: shows at the start whether the key is the one that encrypted the secrets. */
interface SecretCheckTable {
  readonly only_row: Generated<boolean>
  value: string
}

interface CredentialTable {
  /** The id of the project or the source that it belongs to. The secrets are encrypted for it. */
  readonly owner: GeneratedAlways<string>
  /** One of the two is null. */
  readonly project_id: string | null
  readonly source_id: string | null
  kind: 'github_app' | 'token' | 'basic' | 'ssh'
  /** null: a host without an adapter. */
  forge: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure' | null
  /** The base address of the host, without a trailing slash. The secret is sent only to its origin. */
  web_url: string | null
  /** The base address of the forge's API; null without a forge. */
  api_url: string | null
  /** The account that the forge named, or the user of plain git. */
  account: string | null
  /** The user of a token whose forge asks for one, such as the e-mail address of an API token of Bitbucket. */
  user_name: string | null
  /** Encrypted; null for an installation of a GitHub App. */
  secret: string | null
  installation_id: number | null
  /** Encrypted: the key that signs commits; null: they are not signed. */
  signing_key: string | null
  /** JSON: the rights that the last check found. */
  access: string | null
  checked_at: Date | null
  /** When the forge says that the token expires; null: never, or not known. */
  expires_at: Date | null
  readonly created_at: Date
  updated_at: Date
}

/** Deliveries that a forge sent to this service. */
interface DeliveredColumns {
  /** The last one that was genuine; null: never. */
  delivered_at: Date | null
  /** The last one that was not; null: never. */
  refused_at: Date | null
  /** How many were not, since it was made. */
  refused: Generated<number>
}

interface ForgeAppTable extends DeliveredColumns {
  readonly id: string
  readonly forge: Generated<'github'>
  readonly web_url: string
  api_url: string
  app_id: number
  slug: string
  name: string
  owner: string | null
  /** Encrypted JSON: private key, webhook secret, client secret. */
  secret: string
  /** Failed deliveries up to this time of GitHub were asked for again; null: the list was not read yet. */
  deliveries_until: Date | null
  /** When a process began to read the list. */
  deliveries_read_at: Date | null
  readonly created_at: Date
  updated_at: Date
}

interface ForgeWebhookTable extends DeliveredColumns {
  readonly id: string
  readonly project_id: string
  readonly forge: 'github' | 'gitlab' | 'gitea'
  /** Encrypted. */
  secret: string
  readonly created_at: Date
  updated_at: Date
}

/** States of the manifest flow, by SHA-256; each is used once, within an hour. */
interface ForgeAppStateTable {
  readonly digest: string
  /** The id that the app gets in `forge_apps`. */
  readonly app_id: string
  readonly web_url: string
  /** The organization that will own the App; null: the person who is signed in at GitHub. */
  readonly organization: string | null
  readonly name: string
  readonly created_at: Date
  used_at: Date | null
}

interface ModelKeyTable {
  readonly provider: 'anthropic' | 'openai' | 'google' | 'compatible'
  /** Encrypted. */
  secret: string
  base_url: string | null
  /** The last four characters of the key. */
  hint: string
  readonly created_at: Date
  updated_at: Date
  checked_at: Date | null
  /** Why the last check failed; null if it succeeded. */
  check_error: string | null
}

export interface SecretsSchema {
  secret_check: SecretCheckTable
  credentials: CredentialTable
  forge_apps: ForgeAppTable
  forge_app_states: ForgeAppStateTable
  forge_webhooks: ForgeWebhookTable
  model_keys: ModelKeyTable
}

export type CredentialRow = Selectable<CredentialTable>
export type ForgeAppRow = Selectable<ForgeAppTable>
export type ForgeWebhookRow = Selectable<ForgeWebhookTable>
export type ModelKeyRow = Selectable<ModelKeyTable>
