// Keeps the page at its end while it grows, for somebody who reads there. A reader who has scrolled up is left alone.

import { useEffect, useLayoutEffect, useRef } from 'react'

const nearPixels = 160

/** `version` changes with what the page shows. The first version scrolls nowhere. */
export function useStayAtEnd(version: string): void {
  const isAtEnd = useRef(false)
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement
      // A page that fits into the window is at its end and at its beginning: it is read from the beginning.
      isAtEnd.current =
        scrollHeight > window.innerHeight && scrollHeight - window.innerHeight - window.scrollY < nearPixels
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    if (isAtEnd.current) window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [version])
}
