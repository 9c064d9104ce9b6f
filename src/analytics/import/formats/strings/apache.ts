// Apache's `LogFormat`: directives such as `%h` and `%{Referer}i` between literal texts. Takes the value alone, or the
// whole line as it is in the configuration, with its nickname.
// https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats

import { Failure } from '../../../../lib/failure.ts'
import { requireRoles } from './to-view.ts'
import { type Field, type Part, type Role, type Template, toTemplate } from './template.ts'

/** Throws `invalid_input`. */
export function compileApache(text: string): Template {
  const template = toTemplate(toParts(toValue(text)))
  requireRoles(template, { time: '%t', path: '%r or %U' })
  return template
}

const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['a', 'address'],
  ['h', 'address'],
  ['{c}a', 'peer'],
  ['r', 'request'],
  ['m', 'method'],
  ['U', 'target'],
  ['q', 'query'],
  ['v', 'host'],
  ['V', 'host'],
  ['s', 'status'],
  ['{host}i', 'host'],
  ['{referer}i', 'referrer'],
  ['{user-agent}i', 'agent'],
  ['{x-forwarded-for}i', 'forwarded'],
  ['{x-forwarded-proto}i', 'scheme'],
  ['{content-type}o', 'type'],
  ['{sec}t', 'unix'],
  ['{msec}t', 'unix'],
  ['{usec}t', 'unix'],
  ['{%d/%b/%Y:%H:%M:%S %z}t', 'clf'],
  ['{%d/%b/%Y:%T %z}t', 'clf'],
  ['{%Y-%m-%dT%H:%M:%S%z}t', 'iso'],
  ['{%FT%T%z}t', 'iso'],
])

const directive = /%([!\d,]*[<>]?)(?:\{([^}]*)\})?(%|\^t[io]|[a-zA-Z])/g

function toParts(value: string): readonly Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of value.matchAll(directive)) {
    parts.push(value.slice(end, match.index), ...toPart(match))
    end = match.index + match[0].length
  }
  return [...parts, value.slice(end)]
}

function toPart([name, , option, letter = '']: RegExpExecArray): readonly Part[] {
  if (letter === '%') return ['%']
  // Apache writes the brackets itself.
  if (letter === 't' && option === undefined) return ['[', { name, role: 'clf' }, ']']
  return [letter === 't' ? toTime(name, option ?? '') : { name, role: roles.get(toKey(letter, option)) }]
}

function toTime(name: string, option: string): Field {
  const role = roles.get(`{${option.replace(/^(?:begin|end):/, '')}}t`)
  if (role !== undefined) return { name, role }
  const known = '%t, %{sec}t, %{msec}t, %{usec}t and %{%Y-%m-%dT%H:%M:%S%z}t'
  throw new Failure('invalid_input', `${name} does not say the whole time with its zone; Docent reads ${known}.`)
}

/** Names of headers have no case. */
function toKey(letter: string, option: string | undefined): string {
  return option === undefined ? letter : `{${option.toLowerCase()}}${letter}`
}

function toValue(text: string): string {
  const trimmed = text.trim()
  const quoted = /^LogFormat\s+"((?:[^"\\]|\\[\s\S])*)"/i.exec(trimmed)?.[1]
  return (quoted ?? trimmed).replaceAll('\\"', '"').replaceAll('\\t', '\t').replaceAll('\\\\', '\\')
}
