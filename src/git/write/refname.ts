// Checks branch names: allows the names that `git check-ref-format --branch` allows, except names that need quoting.

import { Failure } from '../../lib/failure.ts'

/** Explains why the name is refused; null when it is allowed. */
export function branchProblem(name: string): string | null {
  if (!/^[A-Za-z0-9._/-]{1,200}$/.test(name)) return 'it has other characters than letters, digits and . _ / -'
  if (name === 'HEAD' || name.startsWith('refs/')) return 'HEAD and refs/… are no branch names'
  if (name.startsWith('-')) return 'it begins with a dash'
  if (name.includes('..')) return 'it has two dots in a row'
  if (name.endsWith('.')) return 'it ends with a dot'
  const segments = name.split('/')
  if (segments.includes('')) return 'it has an empty part between slashes'
  if (segments.some((part) => part.startsWith('.'))) return 'a part of it begins with a dot'
  if (segments.some((part) => part.endsWith('.lock'))) return 'a part of it ends with .lock'
  return null
}

/** Returns the full ref. Throws `invalid_input`. */
export function branchRef(name: string): string {
  const problem = branchProblem(name)
  if (problem !== null) throw new Failure('invalid_input', `The branch name is refused: ${problem}.`)
  return `refs/heads/${name}`
}
