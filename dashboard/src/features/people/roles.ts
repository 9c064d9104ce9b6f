// The roles as a choice.

import type { Role } from '../../api/session.ts'
import type { Option } from '../../ui/select.tsx'

export const roleOptions: readonly Option<Role>[] = [
  { value: 'viewer', label: 'Viewer', hint: 'Reads jobs and statistics' },
  { value: 'editor', label: 'Editor', hint: 'Also works with jobs and pull requests' },
  { value: 'admin', label: 'Admin', hint: 'Also manages projects, keys and people' },
]
