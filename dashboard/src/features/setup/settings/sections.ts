// The sections of a project's settings: their place in the address and their names.

export const sections = {
  general: 'General',
  repository: 'Repository',
  sources: 'Sources',
  jobs: 'Jobs',
  visitors: 'Visitors',
  sites: 'Sites',
  webhooks: 'Webhooks',
} as const

export type Section = keyof typeof sections

export function toSection(text: string): Section | undefined {
  return Object.hasOwn(sections, text) ? (text as Section) : undefined
}
