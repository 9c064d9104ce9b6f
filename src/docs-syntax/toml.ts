// Reads TOML. The only file that uses `smol-toml`. Never throws.

import { TomlError, parse as parseToml } from 'smol-toml'
import type { Problem } from './page.ts'

export type TomlText = {
  readonly problem: Problem | null
  readonly names: readonly string[]
  /** Empty if there is a problem. */
  readonly values: Readonly<Record<string, unknown>>
}

export function readToml(text: string): TomlText {
  try {
    const values = parseToml(text)
    return { problem: null, names: Object.keys(values), values }
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1
    const [message = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    return { problem: { line, message }, names: [], values: {} }
  }
}

/** The outermost fields of a frontmatter that are strings or dates, and those that are lists of strings. */
export function tomlFields({ values }: TomlText) {
  const all = Object.entries(values)
  const strings = all.flatMap(([name, value]) => {
    return typeof value === 'string' ? [[name, value]] : value instanceof Date ? [[name, value.toISOString()]] : []
  })
  const lists = all.filter(([, value]) => Array.isArray(value) && value.every((one) => typeof one === 'string'))
  return {
    strings: Object.fromEntries(strings) as Record<string, string>,
    lists: Object.fromEntries(lists) as Record<string, readonly string[]>,
  }
}
