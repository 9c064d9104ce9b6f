// The roles of people. A role is the scope of a key, for all projects.

import type { Grant } from '../projects/grants.ts'

export const roles = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

const scopes: Readonly<Record<Role, Grant['scope']>> = { viewer: 'read', editor: 'write', admin: 'admin' }

export function grantOf(role: Role): Grant {
  return { scope: scopes[role], projectIds: null, expiresAt: null, allowedAddresses: null }
}
