// The interface of a browser that the tests steer, and waiting for its page. Each browser has a protocol of its own.

import { setTimeout as delay } from 'node:timers/promises'

export type Browser = {
  /** Opens the address in the window, and waits until the page has loaded. */
  goto(address: string): Promise<void>
  /** The value of an expression in the page, as JSON; a promise is awaited. */
  read<T>(expression: string): Promise<T>
  /** Chooses files in a field. */
  setFiles(selector: string, paths: readonly string[]): Promise<void>
  /** Errors of the pages so far, where the browser reports them. */
  errors(): readonly string[]
  close(): Promise<void>
}

export type BrowserKind = { readonly name: string; readonly open: () => Promise<Browser> }

const patienceMs = 60_000
const pollMs = 50

/** Rejects with the text of the page when the expression has not become true in time. */
export async function waitFor(browser: Browser, expression: string): Promise<void> {
  const until = Date.now() + patienceMs
  for (;;) {
    // A page that is being replaced responds to nothing.
    const holds = await browser.read<boolean>(`Boolean(${expression})`).catch(() => false)
    if (holds) return
    if (Date.now() > until) {
      const shown = await browser.read<string>('location.href + " " + document.body.innerText').catch(String)
      throw new Error(`${expression} has not come: ${shown.slice(0, 2_000)}`)
    }
    await delay(pollMs)
  }
}

/** An expression: does the page show this text? */
export function shows(text: string): string {
  return `document.body?.innerText.includes(${JSON.stringify(text)})`
}

/** Clicks the first control whose name is or begins with the words. */
export async function click(browser: Browser, name: string): Promise<void> {
  const find = `[...document.querySelectorAll('button, a, [role=tab], summary')].find((one) =>
    !one.disabled && (one.ariaLabel ?? one.textContent).trim().startsWith(${JSON.stringify(name)}))`
  await waitFor(browser, find)
  await browser.read(`(${find}.click(), true)`)
}

/** Writes into a field as React sees it when a person types. */
export async function fill(browser: Browser, selector: string, text: string): Promise<void> {
  await waitFor(browser, `document.querySelector(${JSON.stringify(selector)})`)
  await browser.read(`((field) => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
    set.call(field, ${JSON.stringify(text)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
    return true
  })(document.querySelector(${JSON.stringify(selector)}))`)
}
