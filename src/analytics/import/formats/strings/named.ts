// Formats of servers that have one fixed format of text. Each is a format string, as its documentation shows the lines:
// Traefik: https://doc.traefik.io/traefik/observability/access-logs/ (CLF)
// ALB: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html

import type { Template } from './template.ts'
import { compileApache } from './apache.ts'
import { compileNginx } from './nginx.ts'

/** The fields after the last one that is read differ by release. */
export const textFormats = {
  common: () => compileApache('%h %l %u %t "%r" %>s %b'),
  traefik: () => open(compileNginx(`${clf} "$http_referer" "$http_user_agent"`)),
  traefikBare: () => open(compileNginx(`${clf} - "$http_user_agent"`)),
  alb: () => open(compileNginx(`$type $time_iso8601 $elb $remote_addr ${albNumbers} "$request" "$http_user_agent"`)),
} as const satisfies Readonly<Record<string, () => Template>>

const clf = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent'
const albNumbers = '$target $time1 $time2 $time3 $status $target_status $received $sent'

function open(template: Template): Template {
  return { ...template, isOpen: true }
}
