// Bundles our sources into few files of JavaScript: Node.js refuses TypeScript below `node_modules`, and resolving and loading 900
// sources takes a third of a start. Files that are found by their place (the code of a thread, a style, a template) are where
// they are among the sources.

import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

export type BundleOptions = {
  /** The folder of the sources, whose structure the bundle has. */
  readonly from: string
  /** Sources by the name that their file has in the bundle, without an ending. */
  readonly entries: Readonly<Record<string, string>>
  readonly into: string
  /** The packages that the sources need become a part of the bundle. */
  readonly withPackages: boolean
  readonly plugins?: readonly Plugin[]
}

/** Returns the files whose code the bundle contains. It has source maps, which name the sources without their texts. */
export async function bundle(options: BundleOptions): Promise<readonly string[]> {
  const { from, entries, into, withPackages, plugins = [] } = options
  const built = await rolldown({
    // The comments of the bundle name the sources from here.
    cwd: dirname(from),
    input: { ...entries },
    platform: 'node',
    external: (id) => !withPackages && id !== placeId && /^[^./]/.test(id),
    plugins: [keepPlaces(from), ...plugins],
  })
  const { output } = await built.write({
    dir: into,
    format: 'esm',
    // A file of its own at the top, where `import.meta.url` is the place of the bundle.
    codeSplitting: { groups: [{ name: 'place', test: placeId }] },
    minify: withPackages,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    sourcemapExcludeSources: !withPackages,
    sourcemapPathTransform: (source, map) => {
      const place = relative(from, resolve(dirname(map), source))
      return relative(dirname(map), join(into, place))
    },
  })
  await built.close()
  return output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
}

const placeId = 'docent:place'

/**
 * A source that reads its own place gets it although its code is elsewhere. The files of threads, and those that are required by
 * name, become files of the bundle.
 */
function keepPlaces(root: string): Plugin {
  return {
    name: 'keep-places',
    resolveId: (id) => (id === placeId ? id : null),
    load: (id) => (id === placeId ? place : null),
    transform(text, id) {
      if (!id.startsWith(root) || !text.includes('import.meta.')) return undefined
      for (const [, file = ''] of text.matchAll(loadedByName)) {
        const source = join(dirname(id), file)
        this.emitFile({ type: 'chunk', id: source, fileName: toJs(relative(root, source)) })
      }
      const own = relative(root, id)
      const code = text
        .replaceAll(loadedByName, (_, file: string) => `'${toJs(file)}'`)
        .replaceAll('import.meta.url', `urlOf('${toJs(own)}')`)
        .replaceAll('import.meta.dirname', `folderOf('${dirname(own)}')`)
      // Null: every line stays where it is.
      return { code: `import { folderOf, urlOf } from '${placeId}'; ${code}`, map: null }
    },
  }
}

const place = `import { fileURLToPath } from 'node:url'
export const urlOf = (path) => new URL(path, import.meta.url).href
export const folderOf = (path) => fileURLToPath(urlOf(path))`

/** `new URL('worker.ts', import.meta.url)`, `createRequire(import.meta.url)('./remark/remark.ts')` */
const loadedByName = /(?<=new URL\(|createRequire\(import\.meta\.url\)\()'([^']+\.ts)'/g

function toJs(path: string): string {
  return path.replace(/\.ts$/, '.js')
}
