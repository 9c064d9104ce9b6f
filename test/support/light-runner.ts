// Loads Node's test runner without its async hook. The runner follows every promise of the process to know the test to
// which code belongs, which takes up to half of the CPU where code awaits much. An AsyncLocalStorage knows the same
// at no cost. The functions that the runner takes from `node:async_hooks` are exchanged only while it loads; if a version
// of Node takes others, it works as without this file.

import asyncHooks, { AsyncLocalStorage, type AsyncResourceOptions, type HookCallbacks } from 'node:async_hooks'
import type { describe } from 'node:test'

const { AsyncResource, createHook, executionAsyncId } = asyncHooks

/** The number of the test whose function is running. */
const running = new AsyncLocalStorage<number>()
const runner: { callbacks?: HookCallbacks } = {}

/** Each test and suite of the runner is one. */
class FollowedResource extends AsyncResource {
  constructor(type: string, options?: AsyncResourceOptions) {
    super(type, options)
    if (type === 'Test') runner.callbacks?.init?.(this.asyncId(), type, running.getStore() ?? 0, this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    // Inside, because a resource brings the values from where it was made.
    const run = () => running.run(this.asyncId(), () => Reflect.apply(work, thisArg, args))
    return super.runInAsyncScope(run)
  }
}

const hooks = {
  AsyncResource: FollowedResource,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook: (callbacks: HookCallbacks) => {
    runner.callbacks = callbacks
    const hook = { enable: () => hook, disable: () => hook }
    return hook
  },
}

/** Nothing may have loaded `node:test` before. */
export async function loadRunner(): Promise<{ readonly describe: typeof describe }> {
  Object.assign(asyncHooks, hooks)
  try {
    const { describe } = await import('node:test')
    return { describe }
  } finally {
    Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })
  }
}
