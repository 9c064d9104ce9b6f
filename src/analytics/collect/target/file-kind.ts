// Says whether a request is for a page, for a file that people download, or for a part of a page: by the form of the
// response where it is known (`/docs/node.js` may be a page), otherwise by the path, since access logs rarely have the
// content type. The lists are data; a new extension needs no other change.

import type { RawPageView } from '../../page-view.ts'
import { remember } from '../../remember.ts'

export type FileKind = 'page' | 'download' | 'asset'

/** Files that belong to a page, or that machines read. */
const assets = `avif atom bmp br cjs css csv eot gif ico jpe?g js json jsonld map mjs mp3 mp4 ogg otf png rss svg tiff? ts
  ttf txt wasm wav webm webmanifest webp woff2? xml xsl ya?ml avi bcmap cur jxl m3u8 m4a m4s mov opus vtt`

/** Programs, packages, archives, documents, scripts and logs. */
const downloads = `7z aab apk appimage appx arj asc bat bin bz2 cab cdx cmd conda cpio crate crx deb dll dmg docx? dylib
  ear egg epub exe flatpak flatpakref gem gpg gz h5 img ipa iso jar lha lzma log mobi msi msix msu nupkg odp ods odt
  ova ovf parquet patch pdf pkg pptx? ps1 py pyz rar rpm rtf safetensors sh sha1 sha256 sha512 sig snap sqlite
  squashfs srpm tar tbz2? tgz torrent txz udeb vbox vdi vhdx? vmdk vsix war whl xlsx? xpi xz z zip zst zstd`

const asset = toExpression(assets)
const download = toExpression(downloads)
const textsForAgents = /(?:^|\/)llms(?:-[\w-]+)?\.txt$/i
const textAtWellKnown = /^\/\.well-known\/llms(?:-[\w-]+)?\.txt$/i
/** A part of a page in compressed form: `sitemap.xml.gz`, `search.json.br`. */
const compressed = /\.(?:xml|json|js|mjs|css|svg|html?|txt|wasm)\.(?:gz|br|zst)$/i
/** Paths of the web server or framework, never of pages. */
const machinery = /^\/(?:\.well-known|cdn-cgi|_next\/(?:static|data|image)|_nuxt|_astro|_app\/immutable)(?:\/|$)/

type Request = Pick<RawPageView, 'path' | 'status' | 'representation'> & { readonly signals?: RawPageView['signals'] }

/** The body of a 404 says nothing about the file, and a page that a script or a style gets is a fallback of the server. */
export function kindOfRequest({ path, status, representation, signals = {} }: Request): FileKind {
  const isPart = !['document', 'empty', 'iframe', undefined].includes(signals['sec-fetch-dest'])
  if (representation === undefined || status === 404 || isPart || isOfServer(path)) return fileKindOf(path)
  return 'page'
}

const isOfServer = remember((path: string) => machinery.test(path))

/** `raw` is the path as sent, which may have a query or fragment. */
export const fileKindOf = remember((raw: string): FileKind => {
  const [path = ''] = raw.split(/[?#]/, 1)
  if (textAtWellKnown.test(path)) return 'page'
  if (machinery.test(path) || compressed.test(path)) return 'asset'
  if (asset.test(path)) return textsForAgents.test(path) ? 'page' : 'asset'
  return download.test(path) ? 'download' : 'page'
})

function toExpression(extensions: string): RegExp {
  return new RegExp(String.raw`\.(?:${extensions.split(/\s+/).join('|')})$`, 'i')
}
