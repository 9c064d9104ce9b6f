// The types of the tables about people: accounts, sessions, invitations, shared links, and who changed what.

import type { Generated, Selectable } from 'kysely'

type Role = 'viewer' | 'editor' | 'admin'

interface PersonTable {
  readonly id: string
  email: string
  name: string
  role: Role
  /** The hash of the password, with its parameters. Never in a response or a log. */
  password: string
  readonly created_at: Date
  updated_at: Date
  last_seen_at: Date | null
}

interface SessionTable {
  readonly id: string
  /** SHA-256 of the token in the cookie, hexadecimal. */
  readonly digest: string
  readonly person_id: string
  /** As the browser sent it, at most 300 characters. */
  readonly user_agent: string
  readonly created_at: Date
  readonly expires_at: Date
  last_seen_at: Date
}

/** Links that `docent serve` prints while there is no account, by SHA-256. All are valid until one is used. */
interface SetupTokenTable {
  readonly digest: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** One row, made with the first person. */
interface SetupTable {
  readonly only_row: Generated<boolean>
  readonly done_at: Date
}

/** Links that sign one person in, once. */
interface SignInLinkTable {
  /** SHA-256 of the token in the link, hexadecimal. */
  readonly digest: string
  readonly person_id: string
  /** `password`: the one who opens it chooses a new password first. */
  readonly purpose: 'sign_in' | 'password'
  readonly created_at: Date
  readonly expires_at: Date
}

interface InvitationTable {
  readonly id: string
  /** SHA-256 of the token in the link, hexadecimal. */
  digest: string
  readonly email: string
  role: Role
  /** The name of the person or key that invited. */
  invited_by: string
  created_at: Date
  expires_at: Date
}

interface ShareTable {
  readonly id: string
  readonly project_id: string
  /** SHA-256 of the token in the link, hexadecimal. */
  readonly digest: string
  readonly name: string
  readonly created_at: Date
  /** null: never. */
  readonly expires_at: Date | null
  last_used_at: Date | null
}

interface AuditTable {
  readonly ordinal: Generated<number>
  readonly happened_at: Date
  readonly actor_kind: 'person' | 'key' | 'operator' | 'setup' | 'invitation'
  readonly actor_id: string
  /** The name when it happened: people and keys may be gone later. */
  readonly actor_name: string
  readonly address: string | null
  /** The operation, as in the OpenAPI document: `createKey`. */
  readonly action: string
  project_id: string | null
  /** The id of what was changed. */
  subject: string | null
  /** The fields of the request, without their values. */
  fields: string[]
  /** null: under way, or the service was stopped in the middle. */
  finished_at: Date | null
}

export interface PeopleSchema {
  people: PersonTable
  sessions: SessionTable
  setup_tokens: SetupTokenTable
  setup: SetupTable
  sign_in_links: SignInLinkTable
  invitations: InvitationTable
  shares: ShareTable
  audit: AuditTable
}

export type PersonRow = Selectable<PersonTable>
export type SessionRow = Selectable<SessionTable>
export type InvitationRow = Selectable<InvitationTable>
export type ShareRow = Selectable<ShareTable>
export type AuditRow = Selectable<AuditTable>
