// The public repositories of `bench/grounding.ts`, each with its code beside its documentation, and how one is opened. Nothing of
// them is here: the command takes the folder of their bare clones.

import { createMirror } from '../../src/git/cache/mirror.ts'
import { createObjects } from '../../src/git/read/objects.ts'
import { createTrees, type Trees } from '../../src/git/read/tree.ts'
import { parseAddress } from '../../src/git/transport/address.ts'
import { usualPath } from '../../src/git/transport/env.ts'
import { createRunner, type Runner } from '../../src/git/transport/run.ts'
import { createLog } from '../../src/lib/observability/log.ts'

export type BenchRepository = {
  /** `owner/name` on GitHub. */
  readonly name: string
  readonly docs: RegExp
  /** Pages that a program makes. */
  readonly generated?: RegExp
}

export const repositories: readonly BenchRepository[] = [
  { name: 'fastify/fastify', docs: /^docs\// },
  { name: 'nodejs/undici', docs: /^docs\// },
  { name: 'vitejs/vite', docs: /^docs\// },
  { name: 'eslint/eslint', docs: /^docs\//, generated: /^docs\/src\/_data\// },
  { name: 'scrapy/scrapy', docs: /^docs\// },
  { name: 'celery/celery', docs: /^docs\// },
  {
    name: 'astral-sh/uv',
    docs: /^docs\//,
    generated: /^docs\/reference\/(?:cli|settings|environment)\.md$|^docs\/configuration\/environment\.md$/,
  },
  { name: 'prometheus/prometheus', docs: /^docs\//, generated: /^docs\/command-line\// },
  { name: 'helix-editor/helix', docs: /^book\//, generated: /^book\/src\/generated\// },
  { name: 'jdx/mise', docs: /^docs\//, generated: /^docs\/cli\// },
  { name: 'withastro/starlight', docs: /^docs\/src\/content\/docs\/(?!\w\w(?:-\w+)?\/)/ },
  { name: 'reduxjs/redux-toolkit', docs: /^docs\// },
]

export type Clone = {
  readonly git: (...args: readonly string[]) => Promise<string>
  /** Whether the command succeeds. */
  readonly tryGit: (...args: readonly string[]) => Promise<boolean>
  readonly trees: Trees
}

/** `folder` has a bare repository for each, in `owner+name/repo`. */
export function openClone(folder: string, { name }: BenchRepository, runner: Runner): Clone {
  const gitDir = `${folder}/${name.replace('/', '+')}/repo`
  const options = {
    directory: folder,
    allowLocal: false,
    privateHosts: [],
    maxRepositoryBytes: Infinity,
    maxRepositoryFiles: 1_000_000,
    maxFileBytes: 2_000_000,
    timeoutMs: 120_000,
    identity: { name: 'Docent', email: 'docent@localhost' },
    log: createLog('error'),
  }
  const mirror = createMirror(runner, options, name, parseAddress(`https://github.com/${name}`, options))
  const objects = createObjects(runner, gitDir, () => undefined)
  return {
    tryGit: async (...args) => (await runner.run({ gitDir, args: [...args] })).code === 0,
    trees: createTrees({ ...mirror, gitDir, objects }),
    git: async (...args) => {
      const { stdout, code } = await runner.run({ gitDir, args: [...args], maxBytes: 500_000_000 })
      if (code !== 0) throw new Error(`git ${args[0]} fails in ${gitDir}`)
      return stdout.toString('utf8')
    },
  }
}

export function openRunner(home: string): Runner {
  return createRunner({ home, path: usualPath, timeoutMs: 120_000 })
}
