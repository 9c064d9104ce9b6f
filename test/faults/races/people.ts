// People who act on the pull request of a job at any moment, and what they may expect afterwards: their commits, words and
// choices stay, and a branch that they deleted stays away.

import type { TestForge } from '../../support/forge/forge.ts'
import type { Pull } from '../../support/forge/world.ts'
import type { Random } from '../../support/random.ts'

/** The lines of `shared.md`. Runs change the first ones; people mostly the others. */
export const lines = Array.from({ length: 20 }, (_, at) => `Line ${at}.`)
export const sharedPage = (text: readonly string[] = lines): string => `# Shared\n\n${text.join('\n\n')}\n`

export type People = ReturnType<typeof createPeople>
export type Act = readonly [name: string, act: () => void]

export function createPeople(forge: TestForge, random: Random) {
  const kept = {
    /** Their commits on bases; the default branch may get another name. */
    onBases: new Map<string, string[]>(),
    onBranches: new Map<string, string[]>(),
    deleted: new Set<string>(),
    /** Pages that were in a pull request when people rejected it. */
    rejected: new Set<string>(),
    bases: new Map<number, string>(),
    words: new Map<number, string>(),
    reopened: new Set<number>(),
  }
  const done: string[] = []
  const count = { value: 0 }
  const git = (...args: string[]) => forge.remote.git(args)
  const trunk = () => git('symbolic-ref', '--short', 'HEAD')
  const exists = (branch: string) => forge.remote.head(branch) !== null
  const newFile = () => `person-${(count.value += 1)}.md`
  const note = (notes: Map<string, string[]>, name: string, commit: string) =>
    void notes.set(name, [...(notes.get(name) ?? []), commit])

  function reject({ branch }: Pull): void {
    if (!exists(branch)) return
    for (const page of git('ls-tree', '--name-only', branch).split('\n')) kept.rejected.add(page)
    kept.onBranches.delete(branch)
  }

  function remove(pull: Pull): void {
    if (!exists(pull.branch)) return
    if (pull.state === 'open') reject(pull)
    kept.onBranches.delete(pull.branch)
    kept.deleted.add(pull.branch)
    forge.deleteBranch(pull.branch)
  }

  function merge(pull: Pull, how: 'merge' | 'squash', deletes: boolean): void {
    if (!exists(pull.branch)) return
    try {
      forge.merge(pull.number, how)
    } catch {
      return // It conflicts.
    }
    if (deletes) remove(pull)
  }

  function editShared(): string {
    const at = random.chance(0.8) ? 10 + random.int(10) : random.int(8)
    const before = git('show', `${trunk()}:shared.md`)
    return before.replace(new RegExp(`^(?:Line|Job|Person) ${at}\\b.*$`, 'm'), `Person ${at} (${count.value}).`)
  }

  function pushToBase(): void {
    const files = random.chance(0.5) ? { [newFile()]: 'theirs\n' } : { 'shared.md': `${editShared()}\n` }
    note(kept.onBases, 'trunk', forge.push(trunk(), files))
  }

  function rename(): void {
    const from = trunk()
    const to = from === 'main' ? 'trunk' : 'main'
    forge.renameBranch(from, to)
    for (const [number, base] of kept.bases) {
      if (base === from && forge.pull(number).state === 'open') kept.bases.set(number, to)
    }
  }

  function rewrite(pull: Pull): void {
    if (!exists(pull.branch)) return
    reject(pull)
    note(kept.onBranches, pull.branch, forge.forcePush(pull.branch, { [newFile()]: 'rewritten\n' }))
  }

  function retarget(pull: Pull): void {
    const base = pull.base === 'next' ? trunk() : 'next'
    forge.retarget(pull.number, base)
    kept.bases.set(pull.number, base)
  }

  function speak(pull: Pull): void {
    const words = `Person ${(count.value += 1)} says this.`
    kept.words.set(pull.number, words)
    pull.body = `${words}\n\n${pull.body}`
  }

  /** Any of these, to the newest pull request. */
  function actsOn(pull: Pull, isEdited: boolean): readonly [Act, ...Act[]] {
    const isOpen = pull.state === 'open'
    const usual: readonly [Act, ...Act[]] = [
      ['push to the base', pushToBase],
      ['rename the default branch', rename],
    ]
    if (pull.state === 'merged') return usual
    if (!isOpen) {
      const reopen = () => {
        if (!exists(pull.branch)) return
        forge.reopen(pull.number)
        kept.reopened.add(pull.number)
      }
      return [...usual, ['reopen', reopen]]
    }
    const close = () => {
      reject(pull)
      forge.close(pull.number)
    }
    const push = () => {
      if (exists(pull.branch)) note(kept.onBranches, pull.branch, forge.push(pull.branch, { [newFile()]: 'theirs\n' }))
    }
    return [
      ...usual,
      ['merge', () => merge(pull, 'merge', false)],
      ['merge and delete', () => merge(pull, 'merge', true)],
      ['squash', () => merge(pull, 'squash', false)],
      ['squash and delete', () => merge(pull, 'squash', true)],
      ['close', close],
      ['push to the branch', push],
      ['rewrite the branch', () => rewrite(pull)],
      ['delete the branch', () => remove(pull)],
      ['choose another base', () => retarget(pull)],
      ...(isEdited ? [] : [['edit the text', () => speak(pull)] as const]),
    ]
  }

  return {
    kept,
    /** Their acts, in order. */
    done,
    trunk,
    /**
     * `isEdited`: a request of Docent that edits the text is on its way. No forge has edits with a condition, so the words of
     * people would be lost on any of them.
     */
    act: (isEdited = false) => {
      const pull = forge.pulls.at(-1)
      const [name, act] = pull
        ? random.pick(actsOn(forge.pull(pull.number), isEdited))
        : (['push to the base', pushToBase] as const)
      done.push(name)
      act()
    },
  }
}
