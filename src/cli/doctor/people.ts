// Checks who is an admin: nobody should be one because of a key with limits.

import type { ListedPerson } from '../../people/people.ts'
import { type Finding, ok, warning } from './finding.ts'

export function checkAdmins(people: readonly ListedPerson[]): readonly Finding[] {
  const about = 'admins'
  const admins = people.filter(({ role }) => role === 'admin')
  const found = admins.flatMap(({ name, email, limitedKey }) => {
    if (limitedKey === null) return []
    const says = `${name} (${email}) is an admin because of the key ${limitedKey.name} (${limitedKey.id}), which has limits`
    const todo = `Run \`docent person remove ${email} --yes --revoke-keys\`, or \`docent person role ${email} admin\` if that is right.`
    return [warning(about, says, todo)]
  })
  if (found.length > 0) return found
  return [ok(about, `${admins.length}; no role came from a key with limits`)]
}
