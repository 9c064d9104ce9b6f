// Finds the files that hold the navigation of a site, and the folder of its pages, by the usual names. Reads no file.

import { posix } from 'node:path'

const navigation =
  /(?:^|\/)(?:(?:docs|mint)\.json|mkdocs\.ya?ml|SUMMARY\.md|[^/]*sidebars?[^/]*\.(?:[cm]?[jt]s|json)|astro\.config\.[cm]?[jt]s)$|(?:^|\/)\.vitepress\/(?!(?:theme|cache|dist)\/).*\.[cm]?[jt]s$/i
const elsewhere = /(?:^|\/)node_modules\//
const page = /\.(?:mdx?|markdown)$/i
const maxFiles = 20

/** The configuration of a site, and the folder of its pages relative to it. */
const contents: readonly (readonly [config: RegExp, folder: string])[] = [
  [/(?:^|\/)(?:docs|mint)\.json$/, '.'],
  [/(?:^|\/)mkdocs\.ya?ml$/, 'docs'],
  [/(?:^|\/)book\.toml$/, 'src'],
  [/(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/, '.'],
  [/(?:^|\/)astro\.config\.[cm]?[jt]s$/, 'src/content/docs'],
  [/(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/, 'docs'],
]

/** The files that share the most folders with the page come first. */
export function navigationFiles(path: string, paths: readonly string[]): string[] {
  const found = paths.filter((one) => navigation.test(one) && !elsewhere.test(one))
  return found.toSorted((a, b) => sharedFolders(b, path) - sharedFolders(a, path)).slice(0, maxFiles)
}

/** The folders of the pages of each site; '' for the root of the repository. */
export function contentFolders(paths: readonly string[]): string[] {
  const folders = contents.flatMap(([config, folder]) =>
    paths
      .filter((path) => config.test(path) && !elsewhere.test(path))
      .map((path) => posix.join(path.replace(/(?:^|\/)(?:\.vitepress\/.*|[^/]*)$/, ''), folder).replace(/^\.$/, '')),
  )
  return [...new Set(folders)].filter((folder) => folder === '' || paths.some((path) => path.startsWith(`${folder}/`)))
}

export function isPage(path: string): boolean {
  return page.test(path)
}

export function sharedFolders(a: string, b: string): number {
  const others = b.split('/').slice(0, -1)
  const differs = a
    .split('/')
    .slice(0, -1)
    .findIndex((part, at) => part !== others[at])
  return differs === -1 ? a.split('/').length - 1 : differs
}
