// The scripts that move and delete pages. They find the page that the instruction names. The tools that they call update
// links and navigation.

import { posix } from 'node:path'
import type { DeletePage, MovePage } from '../instruction.ts'
import { pathOfLine } from '../../tools/result.ts'
import {
  type CallResult,
  type Outcome,
  type Script,
  callOne,
  type Layout,
  readLayout,
  reasonOf,
  unchanged,
} from '../script.ts'
import { amount, listed } from '../words.ts'
import { cleanPath, findPage } from './find-page.ts'

export function* movePage(instruction: MovePage): Script {
  const found = yield* findPage(instruction.from)
  if ('problem' in found) {
    const there = yield* findPage(instruction.to)
    const moved = 'path' in there && !instruction.isFolder ? ` ${there.path} is there already.` : ''
    return unchanged(`${found.problem} It was not moved.${moved}`)
  }
  const to = destination(instruction, found.path, yield* readLayout())
  if (to === found.path) return unchanged(`${to} is at this path already.`)
  const input = { from: found.path, to, updateLinks: true }
  const result = yield* callOne(`Moving ${found.path} to ${to}.`, { tool: 'move_file', input })
  if (result.isError) return unchanged(`${found.path} was not moved: ${reasonOf(result)}`)
  return { changed: true, ...outcomeOf(`Moved ${found.path} to ${to}`, result) }
}

export function* deletePage(instruction: DeletePage): Script {
  const found = yield* findPage(instruction.path)
  if ('problem' in found) return unchanged(`${found.problem} Nothing was deleted.`)
  const input = { path: found.path, removeLinks: true }
  const result = yield* callOne(`Deleting ${found.path}.`, { tool: 'delete_file', input })
  if (result.isError) return unchanged(`${found.path} was not deleted: ${reasonOf(result)}`)
  return { changed: true, ...outcomeOf(`Deleted ${found.path}`, result) }
}

/** Returns the full path: with the extension of the page, in the folder of the site that contains the page. */
function destination({ from, to, isFolder }: MovePage, found: string, { sites }: Layout): string {
  const extension = posix.extname(found)
  const wanted = isFolder ? posix.join(cleanPath(to), posix.basename(found)) : cleanPath(to)
  const hasOwn = isPage(extension) ? isPage(posix.extname(wanted)) : posix.extname(wanted) !== ''
  const named = hasOwn ? wanted : wanted + extension
  const site = rootOf(from, found, sites)
  return named.startsWith(site) ? named : site + named
}

/**
 * Returns the folder that page names are relative to, with a trailing slash: that of the pages of a site, otherwise the
 * part of the found path that the given name left out.
 */
function rootOf(from: string, found: string, sites: Layout['sites']): string {
  const folders = sites.flatMap(({ roots }) => roots.map(({ folder }) => (folder === '' ? '' : `${folder}/`)))
  const site = folders.toSorted((a, b) => b.length - a.length).find((folder) => found.startsWith(folder))
  if (site !== undefined) return site
  const short = cleanPath(from).replace(/\.\w+$/, '')
  const at = found.replace(/\.\w+$/, '').replace(/\/index$/, '')
  return short.includes('/') && at.endsWith(`/${short}`) ? at.slice(0, -short.length) : ''
}

function isPage(extension: string): boolean {
  return /^\.(?:mdx?|markdown)$/.test(extension)
}

/** The files that were changed with the page, the redirect, and the places that may still name it. */
function outcomeOf(done: string, { text, facts }: CallResult): Pick<Outcome, 'done' | 'left'> {
  const { references = 0, files = 0, redirect } = facts ?? {}
  const lines = text.split('\n').slice(1)
  const paths = lines.slice(0, files).map(pathOfLine)
  const notes = lines.slice(files).map((line) => line.replace(/^\[(.*)\]$/, '$1'))
  const [redirected = ''] = redirect === undefined ? [] : notes.splice(0, 1)
  const nothing = notes.length === 0 ? '; nothing refers to it.' : '.'
  const updated = ` and updated ${amount(references, 'reference')} in ${amount(files, 'file')}: ${listed(paths)}.`
  const sentence = redirected.charAt(0).toUpperCase() + redirected.slice(1)
  return {
    done: [done + (files === 0 ? nothing : updated), ...(redirect === 'written' ? [`${sentence}.`] : [])],
    left: [...(redirect === 'not_written' ? [`${sentence}.`] : []), ...notes],
  }
}
