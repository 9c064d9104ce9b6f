// The category of a client, and the class that a project counts it as. Page views store the category; the class is
// derived from the project's mapping when a query runs, so a changed mapping applies to all of history.

export const visitorClasses = ['human', 'ai', 'neither'] as const
export type VisitorClass = (typeof visitorClasses)[number]

/** Each category with its default class. */
export const defaultClasses = {
  /** A browser that asked for HTML. */
  browser: 'human',
  /** An AI assistant that fetches a page because its user asked it something. */
  ai_assistant: 'ai',
  /** A coding agent that fetches a page for its user. */
  ai_coding_agent: 'ai',
  /** Claims to be a browser, but its headers are those of an AI agent. */
  ai_undeclared: 'ai',
  /** A client that asked for Markdown and is no known crawler or AI agent. */
  markdown: 'ai',
  /** Collects training data for models. */
  ai_training: 'neither',
  /** Builds the index that assistants search. */
  ai_search: 'neither',
  /** Builds the index of a search engine. */
  search: 'neither',
  /** Analyses sites for search engine optimisation. */
  seo: 'neither',
  /** Checks whether the site is up. */
  monitor: 'neither',
  /** Fetches a page once to preview a link. */
  preview: 'neither',
  /** A feed reader. */
  feed: 'neither',
  /** Any other crawler. */
  crawler: 'neither',
  /** An automated browser: headless, or one that pretends to be a different browser. */
  automation: 'neither',
  /** curl, an HTTP library, a downloader. */
  library: 'neither',
  /** The user agent is empty or matches no rule. */
  unknown: 'neither',
} as const satisfies Readonly<Record<string, VisitorClass>>

export type Category = keyof typeof defaultClasses
export const categories = Object.keys(defaultClasses) as readonly Category[]

/** `/crawlers` lists these categories, even those that a project counts as human or AI. */
export const crawlerCategories = [
  'ai_training',
  'ai_search',
  'search',
  'seo',
  'monitor',
  'preview',
  'feed',
  'crawler',
  'automation',
] as const satisfies readonly Category[]

export type CategoryMapping = { readonly [Name in Category]?: VisitorClass }
