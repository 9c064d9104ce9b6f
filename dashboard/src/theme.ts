// Light, dark, or as the system has it. The choice is kept in this browser.

import { useState } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'docent-theme'

/** The chosen theme, and how to choose another. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, choose] = useState(readTheme)
  const change = (chosen: Theme) => {
    localStorage.setItem(key, chosen)
    applyTheme()
    choose(chosen)
  }
  return [theme, change]
}

function readTheme(): Theme {
  const stored = localStorage.getItem(key)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
