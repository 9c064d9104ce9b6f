// The loopback Bitbucket about who may push: only administrators of the repository may ask.

import type { Call, Routes } from '../routes.ts'
import type { Right, Token, World } from '../world.ts'
import { pageOfRows } from './pulls.ts'
import { idsOf, refuse, shapeRepository, shapeUser } from './shapes.ts'

export function permissionRoutes(world: World, open: (call: Call, right: Right) => Token, web: string): Routes {
  const { remarks, switches } = world
  const refused = () => refuse(403, 'You do not have permission to view this resource.')
  return {
    'GET /workspaces/:workspace/permissions/repositories/:repo_slug': (call) => {
      open(call, 'read')
      if (switches.showsPermissions !== 'all') throw refused()
      if (call.query.get('page') === '1') remarks.asked.push('list')
      const all = [
        ...[...remarks.writers].map((login) => ({ login, permission: 'write' })),
        ...(call.query.get('q') === 'permission>"read"' ? [] : [{ login: 'grace', permission: 'read' }]),
      ]
      const { items, ...rest } = pageOfRows(call, all, `${web}/2.0${call.path}`)
      const values = items.map(({ login, permission }) => ({
        type: 'repository_permission',
        permission,
        user: shapeUser(login, web),
        repository: shapeRepository(world.path, web),
      }))
      return { status: 200, body: { ...rest, values } }
    },
    'GET /repositories/:workspace/:repo_slug/permissions-config/users/:selected_user_id': (call) => {
      open(call, 'read')
      if (switches.showsPermissions === 'none') throw refused()
      const login = [...remarks.writers].find((one) => idsOf(one).uuid === call.params['selected_user_id'])
      if (login === undefined) throw refuse(404, 'Resource not found')
      const type = 'repository_user_permission'
      return { status: 200, body: { type, permission: 'write', user: shapeUser(login, web) } }
    },
  }
}
