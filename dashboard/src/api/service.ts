// Does the service respond? Every call of the API says so, and the banner of the frame waits here for it to come back.

import { useSyncExternalStore } from 'react'

const state = { isReachable: true }
const listeners = new Set<() => void>()

export function reportService(isReachable: boolean): void {
  if (state.isReachable === isReachable) return
  state.isReachable = isReachable
  for (const listener of listeners) listener()
}

export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => state.isReachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
