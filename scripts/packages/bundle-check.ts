// Bundles `docent check` and its threads into a folder of few files.

import { join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** The files that are loaded by their names while the program runs, as they are named in the folder. */
const loaded: Readonly<Record<string, string>> = {
  'src/checks/facts/worker.ts': 'worker',
  'src/docs-syntax/remark/remark.ts': 'remark',
}

/** Returns where the packages are that the bundle contains: `node_modules/yaml`. */
export async function bundleCheck(root: string, into: string): Promise<readonly string[]> {
  const entries = Object.entries(loaded).map(([file, name]) => [name, join(root, file)])
  const bundle = await rolldown({
    input: { main: join(root, 'src/main.ts'), ...Object.fromEntries(entries) },
    platform: 'node',
    plugins: [onlyCheck(root), namesOfFiles],
  })
  const { output } = await bundle.write({
    dir: into,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
  })
  await bundle.close()
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  return [...new Set(modules.flatMap((id) => packageOf(id, root) ?? []))].toSorted()
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

/** A bundle has all files in one folder. */
const namesOfFiles: Plugin = {
  name: 'names-of-files',
  transform: (text) => {
    const code = text
      .replace("new URL('worker.ts', import.meta.url)", "new URL('worker.js', import.meta.url)")
      .replace("createRequire(import.meta.url)('./remark/remark.ts')", "createRequire(import.meta.url)('./remark.js')")
    // Null: every line stays where it is.
    return code === text ? undefined : { code, map: null }
  },
}
