// Docent: says that a page is viewed. No cookies, no storage; see docs/guides/page-views.md.
;(() => {
  const isOurs = (script) => script?.src && script.dataset.site?.startsWith('site_')
  const script = [document.currentScript, ...document.scripts].find(isOurs)
  if (!script) return console.warn('Docent: its script needs data-site')
  const { site } = script.dataset
  if (window['docent ' + site]) return
  window['docent ' + site] = true

  let seen
  let referrer = document.referrer.split('/', 3).join('/')

  const view = () => {
    const { host, origin, pathname } = location
    const path = pathname.replace(/\/$/, '')
    if (path === seen || document.hidden || !host) return
    seen = path
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const body = JSON.stringify({ id, url: origin + pathname, referrer })
    referrer = ''
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
