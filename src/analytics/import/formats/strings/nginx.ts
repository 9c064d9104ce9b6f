// nginx's `log_format`: variables such as `$time_local` between literal texts. Takes the value alone, with
// `escape=json` before it, or the whole directive as it is in nginx.conf, whose quoted pieces belong together.
// https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format

import { requireRoles } from './to-view.ts'
import { type Part, type Role, type Template, toTemplate } from './template.ts'

/** Throws `invalid_input`. */
export function compileNginx(text: string): Template {
  const template = toTemplate(toParts(toValue(text)))
  const time = '$time_local, $time_iso8601 or $msec'
  requireRoles(template, { time, path: '$request or $request_uri' })
  return template
}

const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['remote_addr', 'address'],
  ['http_x_forwarded_for', 'forwarded'],
  ['time_local', 'clf'],
  ['time_iso8601', 'iso'],
  ['msec', 'unix'],
  ['request', 'request'],
  ['request_method', 'method'],
  ['request_uri', 'target'],
  ['uri', 'target'],
  ['document_uri', 'target'],
  ['is_args', 'query'],
  ['args', 'query'],
  ['query_string', 'query'],
  ['host', 'host'],
  ['http_host', 'host'],
  ['server_name', 'host'],
  ['scheme', 'scheme'],
  ['http_x_forwarded_proto', 'scheme'],
  ['status', 'status'],
  ['http_referer', 'referrer'],
  ['http_user_agent', 'agent'],
  ['sent_http_content_type', 'type'],
])

function toParts(value: string): readonly Part[] {
  return value.split(/(\$\w+|\$\{\w+\})/).map((part, index) => {
    return index % 2 === 0 ? part : { name: part, role: roles.get(part.replaceAll(/[${}]/g, '')) }
  })
}

/** The text of the lines: without the directive, its quotes and its semicolon. */
function toValue(text: string): string {
  const trimmed = text.trim()
  const directive = /^log_format\s+[^\s'"]+\s+/.exec(trimmed)?.[0] ?? ''
  const value = trimmed.slice(directive.length).replace(/^escape=\w+\s+/, '')
  const isQuoted = directive !== '' || value.startsWith("'")
  if (!isQuoted) return value
  const pieces = value.match(/'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g) ?? []
  return pieces
    .map((piece) =>
      piece
        .slice(1, -1)
        .replaceAll(/\\(["'\\])/g, '$1')
        .replaceAll('\\t', '\t'),
    )
    .join('')
}
