// Reads facts in threads with limits of time and memory. Files go to a thread a few at a time, because most take less time
// than a message. A file beyond the limits ends its thread: another one takes its place and reads those of the message
// again, one by one.

import { askThread, createThreads, startThread } from '../../lib/threads/threads.ts'
import type { ConfigFacts } from '../../sites/config-strings.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts } from './page-facts.ts'
import type { PageSyntax } from '../../docs-syntax/page.ts'

export type FactsTask =
  | { readonly kind: 'page'; readonly syntax: PageSyntax; readonly text: string }
  | { readonly kind: 'data' | 'config'; readonly path: string; readonly text: string }

export type Facts = PageFacts | DataFacts | ConfigFacts

export type FactsThreads = {
  /**
   * Undefined: the file is beyond the limits. Throws when closed, and what `open` throws, which is called when it is the
   * file's turn: the texts of all files do not wait in memory.
   */
  read(open: () => Promise<FactsTask>): Promise<Facts | undefined>
  /** Keeps the threads until the returned function is called, which is done once. */
  hold(): () => void
  close(): Promise<void>
}

type Limits = { readonly atOnce: number; readonly timeMs?: number; readonly memoryMb?: number }

type Waiting = { readonly open: () => Promise<FactsTask> } & Pick<
  PromiseWithResolvers<Facts | undefined>,
  'resolve' | 'reject'
>
type Opened = Waiting & { readonly task: FactsTask }

const idleMs = 10_000
/** The limits of one message. A page of 5 kB takes about a third of a millisecond. */
const most = { files: 32, characters: 100_000 }

export function createFactsThreads({ atOnce, timeMs = 30_000, memoryMb = 512 }: Limits): FactsThreads {
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const threads = createThreads({ start, idleMs, most: atOnce })
  const ask = (tasks: readonly FactsTask[]) =>
    threads.use((thread) => askThread<Facts[]>(thread, tasks, AbortSignal.timeout(timeMs)))
  const waiting: Waiting[] = []
  let working = 0
  const work = async () => {
    // Those that come at the same moment make one message.
    await Promise.resolve()
    while (waiting.length > 0) await readTogether(await openSome(waiting), ask)
    working -= 1
  }
  return {
    read: (open) => {
      const { promise, resolve, reject } = Promise.withResolvers<Facts | undefined>()
      waiting.push({ open, resolve, reject })
      // To start a thread takes as long as to read hundreds of pages.
      if (working < atOnce && waiting.length > working * most.files) {
        working += 1
        void work()
      }
      return promise
    },
    hold: threads.hold,
    close: () => threads.close(),
  }
}

/** Takes them out of `waiting`. */
async function openSome(waiting: Waiting[]): Promise<Opened[]> {
  const opened: Opened[] = []
  let characters = 0
  while (opened.length < most.files && characters < most.characters) {
    const next = waiting.shift()
    if (!next) break
    try {
      const task = await next.open()
      characters += task.text.length
      opened.push({ ...next, task })
    } catch (error) {
      next.reject(error)
    }
  }
  return opened
}

type Ask = (tasks: readonly FactsTask[]) => Promise<Facts[] | undefined>

/** Settles each of them, and never throws. */
async function readTogether(opened: readonly Opened[], ask: Ask): Promise<void> {
  if (opened.length === 0) return
  try {
    const all = await ask(opened.map(({ task }) => task))
    if (!all && opened.length > 1) for (const one of opened) await readTogether([one], ask)
    else for (const [at, { resolve }] of opened.entries()) resolve(all?.[at])
  } catch (error) {
    for (const { reject } of opened) reject(error)
  }
}
