// Recognises changelogs by their names: they say what was true when a version was released, so later changes concern no entry.

const changelog = /^(?:changelogs?|changes|history|releases?|release-?notes|whats-?new|news|updates)$/i

/** Whether the file or one of its folders is named so. */
export function isChangelog(path: string): boolean {
  const parts = path.replace(/\.\w+$/, '').split('/')
  return parts.some((part) => changelog.test(part))
}
