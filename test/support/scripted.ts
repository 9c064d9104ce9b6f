// The service with a scripted model, and ready-made responses for scripts.

import { type ChatMessage, countAnswers, type ModelServer, type Scripted, startModelServer } from './model-server.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { ServeOptions } from '../../src/service/service.ts'
import type { Files } from './repository.ts'
import { type Client, startService, type TestService } from './service.ts'

export type ScriptedService = {
  readonly model: ModelServer
  readonly running: TestService
  readonly client: Client
  readonly repository: string
  /** The model gives these responses from now on, one after another. After the last one it reports nothing to do. */
  readonly play: (...answers: readonly Scripted[]) => void
  close(): Promise<void>
}

export async function startScriptedService(
  options: ServeOptions = {},
  more: Environment = {},
  files: Files = pages,
): Promise<ScriptedService> {
  const model = await startModelServer(() => ({ text: 'unscripted' }))
  const settings = { DOCENT_MODEL: 'compatible/scripted', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl, ...more }
  const running = await startService(files, settings, options)
  return {
    model,
    running,
    client: running.client,
    repository: running.repository,
    play: (...answers) => {
      const before = { answers: -1 }
      model.script = (messages) => {
        if (before.answers < 0) before.answers = countAnswers(messages)
        return answers[countAnswers(messages) - before.answers] ?? nothing
      }
    },
    close: async () => {
      await running.close()
      await model.close()
    },
  }
}

const pages = {
  'index.md': '# Home\n\nWelcome to Acme.\n',
  'guides/a.md': '# A\n\nOne.\n\nTwo.\n',
  'AGENTS.md': 'Write short sentences.\n',
}

export function edit(path: string, oldText: string, newText: string): Scripted {
  return { calls: [{ name: 'edit_file', input: { path, edits: [{ oldText, newText }] } }] }
}

export function write(path: string, content: string): Scripted {
  return { calls: [{ name: 'write_file', input: { path, content } }] }
}

export const finish: Scripted = { calls: [{ name: 'finish', input: { title: 'A title', summary: 'A summary.' } }] }
export function ask(question: string): Scripted {
  return { calls: [{ name: 'finish', input: { question } }] }
}

export const nothing: Scripted = { calls: [{ name: 'finish', input: { noChange: 'All is well.' } }] }

export function lastUser(messages: readonly ChatMessage[]): string | null | undefined {
  return messages.findLast((message) => message.role === 'user')?.content
}
