// Recognises the address of a page about a repository, as a browser shows it (`https://github.com/acme/docs/tree/main`).
// Nothing can be cloned from there, so the message names the address to use. Pure; a path that ends with `.git` is taken
// as it is.

/** Returns the address of the repository without query and fragment, or undefined if this may be a repository's address. */
export function repositoryOfPage(url: URL): string | undefined {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.at(-1)?.endsWith('.git') === true)
    return hasMore(url) ? `${url.origin}/${segments.join('/')}` : undefined
  if (azureHosts.test(url.hostname)) return azureRepository(url, segments)
  const length = lengthOfRepository(url.hostname, segments)
  if (length < segments.length) return `${url.origin}/${segments.slice(0, length).join('/')}.git`
  return hasMore(url) && length > 0 ? `${url.origin}/${segments.join('/')}` : undefined
}

function hasMore(url: URL): boolean {
  return url.search !== '' || url.hash !== ''
}

const azureHosts = /^(dev\.azure\.com|.*\.visualstudio\.com)$/

/** The name of the repository is the one after `_git`; pages come after it, or in the query. */
function azureRepository(url: URL, segments: readonly string[]): string | undefined {
  const end = segments.indexOf('_git') + 2
  if (end < 2 || segments.length < end || (segments.length === end && !hasMore(url))) return undefined
  return `${url.origin}/${segments.slice(0, end).join('/')}`
}

/** On these hosts a repository has an owner and a name, and nothing else. */
const twoSegments = /^(github\.com|codeberg\.org|gitea\.com|bitbucket\.org|.*\.ghe\.com)$/
const pages = new Set(['tree', 'blob', 'blame', 'raw', 'commit', 'commits', 'compare', 'pull', 'pulls', 'issues'])

function lengthOfRepository(hostname: string, segments: readonly string[]): number {
  // GitLab puts a dash between the path of a project and its pages.
  const dash = segments.indexOf('-')
  if (dash >= 2) return dash
  if (twoSegments.test(hostname)) return Math.min(2, segments.length)
  const [, , third = '', fourth = ''] = segments
  const isPage = fourth === '' ? false : pages.has(third) || (third === 'src' && /^(branch|commit|tag)$/.test(fourth))
  return isPage ? 2 : segments.length
}
