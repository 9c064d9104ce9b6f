// Read the Docs: `.readthedocs.yaml` names the configuration of each site that it builds, by its path in the repository,
// so it says that there is a site where nothing else would.

import { readYamlValues } from '../../docs-syntax/yaml.ts'
import { elsewhere } from '../names.ts'
import type { SiteFiles, SiteKind } from '../site.ts'

const name = /(?:^|\/)\.?readthedocs\.ya?ml$/
const maxFiles = 10

export async function readTheDocsSites(
  files: SiteFiles,
): Promise<{ readonly kind: SiteKind; readonly config: string }[]> {
  const paths = files.paths.filter((path) => name.test(path) && !elsewhere.test(path)).slice(0, maxFiles)
  const texts = await Promise.all(paths.map((path) => files.text(path)))
  return texts.flatMap((text) =>
    (readYamlValues(text ?? '') ?? []).flatMap(({ path: [kind, key, ...rest], value }) => {
      const config = value.replace(/^\.?\//, '')
      const isNamed = key === 'configuration' && rest.length === 0 && files.has(config)
      return isNamed && (kind === 'sphinx' || kind === 'mkdocs') ? [{ kind, config } as const] : []
    }),
  )
}
