// The files of a site, as a check reads them. A commit of the git engine satisfies it; the command line reads a folder.

export type TreeFile = {
  readonly path: string
  /** Only a `file` is read. */
  readonly kind: string
  /** Bytes. */
  readonly size: number
  /** Names the content: files with the same id have the same bytes. */
  readonly oid: string
}

export interface SiteTree {
  /** All files; no folders. */
  entries(): readonly TreeFile[]
  /** Undefined if the file does not exist. May throw for a file over a size limit. */
  read(path: string): Promise<Uint8Array | undefined>
}
