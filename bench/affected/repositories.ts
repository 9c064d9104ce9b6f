// The repositories of `bench/affected.ts`: where their documentation is, and which pages a program writes without saying so in
// them. Nothing of the repositories is here: the command takes paths of clones.

import { basename, dirname } from 'node:path'

export type BenchRepository = {
  /** The name of the clone's folder, or a part of its path. */
  readonly name: string
  /** Where the pages are. */
  readonly docs: RegExp
  /** Pages that a program makes. */
  readonly generated?: RegExp
  /** Never tuned on. Chosen before anything was tuned. */
  readonly onlyTested?: true
}

/** That of the clone `…/vite`, `…/vitejs+vite/repo` or `…/vite.git`. */
export function repositoryOf(clone: string): BenchRepository {
  const folder = basename(clone) === 'repo' ? basename(dirname(clone)) : basename(clone, '.git')
  const found = repositories.find(({ name }) => name === folder.slice(folder.indexOf('+') + 1))
  if (!found) throw new Error(`${clone} is none of ${repositories.map(({ name }) => name).join(', ')}.`)
  return found
}

const repositories: readonly BenchRepository[] = [
  { name: 'vite', docs: /^docs\// },
  { name: 'kit', docs: /^documentation\// },
  { name: 'playwright', docs: /^docs\// },
  { name: 'eslint', docs: /^docs\//, generated: /^docs\/(?:src\/)?rules\/(?:README|index)\.md$/ },
  { name: 'scrapy', docs: /^docs\// },
  { name: 'pytest', docs: /^doc\// },
  { name: 'pydantic', docs: /^docs\// },
  { name: 'cargo', docs: /^(?:src\/)?doc\//, generated: /\/man\/generated/ },
  {
    name: 'uv',
    docs: /^docs\//,
    generated: /^docs\/reference\/(?:cli|settings|environment)\.md$|^docs\/configuration\/environment\.md$/,
  },
  { name: 'prometheus', docs: /^docs\//, generated: /^docs\/command-line\// },
  { name: 'fastify', docs: /^docs\//, onlyTested: true },
  { name: 'celery', docs: /^docs\//, onlyTested: true },
  {
    name: 'traefik',
    docs: /^docs\//,
    generated: /-ref\.md$|^docs\/content\/reference\/.*(?:cli|env|file)[^/]*\.(?:md|toml)$/,
    onlyTested: true,
  },
]
