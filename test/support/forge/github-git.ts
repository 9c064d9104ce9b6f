// The routes of the loopback GitHub that read and write git objects and refs, on the bare repository itself.

import { readRef, writeRef } from '../bare-repository.ts'
import { writeObject } from '../git-objects.ts'
import { openRepository, refuse } from './github.ts'
import { type Addresses, shapeCommit, shapeRef, shapeUser } from './github-shapes.ts'
import { type Call, type Routes, textOf } from './routes.ts'
import { gitHubRules, refusalOverApi } from './rules.ts'
import type { Token, World } from './world.ts'

const objectId = /^[0-9a-f]{40}$/

export function gitRoutes(world: World, addresses: Addresses): Routes {
  /** Commits of an App that named no author. */
  const signed = new Set<string>()
  const open = (call: Call, level: 'read' | 'write'): Token => {
    const token = openRepository(world, call, { permission: 'contents', level }, addresses)
    if (world.isEmpty()) throw refuse(409, 'Git Repository is empty.')
    return token
  }
  const commit = (sha: string) => shapeCommit(world, sha, signed.has(sha) ? true : world.isSigned(sha), addresses)
  return {
    'GET /repos/:owner/:repo/branches/*branch': (call) => {
      open(call, 'read')
      const { branch = '' } = call.params
      const sha = world.heads().get(branch)
      if (sha === undefined) throw refuse(404, 'Branch not found')
      const found = { sha, commit: { ...commit(sha), comment_count: 0 }, author: null, committer: null }
      return { status: 200, body: { name: branch, commit: found, protected: isProtected(world, branch) } }
    },
    'GET /repos/:owner/:repo/rules/branches/*branch': (call) => {
      openRepository(world, call, { permission: 'metadata', level: 'read' }, addresses)
      return { status: 200, body: gitHubRules(world.switches.rules) }
    },
    'GET /repos/:owner/:repo/rulesets/:ruleset_id': (call) => {
      openRepository(world, call, { permission: 'metadata', level: 'read' }, addresses)
      const bypass = world.switches.rules.isBypassed ? 'always' : 'never'
      const ruleset = {
        id: 42,
        name: 'docs',
        source: world.path,
        enforcement: 'active',
        current_user_can_bypass: bypass,
      }
      return { status: 200, body: ruleset }
    },
    'GET /repos/:owner/:repo/compare/*basehead': (call) => {
      open(call, 'read')
      const [base = '', head = ''] = (call.params['basehead'] ?? '').split('...').map((one) => findCommit(world, one))
      if (base === '' || head === '') throw refuse(404, 'Not Found')
      const ahead = world.between(base, head).length
      const behind = world.between(head, base).length
      const status = ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged'
      return { status: 200, body: { status, ahead_by: ahead, behind_by: behind, total_commits: ahead } }
    },
    'GET /repos/:owner/:repo/git/ref/*ref': (call) => {
      open(call, 'read')
      const sha = readRef(world.remote.directory, `refs/${call.params['ref']}`)
      if (sha === undefined) throw refuse(404, 'Not Found')
      return { status: 200, body: shapeRef(`refs/${call.params['ref']}`, sha, addresses) }
    },
    'POST /repos/:owner/:repo/git/refs': (call) => {
      open(call, 'write')
      const { ref, sha } = readTarget(world, call, textOf(call.body['ref']))
      if (readRef(world.remote.directory, ref) !== undefined) throw refuse(422, 'Reference already exists')
      // Git cannot keep a file beside a folder of the same name.
      const isBlocked = [...world.heads().keys()].some((name) => ref.startsWith(`refs/heads/${name}/`))
      if (isBlocked) throw refuse(422, 'Reference update failed')
      refuseByRules(world, { ref, sha, isSigned: signed.has(sha) })
      writeRef(world.remote.directory, ref, sha)
      return { status: 201, body: shapeRef(ref, sha, addresses) }
    },
    'PATCH /repos/:owner/:repo/git/refs/*ref': (call) => {
      open(call, 'write')
      const { ref, sha } = readTarget(world, call, `refs/${call.params['ref']}`)
      const before = readRef(world.remote.directory, ref)
      if (before === undefined) throw refuse(422, 'Reference does not exist')
      if (call.body['force'] !== true && world.between(sha, before).length > 0)
        throw refuse(422, 'Update is not a fast forward')
      refuseByRules(world, { ref, sha, isSigned: signed.has(sha) })
      writeRef(world.remote.directory, ref, sha, before)
      return { status: 200, body: shapeRef(ref, sha, addresses) }
    },
    'DELETE /repos/:owner/:repo/git/refs/*ref': (call) => {
      open(call, 'write')
      const ref = `refs/${call.params['ref']}`
      if (readRef(world.remote.directory, ref) === undefined) throw refuse(422, 'Reference does not exist')
      world.remote.git(['update-ref', '-d', ref])
      return { status: 204 }
    },
    'GET /repos/:owner/:repo/git/commits/:commit_sha': (call) => {
      open(call, 'read')
      const { commit_sha: sha = '' } = call.params
      if (!objectId.test(sha) || !world.exists(sha, 'commit')) throw refuse(404, 'Not Found')
      return { status: 200, body: commit(sha) }
    },
    'POST /repos/:owner/:repo/git/commits': (call) => {
      const token = open(call, 'write')
      const sha = createCommit(world, call, token)
      if (token.isInstallation && !call.body['author'] && !call.body['committer']) signed.add(sha)
      return { status: 201, body: commit(sha) }
    },
  }
}

/** As the hook's `case`: a star crosses slashes. */
function matchesGlob(glob: string, name: string): boolean {
  const text = glob.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(`^${text}$`).test(name)
}

const isProtected = (world: World, branch: string): boolean =>
  world.switches.protected.some((glob) => matchesGlob(glob, branch))

function findCommit(world: World, name: string): string {
  if (objectId.test(name)) return world.exists(name, 'commit') ? name : ''
  return world.heads().get(name) ?? ''
}

/** Where a ref is to point: an object that exists, by a branch that may be changed. */
function readTarget(world: World, { body }: Call, ref: string): { readonly ref: string; readonly sha: string } {
  const sha = textOf(body['sha'])
  if (!/^refs\/[^/]+\/.+/.test(ref))
    throw refuse(422, 'Reference name must start with refs and have at least two slashes')
  if (!objectId.test(sha))
    throw refuse(422, 'The sha parameter must be exactly 40 characters and contain only [0-9a-f].')
  if (!world.exists(sha, 'commit')) throw refuse(422, 'Object does not exist')
  if (ref.startsWith('refs/heads/') && isProtected(world, ref.slice('refs/heads/'.length))) {
    throw refuse(422, 'Repository rule violations found\n\nChanges must be made through a pull request.\n')
  }
  return { ref, sha }
}

/** Without a committer, the author that was sent is one. */
function committerOf(body: Call['body'], token: Token, mail: string): string {
  const sent = (body['committer'] ?? body['author']) as Readonly<Record<string, string>> | undefined
  if (sent) return `${sent['name']} <${sent['email']}>`
  return token.isInstallation ? 'GitHub <noreply@github.com>' : `${token.login} <${mail}>`
}

type Moved = { readonly ref: string; readonly sha: string; readonly isSigned: boolean }

function refuseByRules(world: World, { ref, sha, isSigned }: Moved): void {
  if (!ref.startsWith('refs/heads/')) return
  const text = world.remote.git(['log', '-1', '--format=%B', sha])
  const words = refusalOverApi(world.switches.rules, ref.slice('refs/heads/'.length), text, isSigned)
  if (words !== undefined) throw refuse(422, words)
}

function createCommit(world: World, { body }: Call, token: Token): string {
  const tree = textOf(body['tree'])
  const parents = (body['parents'] ?? []) as readonly string[]
  if (!world.exists(tree, 'tree')) throw refuse(422, 'Tree SHA does not exist')
  const missing = parents.find((parent) => !world.exists(parent, 'commit'))
  if (missing !== undefined) throw refuse(422, `Parent SHA does not exist or is not a commit object: ${missing}`)
  const { id } = shapeUser(token.login, { web: '', api: '' })
  const mail = `${id}+${token.login}@users.noreply.github.com`
  const author = (body['author'] ?? {}) as Readonly<Record<string, string>>
  const date = `${Math.floor(world.now() / 1000)} +0000`
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author['name'] ?? token.login} <${author['email'] ?? mail}> ${date}`,
    `committer ${committerOf(body, token, mail)} ${date}`,
    '',
    textOf(body['message']),
  ]
  return writeObject(world.remote.directory, 'commit', Buffer.from(lines.join('\n')))
}
