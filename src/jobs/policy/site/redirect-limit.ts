// Refuses redirects beyond the limit of a job, and those of such a job that lead to another host: outsiders choose the addresses
// that it reads. Counts what the configurations of sites and hosts have, and the old addresses that pages list. Reviewers are shown
// redirects to other hosts in any job; here they are refused.

import { frontmatterOf } from '../../../docs-syntax/commonmark/blocks/frontmatter.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { fieldsIn, readYaml } from '../../../docs-syntax/yaml.ts'
import type { Edit, Tree } from '../../../git/types.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import { findSites } from '../../../sites/find-sites.ts'
import { readRedirectList } from '../../../sites/redirects/lists.ts'
import { openLightFiles } from '../../../sites/light-files.ts'
import type { PageFields } from '../../../sites/site.ts'
import { createPlaceOf } from '../../../sites/site-map.ts'
import type { SiteTree } from '../../../sites/tree.ts'
import { openEditedTree } from '../../review/edited-tree.ts'
import type { Finding } from '../verdict.ts'

type Change = {
  readonly policy: { readonly redirects?: number | null }
  readonly base: Omit<Tree, 'commit'>
  readonly edits: readonly Edit[]
}

type Added = { readonly path: string; readonly line: number | null; readonly key: string }

export async function findTooManyRedirects({ policy, base, edits }: Change): Promise<readonly Finding[]> {
  const { redirects: most } = policy
  if (most == null || edits.length === 0) return []
  const [before, after] = [treeOf(base, []), treeOf(base, edits)]
  const known = new Set((await redirectsIn(before, edits)).map(({ key }) => key))
  const added = (await redirectsIn(after, edits)).filter(({ key }) => !known.has(key))
  const beyond = added.slice(most, most + 1)
  const message = `is one of ${added.length} redirects, and a run of this automation may add ${most}`
  return beyond.map(({ path, line }) => ({ kind: 'denied', path, line, message, remedy }))
}

/** `shown`: what a reviewer of the change would be shown, except files of hosts that a project has unprotected. */
export async function refuseOtherHosts(
  shown: readonly Finding[],
  { base, edits }: Pick<Change, 'base' | 'edits'>,
): Promise<readonly Finding[]> {
  const more: Finding[] = []
  for (const { path, content } of edits) {
    if (!content || shown.some((one) => one.kind === 'redirect' && one.path === path)) continue
    const [before, after] = [awayIn(path, await base.read(path)), awayIn(path, content)]
    for (const [source, url] of after) {
      if (before.get(source) === url) continue
      more.push({ kind: 'redirect', path, line: null, message: `sends readers to ${inlineCode(url)}`, remedy: null })
    }
  }
  return [...shown, ...more].flatMap((one) => {
    if (one.kind !== 'redirect') return []
    return {
      ...one,
      kind: 'denied',
      message: `${one.message}, and this automation redirects within the site only`,
      remedy,
    }
  })
}

/** The redirects of a file that lead to another host, by their sources. */
function awayIn(path: string, content: Uint8Array | undefined): ReadonlyMap<string, string> {
  const list = content && readRedirectList(path, new TextDecoder().decode(content))
  if (list === undefined || typeof list === 'string') return new Map()
  const pairs = list.entries.map(({ source, destination }) => [source.value, destination.value] as const)
  return new Map(pairs.filter(([, url]) => /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(url)))
}

const remedy = 'a person may ask for it in a job of its own'

function treeOf(base: Change['base'], edits: readonly Edit[]): SiteTree {
  return openEditedTree(
    { commit: '', entries: () => base.entries(), read: async (path) => await base.read(path) },
    edits,
  )
}

/** All of the configurations, and those of the pages that change. */
async function redirectsIn(tree: SiteTree, edits: readonly Edit[]): Promise<readonly Added[]> {
  const sites = await findSites(openLightFiles(tree))
  const placeOf = createPlaceOf(sites)
  const found: Added[] = sites.flatMap(({ redirects }) =>
    redirects.map(({ file, line, source, destination }) => {
      return { path: file, line, key: JSON.stringify([source, destination]) }
    }),
  )
  for (const { path } of edits) {
    const place = isPagePath(path) ? placeOf(path) : undefined
    const content = place && (await tree.read(path))
    if (!content) continue
    for (const alias of place.site.aliasesOf(fieldsOf(new TextDecoder().decode(content)), ''))
      found.push({ path, line: null, key: JSON.stringify([alias, path]) })
  }
  return found
}

function fieldsOf(text: string): PageFields {
  const found = frontmatterOf(text)
  if (found?.type !== 'yaml') return null
  const lines = text
    .slice(0, found.position.end.offset)
    .split(/\r\n|\r|\n/)
    .slice(1, -1)
  return fieldsIn(readYaml(lines.join('\n')).strings)
}
