// The images of a page: which files of the repository they are, and their content inside the preview, because a preview
// asks for nothing from anywhere. Knows neither the repository nor the page around them.

import { posix } from 'node:path'

/** An image as the page names it, and the files of the repository that it can be, the likeliest first. */
export type PageImage = { readonly source: string; readonly paths: readonly string[] }

/** Folders from which sites serve files under `/`. */
const roots = ['static', 'public']
const types: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavif/, 'image/avif'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^]{0,200}?>\s*)?(?:<!--[^]{0,500}?-->\s*)?<svg[\s>]/, 'image/svg+xml'],
]

/** Returns undefined for an image of another place. `page`: the path of the page. */
export function locateImage(page: string, source: string): PageImage | undefined {
  const path = decode(source.replace(/[?#][^]*$/, ''))
  if (path === undefined || path === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|\\)/i.test(path)) return undefined
  if (!path.startsWith('/')) return inside(source, [posix.join(posix.dirname(page), path)])
  const folders = ancestorsOf(page)
  return inside(
    source,
    [...folders, ...folders.flatMap((folder) => roots.map((root) => posix.join(folder, root)))],
    `.${path}`,
  )
}

function inside(source: string, folders: readonly string[], path = ''): PageImage | undefined {
  const paths = folders.map((folder) => posix.join(folder, path)).filter((one) => !/^(?:\/|\.\.(?:\/|$)|\.$)/.test(one))
  return paths.length === 0 ? undefined : { source, paths: [...new Set(paths)] }
}

/** The folders above a page, the nearest first, and the root of the repository as the last. */
function ancestorsOf(page: string): readonly string[] {
  const parts = posix.dirname(page).split('/')
  const folders = parts.map((_, count) => parts.slice(0, parts.length - count).join('/'))
  return [...folders.filter((folder) => folder !== '' && folder !== '.').slice(0, 8), '']
}

/** Returns the image as a `data:` address; undefined when the bytes are no image. */
export function toDataAddress(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1')
  const type = types.find(([pattern]) => pattern.test(head))?.[1]
  return type === undefined ? undefined : `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
