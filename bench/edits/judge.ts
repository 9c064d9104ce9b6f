// Judges the real edits of `edits.tsv` as a run and its pull request would, and lists each that the policy refuses or makes
// a draft: a person made it, so each is a false alarm. Run it with `node bench/edits/judge.ts FOLDER`; `repositories.ts` says
// what the folder has.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Edit, Tree } from '../../src/git/types.ts'
import { createSyntaxThreads } from '../../src/jobs/policy/content/read/threads.ts'
import { judgeBranch, judgeEdits, policyOf } from '../../src/jobs/policy/judge-edits.ts'
import { sayFinding } from '../../src/jobs/policy/words.ts'
import { openClones } from './repositories.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the clones.')
const home = await mkdtemp(join(tmpdir(), 'docent-edits-'))
const clones = openClones(folder, home)
const syntax = createSyntaxThreads()
const policy = policyOf({ path_policy: '{}' })
const signal = new AbortController().signal
const counts = { edits: 0, refused: 0, shown: 0, named: 0 }
const byKind = new Map<string, number>()
const list = await readFile(new URL('edits.tsv', import.meta.url), 'utf8')
for (const line of list.trimEnd().split('\n')) {
  const [kind = '', repository = '', commit = '', ...paths] = line.split('\t')
  const { verdict, words } = await judge(repository, commit, paths)
  counts.edits += 1
  if (verdict !== 'passes') counts[verdict] += 1
  if (verdict === 'passes' || verdict === 'named') continue
  byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
  console.log(`${verdict}  ${kind}  ${repository}@${commit.slice(0, 10)}  ${words}`)
}
await syntax.close()
await clones.runner.close()
await rm(home, { recursive: true })
const { edits, refused, shown, named } = counts
const share = (((refused + shown) / edits) * 100).toFixed(1)
console.log(`${edits} edits: ${refused} refused, ${shown} shown (${share} %), ${named} with a new host`)
for (const [kind, count] of byKind) console.log(`  ${kind}: ${count}`)

async function judge(repository: string, commit: string, paths: readonly string[]) {
  const trees = clones.trees(repository)
  const [base, head] = [await trees.load(await parentOf(repository, commit)), await trees.load(commit)]
  const judging = { policy, base, signal, reading: syntax.read }
  const refused = await judgeEdits(judging, await Promise.all(paths.map((path) => readEdit(head, path))))
  if (refused[0]) return { verdict: 'refused', words: refused.map(sayFinding).join('; ') } as const
  const { shown, hosts } = await judgeBranch(judging, head)
  if (shown[0]) return { verdict: 'shown', words: shown.map(sayFinding).join('; ') } as const
  return { verdict: hosts.length > 0 ? 'named' : 'passes', words: '' } as const
}

async function parentOf(repository: string, commit: string): Promise<string> {
  const { stdout } = await clones.runner.run({ gitDir: clones.gitDir(repository), args: ['rev-parse', `${commit}^`] })
  return stdout.toString('utf8').trim()
}

async function readEdit(head: Tree, path: string): Promise<Edit> {
  const mode = head.entry(path)?.mode === '100755' ? '100755' : '100644'
  return { path, content: (await head.read(path)) ?? null, mode }
}
