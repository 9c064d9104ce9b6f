// The parts that responses of several hosts have in common. Responses are hostile: numbers and texts are limited, and links
// must lead to the forge.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'

export const oid = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
/** The largest number that the database can store. */
export const pullNumber = z.int().positive().max(2_147_483_647)
export const instant = z.iso
  .datetime({ offset: true })
  .max(40)
  .transform((text) => new Date(text).toISOString())

export function text(characters: number): z.ZodString {
  return z.string().max(characters)
}

export const title = text(4_000)
/** GitLab accepts 1,048,576 characters. */
export const body = text(2_000_000)
export const branchName = text(1_000)
/** `owner/name`, with more steps for a group. */
export const repositoryPath = text(500).regex(/^[\w.-]+(?:\/[\w.-]+)+$/)

/** The text of a body. A person's browser ends lines with CR LF. */
export function bodyText(text: string | null | undefined): string {
  return plainText((text ?? '').replaceAll('\r\n', '\n'))
}

/** Returns the link if it leads to a page of the forge, otherwise the usual address of such a page. */
export function pageLink(link: string, webUrl: string, path: string): string {
  const url = URL.parse(link)
  const isPage = url !== null && url.origin === new URL(webUrl).origin && url.username === '' && url.password === ''
  return isPage ? url.href : `${webUrl}/${path}`
}

/** Keeps the slashes of branches and paths, and percent-encodes the names between them. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
