// Limits the open streams per project and per process: each one holds a connection and memory.

import { Failure } from '../../lib/failure.ts'

export interface StreamLimit {
  /** Returns a function that frees the place. Throws `too_many_streams`, or `unavailable` if the process is full. */
  take(projectId: string): () => void
}

const mostOfProject = 100
const mostOfProcess = 1_000
const retryAfter = 15

export function createStreamLimit(limits = { ofProject: mostOfProject, ofProcess: mostOfProcess }): StreamLimit {
  const open = new Map<string, number>()
  const count = () => open.values().reduce((sum, one) => sum + one, 0)
  return {
    take: (projectId) => {
      const mine = open.get(projectId) ?? 0
      if (mine >= limits.ofProject) {
        const message = `This project has ${limits.ofProject} open event streams, which is the limit.`
        throw new Failure('too_many_streams', message, { retryAfter })
      }
      if (count() >= limits.ofProcess) {
        throw new Failure('unavailable', 'Too many event streams are open. Poll instead.', { retryAfter })
      }
      open.set(projectId, mine + 1)
      return () => {
        const left = (open.get(projectId) ?? 1) - 1
        if (left > 0) open.set(projectId, left)
        else open.delete(projectId)
      }
    },
  }
}
