// A line of a change as the address of a page names it: `guides/install.md:12`, and line 0 for the file. Pure.

import type { Target } from '../diff/use-target.ts'

export function toAt({ path, line }: Target): string {
  return `${path}:${line}`
}

export function parseAt(at: string): Target {
  const [, path, line] = /^(.*):(\d{1,9})$/s.exec(at) ?? []
  return path === undefined ? { path: at, line: 0 } : { path, line: Number(line) }
}
