// The category of a client, and the class that a project counts it as. Page views store the category; the class is
// derived from the project's mapping when a query runs, so a changed mapping applies to all of history.

export const visitorClasses = ['human', 'ai', 'neither'] as const
export type VisitorClass = (typeof visitorClasses)[number]

/** Each category with its default class. */
export const defaultClasses = {
  /** A browser that asked for HTML. */
  browser: 'human',
  /** Fetches for a person who asked an assistant. */
  ai_assistant: 'ai',
  /** Fetches for a person who writes code with it. */
  ai_coding_agent: 'ai',
  /** Claims to be a browser, but its headers are those of an AI agent. */
  ai_undeclared: 'ai',
  /** Any other client that asked for Markdown. */
  markdown: 'ai',
  /** Collects training data for models. */
  ai_training: 'neither',
  /** Builds the index that assistants search. */
  ai_search: 'neither',
  /** Builds the index of a search engine. */
  search: 'neither',
  seo: 'neither',
  monitor: 'neither',
  /** Fetches a page once to preview a link. */
  preview: 'neither',
  feed: 'neither',
  /** Any other crawler. */
  crawler: 'neither',
  /** An automated browser: headless, or under the name of another one. */
  automation: 'neither',
  /** curl, an HTTP library, a downloader. */
  library: 'neither',
  /** Empty or unknown. */
  unknown: 'neither',
} as const satisfies Readonly<Record<string, VisitorClass>>

export type Category = keyof typeof defaultClasses
export const categories = Object.keys(defaultClasses) as readonly Category[]

/** The categories that `/crawlers` lists, including those that a project counts as human or AI. */
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
