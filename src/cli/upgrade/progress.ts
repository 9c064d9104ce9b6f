// Shows which step of a rehearsal is under way, for how long already.

import type { CommandContext } from '../context.ts'
import { createScreen } from '../screen.ts'

export type Progress = { show(step: string): void; clear(): void }

const everyMs = 1_000

export function createProgress({ output, json }: CommandContext): Progress {
  const screen = json ? undefined : createScreen(output)
  const state = { step: '', began: performance.now() }
  const paint = () => {
    const seconds = Math.floor((performance.now() - state.began) / 1_000)
    screen?.live([{ style: 'gray', text: `${state.step} … ${seconds} s` }])
  }
  const timer = screen && setInterval(paint, everyMs)
  return {
    show: (step) => {
      state.step = step
      paint()
    },
    clear: () => {
      clearInterval(timer)
      screen?.clear()
    },
  }
}
