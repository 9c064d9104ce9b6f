// Firefox ESR without a window, steered by WebDriver BiDi over its own socket.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import type { Browser } from './browser.ts'

const program = process.env['TEST_FIREFOX'] ?? '/usr/bin/firefox-esr'

/** Nothing of the browser's own business: no updates, no first page, no reports. */
const preferences = {
  'app.update.disabledForTesting': true,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

type Message = {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly message?: string
  readonly params?: unknown
}
type Evaluated = {
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

export async function openFirefox(): Promise<Browser> {
  const profile = await temporaryFolder('firefox')
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = once(child, 'exit')
  const socket = new WebSocket(`${await addressOf(child.stderr)}/session`)
  child.stderr.resume()
  await once(socket, 'open')
  const errors: string[] = []
  const send = createSender(socket, ({ method, params }) => {
    const { level, text = '' } = params as { readonly level?: string; readonly text?: string }
    if (method === 'log.entryAdded' && level === 'error') errors.push(text)
  })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await send<{ contexts: readonly { readonly context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context ?? ''
  const evaluate = async (expression: string) => {
    const wanted = { expression, target: { context }, awaitPromise: true, resultOwnership: 'root' }
    const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', wanted)
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result
  }
  const startOf = () =>
    evaluate('JSON.stringify(document.readyState === "complete" ? performance.timeOrigin : 0)').then(
      (found) => Number(found?.value ?? 0),
      () => 0,
    )
  return {
    // Waiting by the protocol never ends after a page came back from memory.
    goto: async (url) => {
      const before = await startOf()
      await send('browsingContext.navigate', { context, url, wait: 'none' })
      for (let tries = 0; tries < 600; tries += 1) {
        const now = await startOf()
        if (now > 0 && now !== before) return
        await delay(50)
      }
      throw new Error(`${url} was not loaded`)
    },
    read: async <T>(expression: string) => {
      const found = await evaluate(`Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`)
      return JSON.parse(found?.value ?? 'null') as T
    },
    setFiles: async (selector, files) => {
      const element = await evaluate(`document.querySelector(${JSON.stringify(selector)})`)
      await send('input.setFiles', { context, element, files })
    },
    errors: () => errors,
    close: async () => {
      // The browser may be gone before it has responded.
      void send('browser.close', {}).catch(() => undefined)
      await exit
      socket.close()
      await removeFolder(profile)
    },
  }
}

async function addressOf(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const found = /WebDriver BiDi listening on (\S+)/.exec(line)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`${program} did not start`)
}

function createSender(socket: WebSocket, onEvent: (message: Message) => void) {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    const waiting = message.id === undefined ? undefined : open.get(message.id)
    if (waiting === undefined) return onEvent(message)
    open.delete(message.id ?? 0)
    if (message.result === undefined) waiting.reject(new Error(message.message))
    else waiting.resolve(message.result)
  })
  let last = 0
  return async <T>(method: string, params: object): Promise<T> => {
    const waiting = Promise.withResolvers<unknown>()
    last += 1
    open.set(last, waiting)
    socket.send(JSON.stringify({ id: last, method, params }))
    return (await waiting.promise) as T
  }
}
