// Asks the registry of npm what it knows of a name, through npm, so with the registry and the proxy of the person who releases. A
// registry that does not answer is no reason to believe that a name is free.

import { execFile } from 'node:child_process'

export type Standing =
  | { readonly kind: 'free' }
  /** Its newest version says that it is made of our repository. */
  | { readonly kind: 'ours'; readonly versions: readonly string[] }
  | { readonly kind: 'taken'; readonly repository: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** A package that every registry of npm has. */
const wellKnown = 'npm'

/** By name. Never throws. */
export async function askRegistry(
  names: readonly string[],
  repository: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ReadonlyMap<string, Standing>> {
  const control = await view(wellKnown, env)
  const answers = new Map<string, Standing>()
  for (const name of names) {
    const answer = 'found' in control ? toStanding(await view(name, env), repository) : undefined
    const reason = 'reason' in control ? control.reason : `it does not even know ${wellKnown}`
    answers.set(name, answer ?? { kind: 'unknown', reason })
  }
  return answers
}

type Answer =
  | { readonly found: { readonly versions?: readonly string[] | string; readonly 'repository.url'?: string } }
  | { readonly missing: true }
  | { readonly reason: string }

function toStanding(answer: Answer, repository: string): Standing {
  if ('reason' in answer) return { kind: 'unknown', reason: answer.reason }
  if ('missing' in answer) return { kind: 'free' }
  const { versions = [], 'repository.url': url = '' } = answer.found
  const isOurs = url.replace(/^git\+/, '').replace(/\.git$/, '') === repository
  return isOurs ? { kind: 'ours', versions: [versions].flat() } : { kind: 'taken', repository: url || 'no repository' }
}

function view(name: string, env: NodeJS.ProcessEnv): Promise<Answer> {
  const options = ['--json', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=15000', '--loglevel=silent']
  return new Promise((resolve) => {
    const asked = ['view', name, 'versions', 'repository.url', ...options]
    execFile('npm', asked, { env, timeout: 60_000, maxBuffer: 64 * 1024 ** 2 }, (error, stdout) => {
      const said = parse(stdout)
      if (error === null && said) return resolve({ found: said })
      const { code = '', summary = '' } = (said?.['error'] ?? {}) as {
        readonly code?: string
        readonly summary?: string
      }
      if (code === 'E404') return resolve({ missing: true })
      resolve({ reason: `${code || (error?.message.split('\n')[0] ?? 'no answer')} ${summary}`.trim() })
    })
  })
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
