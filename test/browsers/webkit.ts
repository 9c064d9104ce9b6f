// WebKitGTK's MiniBrowser on a virtual screen, steered by WebKitWebDriver. It reports no errors of pages.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import type { Browser } from './browser.ts'

const driver = process.env['TEST_WEBKIT_DRIVER'] ?? '/usr/bin/WebKitWebDriver'
const programs = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser'
const pollMs = 100
const element = 'element-6066-11e4-a52e-4f735466cecf'

export async function openWebKit(): Promise<Browser> {
  const home = await temporaryFolder('webkit')
  const [binary] = globSync(programs)
  if (binary === undefined) throw new Error(`There is no ${programs}: install webkit2gtk-driver.`)
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  const port = await findPort()
  const env = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: `:${String(display).trim()}`,
  }
  const child = spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' })
  const call = createCaller(`http://127.0.0.1:${port}`)
  await untilUp(call)
  const options = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: options },
  })
  const at = `/session/${sessionId}`
  await call('POST', `${at}/timeouts`, { script: 60_000, pageLoad: 60_000 })
  return {
    goto: async (url) => void (await call('POST', `${at}/url`, { url })),
    read: async <T>(expression: string) => {
      const script = `const [done] = arguments; Promise.resolve().then(() => (${expression})).then(
        (value) => done(JSON.stringify({ value: value ?? null })), (error) => done(JSON.stringify({ error: String(error) })))`
      const text = await call<string>('POST', `${at}/execute/async`, { script, args: [] })
      const { value, error } = JSON.parse(text) as { readonly value: T; readonly error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    },
    setFiles: async (selector, paths) => {
      const found = await call<Record<string, string>>('POST', `${at}/element`, {
        using: 'css selector',
        value: selector,
      })
      await call('POST', `${at}/element/${found[element]}/value`, { text: paths.join('\n') })
    },
    errors: () => [],
    close: async () => {
      await call('DELETE', at)
      await end(child)
      await end(screen)
      await removeFolder(home)
    },
  }
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>

function createCaller(address: string): Call {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { readonly value: unknown }
    if (!response.ok) throw new Error(JSON.stringify(value).slice(0, 1_000))
    return value as T
  }
}

async function untilUp(call: Call): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await call('GET', '/status').then(
        () => true,
        () => false,
      )
    )
      return
    await delay(pollMs)
  }
  throw new Error(`${driver} did not start`)
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
