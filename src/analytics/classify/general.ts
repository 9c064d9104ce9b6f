// The last resort: `isbot`, used only in this file, recognises clients that no list names. A client that calls itself a
// crawler is one, whatever it requests; anything else that `isbot` matches is a tool or a library.

import { isbot } from 'isbot'
import { hasBrowserShape, withoutDevice } from './browser.ts'

/** `cubot` makes phones. */
const crawlerWords = /(?:^|[^u]|[^c]u)bots?\b|crawl|spider|scrap(?:er|y)|archiver|indexer|fetcher|preview|monitor/i
const automationWords = /headless|phantomjs|selenium|webdriver|puppeteer|playwright|electron\//i

/** Returns the category if `isbot` recognises the client by a word; otherwise undefined. */
export function findGeneral(userAgent: string): 'crawler' | 'automation' | 'library' | undefined {
  const text = withoutDevice(userAgent)
  if (!isbot(text)) return undefined
  if (crawlerWords.test(text)) return 'crawler'
  if (automationWords.test(text)) return 'automation'
  // Starts like a browser but is not one, so it hides its name.
  if (/^\s*mozilla\//i.test(text)) return hasBrowserShape(text.toLowerCase()) ? 'automation' : undefined
  return /[a-z]{2}/i.test(text) ? 'library' : undefined
}
