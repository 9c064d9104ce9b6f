// The last resort: `isbot`, used only in this file, recognises clients that no list names. A client that calls itself a
// crawler is one, whatever it requests; anything else that `isbot` matches is a tool or a library.

import { isbot } from 'isbot'
import { hasBrowserShape, withoutBrowserNames, withoutDevice } from './browser.ts'

/** `cubot` makes phones. */
const crawlerWords = /(?:^|[^u]|[^c]u)bots?\b|crawl|spider|scrap(?:er|y)|archiver|indexer|fetcher|preview|monitor/i
const feedWords = /\brss|rss\b|feed(?!back)|news(?:reader|wire|boat|beuter|blur)|syndication|podcast|pubsub/i
/** Readers whose names say nothing about feeds. */
const feedReaders =
  /\b(?:akregator|liferea|livejournal|evergreen|reeder|readkit|stringer|breaker|omea|pulp|netnewswire|miniflux|inoreader)\b/i
/** Scripted browsers that `isbot` does not know, and templates that nobody filled in: `rv:geckoversion`, `Chrome/W.X.Y.Z`. */
const scripted = /\bjsdom\/|\bslimerjs\/|geckoversion|firefoxversion|chrome\/w\.x\.y\.z/i
const automationWords = /headless|phantomjs|selenium|webdriver|puppeteer|playwright|electron\//i

type General = 'crawler' | 'automation' | 'feed' | 'library'

/** Returns the category if the client says what it is by a word that `isbot` or this file knows; otherwise undefined. */
export function findGeneral(userAgent: string): General | undefined {
  const isBrowser = hasBrowserShape(userAgent.toLowerCase())
  const text = isBrowser ? withoutBrowserNames(userAgent) : withoutDevice(userAgent)
  if (scripted.test(text)) return 'automation'
  if (isBrowser ? /\bakregator\//i.test(text) : feedReaders.test(text)) return 'feed'
  if (!isbot(text)) return undefined
  if (crawlerWords.test(text)) return 'crawler'
  if (feedWords.test(text)) return 'feed'
  if (automationWords.test(text)) return 'automation'
  // Starts like a browser but is not one, so it hides its name.
  if (/^\s*mozilla\//i.test(text)) return isBrowser ? 'automation' : undefined
  return /[a-z]{2}/i.test(text) ? 'library' : undefined
}
