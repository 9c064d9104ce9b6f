// Fills the repository's pull request template with the description of the change. Reads the template from the base branch,
// as forges do, so a job cannot write its own template.

import type { ForgeKind } from '../../../forge/host.ts'
import type { Tree } from '../../../git/types.ts'

/** The first existing path is used, in the order of each forge. Forges ignore case here. */
const templatePaths: Readonly<Record<ForgeKind, readonly RegExp[]>> = {
  github: [
    /^\.github\/pull_request_template(\.md|\.txt)?$/i,
    /^pull_request_template(\.md|\.txt)?$/i,
    /^docs\/pull_request_template(\.md|\.txt)?$/i,
    /^\.github\/pull_request_template\/pull_request_template\.md$/i,
  ],
  gitlab: [/^\.gitlab\/merge_request_templates\/default\.md$/i],
  gitea: [
    /^pull_request_template\.md$/i,
    /^\.forgejo\/pull_request_template\.md$/i,
    /^\.gitea\/pull_request_template\.md$/i,
    /^\.github\/pull_request_template\.md$/i,
    /^docs\/pull_request_template\.md$/i,
  ],
  // Bitbucket has its template in the settings of the repository, for people only.
  bitbucket: [],
  azure: [
    /^\.azuredevops\/pull_request_template\.(md|txt)$/i,
    /^\.vsts\/pull_request_template\.(md|txt)$/i,
    /^docs\/pull_request_template\.(md|txt)$/i,
    /^pull_request_template\.(md|txt)$/i,
  ],
}

const maxTemplateBytes = 30_000

/** Returns undefined if there is no template, or if the file is too large to be one. */
export async function readTemplate(tree: Tree, forge: ForgeKind): Promise<string | undefined> {
  for (const pattern of templatePaths[forge]) {
    const entry = tree.entries().find(({ path, kind }) => kind === 'file' && pattern.test(path))
    if (entry === undefined) continue
    const bytes = entry.size <= maxTemplateBytes ? await tree.read(entry.path) : undefined
    return bytes && withoutFrontMatter(new TextDecoder().decode(bytes))
  }
  return undefined
}

const describing = /^#{1,6}\s+.*\b(description|summary|what|overview|changes?|proposed)\b/i

/**
 * Puts the description under the first heading that asks for one, and removes the comments there. Without such a heading,
 * the description comes first. The rest of the template, such as a checklist, stays unchanged.
 */
export function fillTemplate(template: string, description: string): string {
  const lines = template.replaceAll('\r\n', '\n').split('\n')
  const at = lines.findIndex((line) => describing.test(line))
  if (at < 0) return `${description}\n\n${template.trim()}`
  const next = lines.findIndex((line, number) => number > at && /^#{1,6}\s/.test(line))
  const end = next < 0 ? lines.length : next
  const section = withoutComments(lines.slice(at + 1, end).join('\n')).trim()
  const parts = [lines.slice(0, at + 1).join('\n'), description, section, lines.slice(end).join('\n')]
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The comments of a section explain what to write there. */
function withoutComments(text: string): string {
  const parts = text.split('<!--').map((part, index) => (index === 0 ? part : part.split('-->').slice(1).join('-->')))
  return parts.join('')
}

/** Removes the frontmatter, from which GitHub and Gitea read settings such as the title of a form. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[^]*?\r?\n---\r?\n/, '')
}
