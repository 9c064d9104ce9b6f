// Pins of a source: refs of the mirror that keep a commit for a run, whatever the branch does meanwhile. git makes a ref
// whole or not at all, so a kill leaves a pin as it was; nothing moves one.

import { Failure } from '../../lib/failure.ts'
import { failureOf, git, type Mirror, pinsPrefix, tryGit } from '../cache/mirror.ts'
import { isDone } from '../transport/run.ts'
import type { SourceRepository } from '../types.ts'

export type Pins = Pick<SourceRepository, 'pin' | 'pinned' | 'pins' | 'unpin'>

const absent = '0'.repeat(40)

export function createPins(mirror: Mirror): Pins {
  const pinned = async (name: string) => {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', refOf(name)]
    const result = await tryGit(mirror, { args })
    return isDone(result) ? result.stdout.toString('utf8').trim() : undefined
  }
  return {
    pinned,
    pin: async (name, commit) => {
      const args = ['update-ref', '--no-deref', refOf(name), commit, absent]
      const result = await tryGit(mirror, { args })
      if (isDone(result)) return commit
      const found = await pinned(name)
      if (found !== undefined) return found
      throw failureOf(mirror, result, { args })
    },
    pins: async () => {
      const format = '--format=%(objectname) %(refname)'
      const lines = (await git(mirror, { args: ['for-each-ref', format, pinsPrefix] }))
        .toString('utf8')
        .trim()
        .split('\n')
      const pairs = lines.filter((line) => line !== '').map((line) => line.split(' '))
      return new Map(pairs.map(([oid = '', ref = '']) => [ref.slice(pinsPrefix.length), oid]))
    },
    unpin: async (name) => {
      await git(mirror, { args: ['update-ref', '-d', '--no-deref', refOf(name)] })
    },
  }
}

function refOf(name: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(name)) return pinsPrefix + name
  throw new Failure('internal', 'The name of a pin is a plain name.')
}
