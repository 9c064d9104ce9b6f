// Says whether this tab has the browser's one stream of events. A hidden tab never has it.

import { useEffect, useState } from 'react'
import { createStreamTurn, type Message } from './stream-turn.ts'

/** `isWanted`: there is something to stream. */
export function useStreamTurn(isWanted: boolean): boolean {
  const [hasTurn, setTurn] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    const channel = new BroadcastChannel('docent-stream')
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const turn = createStreamTurn({
      // eslint-disable-next-line require-post-message-target-origin -- a channel stays within its origin
      send: (message) => channel.postMessage(message),
      id,
      now: Date.now,
      wants: () => !document.hidden,
      changed: setTurn,
    })
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => turn.receive(data))
    const leave = () => turn.release()
    const look = () => (document.hidden ? turn.release() : turn.claim())
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    window.addEventListener('pagehide', leave)
    if (!document.hidden) turn.claim()
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
      window.removeEventListener('pagehide', leave)
      turn.release()
      channel.close()
    }
  }, [isWanted])
  return hasTurn
}
