// The roles of people, in words.

import type { Role } from './session.ts'

export const roleNames: Readonly<Record<Role, string>> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin' }

export const roleHints: Readonly<Record<Role, string>> = {
  viewer: 'reads jobs, pull requests and visitors',
  editor: 'also starts jobs and merges pull requests',
  admin: 'does everything: projects, keys and people too',
}
