// Decides whether this tab holds the browser's one event stream. A hidden tab never holds it.

import { useEffect, useState } from 'react'
import { createStreamTurn, type Message } from './stream-turn.ts'

/** `isWanted`: there is something to stream. */
export function useStreamTurn(isWanted: boolean): boolean {
  const [holdsStream, setHoldsStream] = useState(false)
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
      changed: setHoldsStream,
    })
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => turn.receive(data))
    const leave = () => turn.release()
    const claimOrRelease = () => (document.hidden ? turn.release() : turn.claim())
    document.addEventListener('visibilitychange', claimOrRelease)
    window.addEventListener('focus', claimOrRelease)
    window.addEventListener('pagehide', leave)
    if (!document.hidden) turn.claim()
    return () => {
      document.removeEventListener('visibilitychange', claimOrRelease)
      window.removeEventListener('focus', claimOrRelease)
      window.removeEventListener('pagehide', leave)
      turn.release()
      channel.close()
    }
  }, [isWanted])
  return holdsStream
}
