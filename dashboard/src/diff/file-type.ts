// Determines from a file's extension how the diff highlights it and whether it has a preview. Pure.

const languages: Readonly<Record<string, string>> = {
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  css: 'css',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  sh: 'bash',
  py: 'python',
}

/** Returns the syntax-highlighting language. Undefined: no highlighting. */
export function languageOf(path: string): string | undefined {
  return languages[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '']
}

export function isPage(path: string): boolean {
  return /\.(?:mdx?|markdown|rst|adoc|asciidoc|asc)$/i.test(path)
}

/** Pages and images have a preview. */
export function hasPreview(path: string): boolean {
  return isPage(path) || /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path)
}
