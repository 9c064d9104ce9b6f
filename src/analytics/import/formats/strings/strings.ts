// Which server a format string belongs to. A text with `$name` is one of nginx, a text with `%t` one of Apache.

import { Failure } from '../../../../lib/failure.ts'
import { compileApache } from './apache.ts'
import { compileNginx } from './nginx.ts'
import type { Template } from './template.ts'

export type StringName = 'nginx string' | 'apache string'

/** Undefined if the text is no format string. Throws `invalid_input` for one that lines cannot be read by. */
export function compileString(text: string): { readonly name: StringName; readonly template: Template } | undefined {
  // Longer than any format that a person writes.
  if (text.length > 4_096) throw new Failure('invalid_input', 'The format is longer than 4,096 characters.')
  if (/\$\{?[a-z]/.test(text)) return { name: 'nginx string', template: compileNginx(text) }
  if (/%[!\d,]*[<>]?(?:\{|[a-zA-Z])/.test(text)) return { name: 'apache string', template: compileApache(text) }
  return undefined
}
