// The manifest from which GitHub creates the App of this service, and the addresses of GitHub's own pages. Pure.
// https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest

import { deliveryPath } from '../../deliveries/address.ts'

/** The permissions that jobs need. Never `workflows`: a workflow would run before anyone reviews it. */
export const neededPermissions = {
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  metadata: 'read',
} as const

/** Without these, an App works and Docent does not read what they are about. */
export const readingPermissions = { checks: 'read', statuses: 'read' } as const

/** Without it, Docent answers comments on pull requests, but not on issues. */
export const answeringPermissions = { issues: 'write' } as const

/** Without it, Docent reads no logs of checks that failed. */
export const logPermissions = { actions: 'read' } as const

/** Nothing is made of some of them yet, but only a person can add one later, on a page of GitHub. */
const laterEvents = [
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'repository',
] as const

export type ManifestInput = {
  readonly name: string
  /** The id that the App will have here. */
  readonly id: string
  /** The address of this service, without a trailing slash. */
  readonly publicUrl: string
}

/** GitHub requires an address for webhooks even if they are off, and refuses one that only this network can reach. */
const unusedHookUrl = 'https://example.com/docent-receives-no-webhooks'

export function createManifest({ name, id, publicUrl }: ManifestInput) {
  const isReachable = publicUrl.startsWith('https://')
  return {
    name,
    url: publicUrl,
    hook_attributes: {
      url: isReachable ? `${publicUrl}${deliveryPath('github', id)}` : unusedHookUrl,
      active: isReachable,
    },
    redirect_url: `${publicUrl}/github/created`,
    setup_url: `${publicUrl}/github/installed`,
    public: false,
    default_permissions: { ...neededPermissions, ...readingPermissions, ...logPermissions },
    default_events: laterEvents,
  }
}

type Permissions = Readonly<Record<string, string>>

/** The names of the wanted permissions that were not granted. */
export function lackingOf(granted: Permissions, wanted: Permissions): readonly string[] {
  const lacks = ([name, level]: [string, string]) => granted[name] !== level && granted[name] !== 'write'
  return Object.entries(wanted)
    .filter(lacks)
    .map(([name]) => name)
}

/** The address that receives the manifest. If `organization` is null, the App belongs to the person signed in at GitHub. */
export function newAppUrl(webUrl: string, organization: string | null, state: string): string {
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
  return `${webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
}

/** The page of the App, and the page on which a person installs it on repositories. */
export function appUrls(webUrl: string, slug: string): { readonly page: string; readonly install: string } {
  const isServer = !/^(?:.+\.ghe\.com|github\.com)$/.test(new URL(webUrl).hostname)
  const page = `${webUrl}/${isServer ? 'github-apps' : 'apps'}/${encodeURIComponent(slug)}`
  return { page, install: `${page}/installations/new` }
}
