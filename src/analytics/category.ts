// The category of a client, and the class that a project counts it as. Page views store the category; the class is
// derived from the project's mapping when a query runs, so a changed mapping applies to all of history.

export const visitorClasses = ['human', 'ai', 'neither'] as const
export type VisitorClass = (typeof visitorClasses)[number]

/** Each category with the class that it has where a project says nothing else. */
export const defaultClasses = {
  /** A browser that asked for HTML. */
  browser: 'human',
  /** Fetches for a person who asked an assistant. */
  ai_assistant: 'ai',
  /** Fetches for a person who writes code with it. */
  ai_coding_agent: 'ai',
  /** Says that it is a browser; its headers say that it is an AI agent. */
  ai_undeclared: 'ai',
  /** Any other client that asked for Markdown. */
  markdown: 'ai',
  /** Collects what models are trained on. */
  ai_training: 'neither',
  /** Builds the index that assistants search. */
  ai_search: 'neither',
  /** Builds the index of a search engine. */
  search: 'neither',
  seo: 'neither',
  monitor: 'neither',
  /** Fetches a page once to show what a link leads to. */
  preview: 'neither',
  feed: 'neither',
  /** Any other crawler. */
  crawler: 'neither',
  /** A driven browser: headless, or in the name of one that it is not. */
  automation: 'neither',
  /** curl, an HTTP library, a downloader. */
  library: 'neither',
  /** Empty, or says nothing that is known. */
  unknown: 'neither',
} as const satisfies Readonly<Record<string, VisitorClass>>

export type Category = keyof typeof defaultClasses
export const categories = Object.keys(defaultClasses) as readonly Category[]

/** Crawlers are listed by `/crawlers`, whatever a project counts them as. */
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
