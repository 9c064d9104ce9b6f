// Reports page views to Docent, without cookies. Stores nothing, except that a visitor opted out. It is served without
// comments and indentation.
;(() => {
  const ours = 'script[src][data-site^=site_]'
  const script = document.currentScript?.closest(ours) ?? document.querySelector(ours)
  if (!script) return console.warn('Docent: its script needs data-site')
  const { site, router } = script.dataset
  if (window['docent ' + site]) return
  window['docent ' + site] = true

  const [load] = performance.getEntriesByType('navigation')
  let seen, loaded, opted
  let referrer = document.referrer.match(load?.responseStatus === 404 ? /[^?]*/ : /[^/]*(..[^/]*)?/)?.[0]
  let campaign =
    location.search
      .match(/[?&](utm_[a-z]+|ref)=[^&]+/g)
      ?.join('')
      .replace(/./, '?') ?? ''

  const view = () => {
    if (document.hidden || !location.host) return
    const { origin, pathname, hash } = location
    // Any link to `#docent-opt-out` or `#docent-opt-in`. Where the browser stores nothing, it holds until the page is left.
    const opt = hash.match(/^#docent-opt-(in|out)$/)?.[1]
    opted = opt ?? opted
    try {
      if (opt) localStorage.docent = opt
      opted = localStorage.docent
    } catch {}
    const route = router === 'hash' && hash.match(/^#!?(\/[^?#]*)/)
    const page = route ? pathname.replace(/\/[^/]*$/, '') + route[1] : pathname
    const path = page.replace(/\/$/, '')
    if (opted === 'out' || path === seen) return
    seen = path
    loaded ??= path
    const [status, title] = path === loaded ? [load?.responseStatus || undefined, document.title] : []
    const body = JSON.stringify({
      id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      url: origin + page + campaign,
      referrer,
      status,
      title,
    })
    campaign = referrer = ''
    try {
      fetch(new URL('collect/' + site, script.src), {
        method: 'POST',
        body,
        keepalive: true,
        credentials: 'omit',
        referrer: '',
      }).catch(() => {})
    } catch {}
  }

  document.addEventListener('prerenderingchange', view)
  document.addEventListener('visibilitychange', view)
  addEventListener('pagehide', () => (seen = undefined))
  addEventListener('pageshow', view)
  if (window.navigation) navigation.addEventListener('currententrychange', view)
  else {
    // A change of the fragment fires it, too.
    addEventListener('popstate', view)
    for (const name of ['pushState', 'replaceState']) {
      const change = history[name]
      history[name] = (...state) => {
        change.apply(history, state)
        view()
      }
    }
  }
  view()
})()
