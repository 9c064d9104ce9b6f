// The last resort: `isbot`, used only in this file, recognises clients that no list names. A client that calls itself a
// crawler is one, whatever it requests; anything else that `isbot` matches is a tool or a library.

import { isbot } from 'isbot'
import { hasBrowserShape, withoutDevice } from './browser.ts'

/** `cubot` is a maker of phones. */
const crawlerWords = /(?:^|[^u]|[^c]u)bots?\b|crawl|spider|scrap(?:er|y)|archiver|indexer|fetcher|preview|monitor/i
const automationWords = /headless|phantomjs|selenium|webdriver|puppeteer|playwright|electron\//i

/** What `isbot` holds it for; undefined: nothing, or there is no word in it to hold it for. */
export function findGeneral(userAgent: string): 'crawler' | 'automation' | 'library' | undefined {
  const text = withoutDevice(userAgent)
  if (!isbot(text)) return undefined
  if (crawlerWords.test(text)) return 'crawler'
  if (automationWords.test(text)) return 'automation'
  // `Mozilla/5.0` and more of a browser than that, but none: it hides its name.
  if (/^\s*mozilla\//i.test(text)) return hasBrowserShape(text.toLowerCase()) ? 'automation' : undefined
  return /[a-z]{2}/i.test(text) ? 'library' : undefined
}
