// Who made which keys and invitations, and who gave which role: read from the audit log. An admin may have come from a key
// with limits, in an earlier release that let such a key manage people; that admin, and everything made with its rights,
// is found here until an admin without such an origin confirms the role.

import type { Db } from '../postgres/types.ts'

/** A key that is limited to projects, to addresses or in time. */
export type LimitedKey = { readonly id: string; readonly name: string }

export type Made = {
  /** Keys that a person made, and those made with these keys. */
  keysOf(personId: string): readonly string[]
  /** Invitations by a person, or with a key that the person made. */
  invitationsOf(personId: string): readonly string[]
  /** The key with limits that a role, an invitation or a key came from. */
  limitedKeyOf(id: string): LimitedKey | undefined
}

const actions = ['createKey', 'rotateKey', 'createInvitation', 'invitePerson', 'acceptInvitation', 'changeRole']

export async function readMade(db: Db): Promise<Made> {
  const events = await db
    .selectFrom('audit')
    .select(['actor_id as by', 'action', 'subject'])
    .where('action', 'in', actions)
    .where('subject', 'is not', null)
    .orderBy('ordinal')
    .execute()
  const keys = await db
    .selectFrom('keys')
    .select(['id', 'name', 'project_ids', 'allowed_addresses', 'expires_at', 'replaced_by'])
    .execute()
  return traceMade(
    events.flatMap(({ subject, ...event }) => (subject === null ? [] : [{ ...event, subject }])),
    keys,
  )
}

export type MadeEvent = { readonly by: string; readonly action: string; readonly subject: string }
export type MadeKey = {
  readonly id: string
  readonly name: string
  readonly project_ids: readonly string[] | null
  readonly allowed_addresses: readonly string[] | null
  readonly expires_at: Date | null
  readonly replaced_by: string | null
}

/** `events`: the oldest first. Pure. */
export function traceMade(events: readonly MadeEvent[], keys: readonly MadeKey[]): Made {
  const known = new Map(keys.map((key) => [key.id, key]))
  const makers = new Map<string, string>()
  const origins = new Map<string, LimitedKey | undefined>()
  for (const { by, action, subject } of events) {
    const made = action === 'rotateKey' ? (known.get(subject)?.replaced_by ?? subject) : subject
    const key = known.get(by)
    const origin = key && isLimited(key, known) ? { id: key.id, name: key.name } : origins.get(by)
    // A role is given, and not made: the last one who gave it counts, and nobody confirms their own.
    if (action !== 'acceptInvitation' && action !== 'changeRole') makers.set(made, by)
    if (action === 'rotateKey') origins.set(made, origin ?? origins.get(subject))
    else if (by !== subject) origins.set(made, origin)
  }
  const isBy = (id: string, personId: string): boolean => {
    const maker = makers.get(id)
    return maker === personId || (maker !== undefined && maker !== id && isBy(maker, personId))
  }
  const ofKind = (prefix: string) => (personId: string) =>
    [...makers.keys()].filter((id) => id.startsWith(prefix) && isBy(id, personId))
  return { keysOf: ofKind('key_'), invitationsOf: ofKind('inv_'), limitedKeyOf: (id) => origins.get(id) }
}

/** A rotation gives the old key an end: the last of the keys that replaced it says whether there was one before. */
function isLimited(key: MadeKey, known: ReadonlyMap<string, MadeKey>): boolean {
  if (key.project_ids !== null || key.allowed_addresses !== null) return true
  const next = key.replaced_by === null ? undefined : known.get(key.replaced_by)
  return next === undefined ? key.expires_at !== null : isLimited(next, known)
}
