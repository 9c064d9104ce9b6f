import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { atEnd } from '../../../test/support/at-end.ts'
import { expectProblem, publicUrl, startBareApp, type Started } from '../../../test/support/openapi-app.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'

const index = '<link rel="icon" href="./assets/icon.svg"><script type="module" src="./assets/index-1.js"></script>'
const script = 'import("./page-2.js")\n'
const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function writeBuild(): Promise<string> {
  const folder = await temporaryFolder('dashboard')
  atEnd(() => removeFolder(folder))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'index.html'), index)
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  await writeFile(join(folder, 'assets/index-1.js'), script)
  await writeFile(join(folder, 'assets/index-1.js.br'), brotliCompressSync(script))
  return folder
}

suite('serving the dashboard', () => {
  let folder: string
  let t: Started
  before(async () => {
    folder = await writeBuild()
    t = await startBareApp({ dashboard: folder })
  })
  const get = (path: string, headers: Record<string, string> = html, at: Started = t) =>
    at.app.request(`${publicUrl}${path}`, { headers })

  test('every address is the page, under a policy that allows files of the service', async () => {
    for (const path of ['/', '/projects/prj_1/jobs/job_1?view=changes', '/sign-in', '/a/b/c.d']) {
      const response = await get(path)
      assert.equal(response.status, 200, path)
      assert.equal(await response.text(), index.replaceAll('./', '/'))
      assert.equal(
        response.headers.get('Content-Security-Policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      )
      assert.equal(response.headers.get('Cache-Control'), 'no-cache')
      assert.equal(response.headers.get('Vary'), 'Accept')
    }
  })

  test('a page that did not change is 304', async () => {
    const tag = (await get('/')).headers.get('ETag') ?? ''
    assert.match(tag, /^"[\w-]{22}"$/)
    assert.equal((await get('/people', { ...html, 'If-None-Match': tag })).status, 304)
    assert.equal((await get('/people', { ...html, 'If-None-Match': '"other"' })).status, 200)
  })

  test('callers that prefer JSON get the 404 of the API, also at the root', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }])
      await expectProblem(await get('/', headers), 404, 'not_found')
    for (const path of ['/v1/nothing', '/v2/x', '/assets/none.js'])
      await expectProblem(
        await get(path),
        path.startsWith('/v') ? 401 : 404,
        path.startsWith('/v') ? 'unauthenticated' : 'not_found',
      )
    await expectProblem(await t.app.request(`${publicUrl}/`, { method: 'POST', headers: html }), 404, 'not_found')
  })

  test('an asset is compressed and kept for good; a missing one is an unkept 404', async () => {
    const response = await get('/assets/index-1.js', { 'Accept-Encoding': 'gzip, br' })
    assert.equal(response.headers.get('Content-Encoding'), 'br')
    assert.equal(response.headers.get('Cache-Control'), 'public, max-age=31536000, immutable')
    assert.match(response.headers.get('Content-Type') ?? '', /javascript/)
    assert.match(response.headers.get('Vary') ?? '', /Accept-Encoding/)
    assert.equal(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString(), script)
    assert.equal(await (await get('/assets/index-1.js', {})).text(), script)
    const missing = await get('/assets/index-0.js')
    assert.equal(missing.headers.get('Cache-Control'), 'no-store')
    await expectProblem(missing, 404, 'not_found')
    for (const path of ['/assets/../.vite/manifest.json', '/assets/%2e%2e/index.html', '/.vite/manifest.json'])
      assert.notEqual(await (await get(path)).text(), '{}', path)
  })

  test('page, assets and API are under a path, whether the proxy removes it or not', async () => {
    const under = await startBareApp({ dashboard: folder, publicUrl: 'https://docs.test/tools/docent' })
    for (const prefix of ['', '/tools/docent']) {
      const page = await (await get(`${prefix}/people`, html, under)).text()
      assert.match(page, /src="\/tools\/docent\/assets\/index-1\.js"/)
      assert.equal((await get(`${prefix}/assets/index-1.js`, {}, under)).status, 200)
      assert.equal((await get(`${prefix}/healthz`, {}, under)).status, 200)
    }
    assert.equal((await get('/tools/docent', html, under)).status, 200)
    // A path that only begins like it is another one.
    assert.equal((await get('/tools/docentx/healthz', {}, under)).status, 404)
  })

  test('without a build the page says what to do, and the API is there', async () => {
    const bare = await startBareApp()
    const problem = await expectProblem(await get('/', html, bare), 404, 'not_found')
    assert.match(problem.detail, /npm ci && npm run build/)
    assert.equal((await get('/healthz', {}, bare)).status, 200)
  })
})
