// The pull requests of the loopback Azure DevOps: one open one for two branches, and texts with limits.

import { type Call, textOf } from '../routes.ts'
import type { Pull, Token, World } from '../world.ts'
import { completePull } from './merging.ts'
import { refuse, statusOf } from './shapes.ts'

/** Only active ones, if the query does not name another status. */
export function listPulls(world: World, { query }: Call): readonly Pull[] {
  const status = query.get('searchCriteria.status') ?? 'active'
  const ref = query.get('searchCriteria.sourceRefName')
  const target = query.get('searchCriteria.targetRefName')
  const skip = Number(query.get('$skip') ?? 0)
  const top = Math.min(Number(query.get('$top') ?? 100), 1_000)
  return world
    .listed()
    .filter((pull) => status === 'all' || statusOf(pull) === status)
    .filter((pull) => ref === null || `refs/heads/${pull.branch}` === ref)
    .filter((pull) => target === null || `refs/heads/${pull.base}` === target)
    .slice(skip, skip + top)
}

function branchIn(world: World, ref: unknown): string {
  const branch = textOf(ref).replace('refs/heads/', '')
  if (world.heads().has(branch)) return branch
  const message =
    'TF401398: The pull request cannot be activated because the source and/or the target branch no longer exists, or the requested refs are not branches.'
  throw refuse(400, message, 'GitPullRequestCannotBeActivatedException')
}

/** It may have no change. */
export function createPull(world: World, { body }: Call, token: Token): Pull {
  const [branch, base] = [branchIn(world, body['sourceRefName']), branchIn(world, body['targetRefName'])]
  world.sync()
  if (world.switches.hasUniqueRule && world.openOf(branch, base)) {
    const message = 'TF401179: An active pull request for the source and target branch already exists.'
    throw refuse(409, message, 'GitPullRequestExistsException')
  }
  const [title, text] = [textOf(body['title']), textOf(body['description'])]
  checkTexts(title, text)
  const head = world.heads().get(branch) ?? ''
  const draft = body['isDraft'] === true
  return world.createPull({ title, body: text, base, branch, head, draft, author: token.login, fork: null })
}

export function editPull(world: World, { body }: Call, pull: Pull): void {
  const { title = pull.title, description = pull.body, targetRefName, isDraft, status } = body
  if (pull.state !== 'open') {
    throw refuse(409, 'TF401181: The pull request cannot be edited due to its state.', 'GitPullRequestStaleException')
  }
  checkTexts(textOf(title), textOf(description))
  const base = targetRefName === undefined ? pull.base : branchIn(world, targetRefName)
  Object.assign(pull, { title, body: description, base })
  if (typeof isDraft === 'boolean') pull.draft = isDraft
  if (status === 'abandoned') pull.state = 'closed'
  if (status === 'completed') completePull(world, { body }, pull)
  world.touch(pull)
}

function checkTexts(title: string, description: string): void {
  const isLong = title.length > 400 || description.length > 4_000
  if (isLong || title === '') {
    const message = 'A description for a pull request must not be longer than 4000 characters, nor a title than 400.'
    throw refuse(400, message, 'InvalidArgumentValueException')
  }
}
