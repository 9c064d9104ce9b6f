// Cuts the notes of a release from the changelog, as the page of a release shows them: a link into the repository has no folder to
// start from there.

export type Section = { readonly version: string; readonly date: string; readonly body: string }

/** `## [0.1.0] - 2026-12-01` and all below it. Undefined: the changelog has no such heading. */
export function newestSection(changelog: string): Section | undefined {
  const [head, ...later] = [...changelog.matchAll(/^## \[([^\]]+)\] - (.+)$/gm)]
  if (!head) return undefined
  const [heading, version = '', date = ''] = head
  const body = changelog.slice(head.index + heading.length, later[0]?.index).trim()
  return { version, date: date.trim(), body }
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** In Markdown. `repository`: its address. */
export function notesOf({ version, body }: Section, repository: string): string {
  const linked = body.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/g, (_all, path: string) => {
    return `](${repository}/blob/${tagOf(version)}/${path})`
  })
  return `${linked}\n`
}

export function tagOf(version: string): string {
  return `v${version}`
}
