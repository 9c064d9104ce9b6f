// Recognises requests that only ask whether a server is alive: load balancers, orchestrators and probes of containers, by
// their user agent or by a path that only they request. Monitors of other companies that read pages are crawlers instead.

import { remember } from '../remember.ts'

const probes =
  /kube-probe\/|elb-healthchecker\/|googlehc\/|route ?53[- ]health|consul health check|envoy\/hc|haproxy\b|edge health probe|load balancer agent|\bhealth-?check(?:er|s)?\b|^docker-health|^blackbox[ -]exporter|^nginx-probe|^varnish\b.*probe/i
/** Not `/health`, `/status` or `/ping`: documentation has pages with these names. */
const paths =
  /^\/(?:healthz|livez|readyz|startupz|_health|health_?check|healthcheckz|health\/(?:live|ready)|-\/(?:healthy|ready))\/?$/i

const isProbePath = remember((path) => paths.test(path.split(/[?#]/, 1)[0] ?? ''))
const isProbe = remember((userAgent) => probes.test(userAgent))

export function isHealthCheck(path: string, userAgent: string): boolean {
  return isProbePath(path) || isProbe(userAgent)
}
