// The public repositories that real edits are drawn from, two or three for each kind of site, and how to open one of them.

import { createMirror } from '../../src/git/cache/mirror.ts'
import { createTrees, type Trees } from '../../src/git/read/tree.ts'
import { parseAddress } from '../../src/git/transport/address.ts'
import { usualPath } from '../../src/git/transport/env.ts'
import { createRunner, type Runner } from '../../src/git/transport/run.ts'
import { createLog } from '../../src/lib/observability/log.ts'

export type Drawn = {
  readonly kind: string
  /** `owner/name` on GitHub. */
  readonly repository: string
  /** The folder of the documentation, with a slash at its end; empty: the whole repository. */
  readonly folder: string
}

export const repositories: readonly Drawn[] = [
  { kind: 'vitepress', repository: 'vuejs/docs', folder: '' },
  { kind: 'vitepress', repository: 'vitest-dev/vitest', folder: 'docs/' },
  { kind: 'docusaurus', repository: 'facebook/react-native-website', folder: '' },
  { kind: 'docusaurus', repository: 'babel/website', folder: '' },
  { kind: 'mkdocs', repository: 'fastapi/fastapi', folder: 'docs/' },
  { kind: 'mkdocs', repository: 'squidfunk/mkdocs-material', folder: '' },
  { kind: 'hugo', repository: 'gohugoio/hugoDocs', folder: '' },
  { kind: 'hugo', repository: 'open-telemetry/opentelemetry.io', folder: '' },
  { kind: 'jekyll', repository: 'jekyll/jekyll', folder: 'docs/' },
  { kind: 'jekyll', repository: 'github/opensource.guide', folder: '' },
]

export type Clones = {
  readonly runner: Runner
  gitDir(repository: string): string
  trees(repository: string): Trees
}

/** `folder` has a clone of each repository, made with `git clone --bare`, in `owner/name.git`. */
export function openClones(folder: string, home: string): Clones {
  const runner = createRunner({ home, path: usualPath, timeoutMs: 120_000 })
  const gitDir = (repository: string) => `${folder}/${repository}.git`
  return {
    runner,
    gitDir,
    trees: (repository) => {
      const [owner = '', id = ''] = repository.split('/')
      const options = {
        directory: `${folder}/${owner}`,
        allowLocal: false,
        privateHosts: [],
        maxRepositoryBytes: Infinity,
        maxRepositoryFiles: 1_000_000,
        maxFileBytes: 2_000_000,
        timeoutMs: 120_000,
        identity: { name: 'Docent', email: 'docent@localhost' },
        log: createLog('error'),
      }
      return createTrees(createMirror(runner, options, id, parseAddress(`https://github.com/${repository}`, options)))
    },
  }
}
