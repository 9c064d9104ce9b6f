// The pull requests of the loopback Bitbucket: lists by a query, and edits that remove what they do not name.

import { type Call, textOf } from '../routes.ts'
import { type Pull, type Token, type World } from '../world.ts'
import { personOf, refuse, stateOf } from './shapes.ts'

const usualPage = 10

/** `q` filters besides `state`, whose default is OPEN. */
export function listPulls(world: World, { query }: Call): readonly Pull[] {
  const states = query.has('state') ? query.getAll('state') : ['OPEN']
  const [, side, quoted] = /^(source|destination)\.branch\.name = ("(?:[^"\\]|\\.)*")$/.exec(query.get('q') ?? '') ?? []
  const name = quoted === undefined ? undefined : (JSON.parse(quoted) as string)
  return world
    .listed()
    .filter((pull) => states.includes(stateOf(pull)))
    .filter((pull) => name === undefined || (side === 'source' ? pull.branch : pull.base) === name)
}

export function pageOfRows<Row>(call: Call, all: readonly Row[], address: string) {
  const page = Number(call.query.get('page') ?? 1)
  const pagelen = Number(call.query.get('pagelen') ?? usualPage)
  const next = new URL(address)
  for (const [name, value] of call.query) if (name !== 'page') next.searchParams.append(name, value)
  next.searchParams.set('page', String(page + 1))
  const more = page * pagelen < all.length ? { next: next.href } : {}
  return { items: all.slice((page - 1) * pagelen, page * pagelen), page, pagelen, size: all.length, ...more }
}

function nameOf(end: unknown): string {
  const { branch } = (end ?? {}) as { readonly branch?: { readonly name?: unknown } }
  return textOf(branch?.name)
}

/** A second one of the same branches changes the first, and Bitbucket says that it was created. */
export function createPull(world: World, { body }: Call, token: Token): Pull {
  const [branch, base] = [nameOf(body['source']), nameOf(body['destination'])]
  const heads = world.heads()
  const [head, baseHead] = [heads.get(branch), heads.get(base)]
  if (head === undefined) throw invalid('source', `branch not found: ${branch}`)
  if (baseHead === undefined) throw invalid('destination', `branch not found: ${base}`)
  world.sync()
  const [title, text] = [textOf(body['title']), textOf(body['description'])]
  const open = world.switches.hasUniqueRule ? world.openOf(branch, base) : undefined
  if (open) {
    Object.assign(open, { title, body: text })
    world.touch(open)
    return open
  }
  if (world.between(baseHead, head).length === 0) throw refuse(400, 'There are no changes to be pulled')
  const draft = body['draft'] === true
  return world.createPull({ title, body: text, base, branch, head, draft, author: token.login, fork: null })
}

/** Reviewers that an edit does not name are removed. */
export function editPull(world: World, { body }: Call, pull: Pull): void {
  if (pull.state !== 'open') throw refuse(400, 'This pull request is already closed.')
  const { title, description, draft } = body
  if (title === undefined) throw invalid('title', 'required key not provided')
  const base = body['destination'] === undefined ? pull.base : nameOf(body['destination'])
  if (!world.heads().has(base)) throw invalid('destination', `branch not found: ${base}`)
  const people = (body['reviewers'] ?? []) as readonly Readonly<Record<string, unknown>>[]
  const logins = people.map((one) => personOf(one))
  if (logins.includes(undefined)) throw invalid('reviewers', 'Malformed reviewers list')
  if (logins.includes(pull.author)) {
    throw invalid('reviewers', `${pull.author} is the author and cannot be included as a reviewer.`)
  }
  pull.reviewers.splice(0, Infinity, ...new Set(logins.filter((login) => login !== undefined)))
  Object.assign(pull, { title: textOf(title), base, draft: typeof draft === 'boolean' ? draft : pull.draft })
  if (description !== undefined) pull.body = textOf(description)
  world.touch(pull)
}

const invalid = (field: string, message: string) =>
  refuse(400, `${field}: ${message}`, { fields: { [field]: [message] } })
