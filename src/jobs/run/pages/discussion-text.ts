// A pull request or an issue as text for a model. Pure.

import type { Discussion, Remark } from '../../../forge/discussion/discussion.ts'

export function describeDiscussion({ title, state, author, body, remarks }: Discussion): string {
  const parts = [
    `# ${title}`,
    `State: ${state}. By: ${author ?? 'nobody known'}.`,
    body,
    ...remarks.map(describeRemark),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describeRemark({ author, at, text, path, line }: Remark): string {
  const place = path === null ? '' : `, on ${path}${line === null ? '' : ` line ${line}`}`
  return `## ${author ?? 'Somebody'}, ${at.slice(0, 16).replace('T', ' ')}${place}\n\n${text}`
}

/** For the head line. */
export function nameDiscussion({ kind, remarks, isWhole }: Discussion): string {
  const more = isWhole ? '' : '; there are more'
  return `${kind === 'pull' ? 'a pull request' : 'an issue'} with ${remarks.length} comments${more}`
}
