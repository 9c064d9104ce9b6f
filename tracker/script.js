// Docent: reports page views. No cookies, no storage.
;(() => {
  const isOurs = (script) => script?.src && script.dataset.site?.startsWith('site_')
  const script = [document.currentScript, ...document.scripts].find(isOurs)
  if (!script) return console.warn('Docent: its script needs data-site')
  const { site, router } = script.dataset
  if (window['docent ' + site]) return
  window['docent ' + site] = true

  const [load] = performance.getEntriesByType('navigation')
  let seen, loaded
  let referrer = document.referrer.match(load?.responseStatus === 404 ? /[^?]*/ : /[^/]*(..[^/]*)?/)?.[0]
  let campaign = location.search.match(/(?<=[?&])(utm_[a-z]+|ref)=[^&]+/g)?.join('&')

  const view = () => {
    const { host, origin, pathname, hash } = location
    const route = router === 'hash' && hash.match(/^#!?(\/[^?#]*)/)
    const page = route ? pathname.replace(/\/[^/]*$/, '') + route[1] : pathname
    const path = page.replace(/\/$/, '')
    if (path === seen || document.hidden || !host) return
    seen = path
    loaded ??= path
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const url = origin + page + (campaign ? '?' + campaign : '')
    const status = (path === loaded && load?.responseStatus) || undefined
    const title = path === loaded ? document.title : ''
    const body = JSON.stringify({ id, url, referrer, status, title })
    campaign = referrer = ''
    try {
      fetch(new URL('collect/' + site, script.src), {
        method: 'POST',
        body,
        keepalive: true,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      }).catch(() => {})
    } catch {}
  }

  document.addEventListener('prerenderingchange', view)
  document.addEventListener('visibilitychange', view)
  addEventListener('pageshow', (event) => {
    if (event.persisted) seen = undefined
    view()
  })
  if (window.navigation) navigation.addEventListener('currententrychange', view)
  else {
    addEventListener('popstate', view)
    addEventListener('hashchange', view)
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
