// People, tokens and milestones, as the loopback GitLab shows them.

import type { PersonalAccessTokenSchema, SimpleUserSchema } from '@gitbeaker/core'
import { type Pull, type Token, type World, idOf, repositoryId } from './world.ts'

/** A token without `api` may read and push, and open nothing. */
function scopesOf({ rights }: Token): readonly string[] {
  return rights.has('pullRequests') ? ['api', 'write_repository'] : ['read_api', 'read_repository', 'write_repository']
}

export function shapeUser(login: string, web: string) {
  return {
    id: idOf(login),
    name: login,
    username: login,
    state: 'active',
    avatar_url: `${web}/avatar`,
    web_url: `${web}/${login}`,
    created_at: '2026-01-02T03:04:05.000Z',
    bot: login.startsWith('docent'),
    email: `${login}@example.com`,
  } satisfies SimpleUserSchema & { readonly email: string }
}

export function shapeToken(token: Token) {
  return {
    id: 12,
    name: 'docent',
    revoked: false,
    created_at: '2026-01-02T03:04:05.000Z',
    user_id: 4,
    last_used_at: '2026-01-02T03:04:05.000Z',
    active: true,
    scopes: [...scopesOf(token)],
    expires_at: new Date(token.expiresAt ?? Date.UTC(2099, 0, 1)).toISOString().slice(0, 10),
  } satisfies Omit<PersonalAccessTokenSchema, 'token'>
}

export function shapeMilestone(world: World, { milestone }: Pull) {
  if (milestone === null) return null
  const times = { created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' }
  const id = 70 + world.milestones.indexOf(milestone)
  const dates = { due_date: '2026-12-31', start_date: '2026-01-01' }
  return {
    id,
    iid: id,
    project_id: repositoryId,
    expired: false,
    title: milestone,
    description: '',
    state: 'active',
    web_url: '',
    ...times,
    ...dates,
  }
}
