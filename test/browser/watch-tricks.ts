// Opens pages of tricks in a browser as a reader would who touches everything, and says which code of theirs ran. The
// tricks call `alert` or `x`, or load something from `evil.example`.

import type { BrowserContext, Page } from 'playwright-core'

const mark = 'a trick ran: '

/** Runs first in every frame. */
const before = `for (const name of ['alert', 'x']) window[name] = (what) => console.debug(${JSON.stringify(mark)} + name)`

/** Sends each element its events and clicks, and follows no link but those that are code. */
const touch = `(() => {
  const isCode = (address) => /^\\s*javascript:/i.test(address ?? '')
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a, area')
    const address = link?.href?.baseVal ?? link?.href
    if (link && !isCode(address)) event.preventDefault()
  }, true)
  addEventListener('submit', (event) => {
    if (!isCode(event.submitter?.formAction) && !isCode(event.target.action)) event.preventDefault()
  }, true)
  for (const one of document.querySelectorAll('*')) {
    for (const name of one.getAttributeNames()) {
      if (!/^on/i.test(name)) continue
      if (typeof one[name.toLowerCase()] === 'function') console.debug(${JSON.stringify(mark)} + 'handler ' + name)
      one.dispatchEvent(new Event(name.slice(2).toLowerCase()))
    }
    for (const name of ['mouseover', 'focus']) one.dispatchEvent(new Event(name))
    one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  }
})()`

/** Lets the browser do what the clicks have asked for. */
const settle = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))'

export async function prepareTricks(context: BrowserContext): Promise<void> {
  await context.addInitScript(before)
  // Nothing is asked of the network.
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort())
}

/** `isLive`: waits until the page has loaded what its own scripts ask for. Returns what ran, in the page's order. */
export async function openTrick(page: Page, address: string, isLive: boolean): Promise<readonly string[]> {
  const ran: string[] = []
  const onConsole = (message: { readonly text: () => string }) => {
    if (message.text().startsWith(mark)) ran.push(message.text().slice(mark.length))
  }
  const onRequest = (request: { readonly url: () => string; readonly resourceType: () => string }) => {
    const isRun = ['script', 'fetch', 'xhr', 'ping'].includes(request.resourceType())
    if (isRun && /^https?:\/\/[^/]*evil\.example\//.test(request.url())) ran.push(request.resourceType())
  }
  page.on('console', onConsole)
  page.on('request', onRequest)
  await page.goto(address, { waitUntil: isLive ? 'networkidle' : 'load' })
  for (const frame of page.frames()) await frame.evaluate(touch)
  await page.evaluate(settle)
  await page.evaluate(settle)
  page.off('console', onConsole)
  page.off('request', onRequest)
  return ran
}
