// The roles as a choice.

import { roleHints, roleNames } from '../../api/people/roles.ts'
import type { Role } from '../../api/people/session.ts'
import type { Option } from '../../ui/form/select.tsx'

const order: readonly Role[] = ['viewer', 'editor', 'admin']

/** For a narrow place. */
export const shortOptions: readonly Option<Role>[] = order.map((role) => ({ value: role, label: roleNames[role] }))

export const roleOptions: readonly Option<Role>[] = order.map((role) => ({
  value: role,
  label: roleNames[role],
  hint: roleHints[role],
}))
