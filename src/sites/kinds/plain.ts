// A folder of Markdown files that no generator was recognised for: only links count. Sites whose routes are written by hand,
// such as those of Angular, are among them: addresses from the root of the site are counted as not judged. AsciiDoc without
// `antora.yml` is judged by its paths. Not judged: relative links to `.html`, which a program makes.

import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { asciidocAddress, asciidocName } from '../antora/asciidoc-address.ts'
import type { Address } from '../address.ts'
import { indexName, withoutExtension } from '../names.ts'
import { hostSlugs } from '../slugs.ts'
import { type OwnLink, type Site, siteDefaults } from '../site.ts'

/** Dependencies, and what tests and templates contain, are not documentation. */
const noPages =
  /(?:^|\/)i18n\/[^/]+\/docusaurus-|(?:^|\/)(?:\.|node_modules\/|vendor\/|(?:__)?(?:fixtures?|tests?|templates?|snapshots?)(?:__)?\/)/i

export function createPlainSite(root: string): Site {
  return {
    ...siteDefaults,
    kind: 'plain',
    hasGenerator: false,
    root,
    config: undefined,
    mounts: [{ folder: root, routes: [''] }],
    isIgnored: (path) => noPages.test(path),
    // Markdown in a repository is shown by its host, which reads MDX as Markdown.
    syntaxOf: (path) => (isAsciidocPath(path) ? 'asciidoc' : /\.rst$/i.test(path) ? 'rst' : 'markdown'),
    reads: () => true,
    // Sphinx serves `a.rst` and `a/index.rst` at two addresses.
    nameOf: (name) => (/\.rst$/i.test(name) ? withoutExtension(name) : indexName(name)),
    addressOf: (link, path) => asciidocAddress(link, path) ?? sphinxNameElsewhere(link),
    nameFor: asciidocName,
    assets: [root],
    slugs: hostSlugs,
    // A rooted address may belong to a site that is not in this repository.
    madeAt: (_route, isRooted) => (isRooted ? 'site' : undefined),
  }
}

/** A name of Sphinx, whose site is not in this repository. */
function sphinxNameElsewhere({ kind }: OwnLink): Address | undefined {
  return /^(?:doc|ref|any|file)$/.test(kind) ? { kind: 'unread', reason: 'site' } : undefined
}
