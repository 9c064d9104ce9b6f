// Bundles `docent check` with the packages that it needs.

import { join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { bundle } from './bundle.ts'

/** Returns where the packages are that the bundle contains: `node_modules/yaml`. */
export async function bundleCheck(root: string, into: string): Promise<readonly string[]> {
  const from = join(root, 'src')
  const entries = { main: join(from, 'main.ts') }
  const files = await bundle({ from, entries, into, withPackages: true, plugins: [onlyCheck(root)] })
  return [...new Set(files.flatMap((file) => packageOf(file, root) ?? []))].toSorted()
}

/** Undefined: it is a source of our own, or of the bundler. */
function packageOf(id: string, root: string): string | undefined {
  if (!id.startsWith(join(root, 'node_modules/'))) return undefined
  const path = relative(root, id)
  const at = path.lastIndexOf('node_modules/') + 'node_modules/'.length
  const [first = '', second = ''] = path.slice(at).split('/')
  return path.slice(0, at) + (first.startsWith('@') ? `${first}/${second}` : first)
}

/** The same start with the program of one command. */
function onlyCheck(root: string): Plugin {
  const [main, program] = [join(root, 'src/main.ts'), join(root, 'src/cli/check/program.ts')]
  return {
    name: 'only-check',
    resolveId: (id, importer) => (id === './cli/program.ts' && importer === main ? program : null),
  }
}
