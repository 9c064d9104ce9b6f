import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPreviews } from './previews.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
const nothing = async () => undefined

test('pages are read in a thread, one after the other, with images of the repository', async () => {
  const previews = createPreviews()
  const read = async (path: string) => (path === 'docs/a.png' ? png : undefined)
  const content = Buffer.from('\uFEFF# Title\n\n![A](a.png)\n')
  const html = await previews.preview({ path: 'docs/a.mdx', content, read })
  assert.equal(html, `<h1>Title</h1>\n<p><img src="data:image/png;base64,${png.toString('base64')}" alt="A"></p>`)
  assert.equal(await previews.preview({ path: 'b.md', content: Buffer.from('# Next'), read }), '<h1>Next</h1>')
})

test('a page that takes too long is shown as its text', async () => {
  const html = await createPreviews({ timeMs: 1, atOnce: 1 }).preview({
    path: 'a.md',
    content: Buffer.from('# One <b>'),
    read: nothing,
  })
  assert.match(html ?? '', /cannot be shown as a page.*# One &lt;b>/)
})

test('an image is shown as itself, any other file has no preview', async () => {
  const previews = createPreviews()
  assert.match(
    (await previews.preview({ path: 'a.png', content: png, read: nothing })) ?? '',
    /<img src="data:image\/png;/,
  )
  assert.equal(await previews.preview({ path: 'a.json', content: Buffer.from('{}'), read: nothing }), undefined)
})

test('a failure to read an image ends the preview, and the next one is made', async () => {
  const previews = createPreviews({ timeMs: 60_000, atOnce: 1 })
  const content = Buffer.from('![A](a.png)\n')
  const fail = () => Promise.reject(new Error('the repository is away'))
  await assert.rejects(previews.preview({ path: 'a.md', content, read: fail }), /is away/)
  assert.match((await previews.preview({ path: 'a.md', content, read: nothing })) ?? '', /Image: A/)
})
