// Recognises changelogs by their path: they say what was true then.

const changelog = /^(?:changelogs?|changes|history|releases?|release-?notes|whats-?new|news|updates)$/i

export function isChangelog(path: string): boolean {
  const parts = path.replace(/\.\w+$/, '').split('/')
  return parts.some((part) => changelog.test(part))
}
