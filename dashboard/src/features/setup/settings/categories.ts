// The categories of clients, in words, and what each counts as by default. A test compares them with the service's.

import type { Project } from '../../../api/projects.ts'

export type Category = keyof Project['categories']
export type VisitorClass = NonNullable<Project['categories'][Category]>

type Described = { readonly label: string; readonly hint: string; readonly standard: VisitorClass }

export const categories: Readonly<Record<Category, Described>> = {
  browser: { label: 'Browsers', hint: 'Ask for HTML', standard: 'human' },
  ai_assistant: { label: 'AI assistants', hint: 'Fetch a page for a question of their user', standard: 'ai' },
  ai_coding_agent: { label: 'Coding agents', hint: 'Fetch a page for their user', standard: 'ai' },
  ai_undeclared: { label: 'Undeclared AI agents', hint: 'Claim to be browsers; their headers differ', standard: 'ai' },
  markdown: { label: 'Readers of Markdown', hint: 'Ask for Markdown, and are not known', standard: 'ai' },
  ai_training: { label: 'AI training', hint: 'Collects data for models', standard: 'neither' },
  ai_search: { label: 'AI search', hint: 'Builds the index of assistants', standard: 'neither' },
  search: { label: 'Search engines', hint: 'Build their index', standard: 'neither' },
  seo: { label: 'Search optimisation', hint: 'Analyses sites', standard: 'neither' },
  monitor: { label: 'Monitors', hint: 'Check whether the site is up', standard: 'neither' },
  preview: { label: 'Link previews', hint: 'Fetch a page once', standard: 'neither' },
  feed: { label: 'Feed readers', hint: 'Fetch feeds', standard: 'neither' },
  crawler: { label: 'Other crawlers', hint: 'Of any other kind', standard: 'neither' },
  automation: { label: 'Automated browsers', hint: 'Headless, or not what they claim', standard: 'neither' },
  library: { label: 'Libraries', hint: 'curl, HTTP libraries, downloaders', standard: 'neither' },
  unknown: { label: 'Unknown', hint: 'No user agent, or one that no rule knows', standard: 'neither' },
}

export const classes: Readonly<Record<VisitorClass, string>> = {
  human: 'Human',
  ai: 'AI',
  neither: 'Not counted',
}
