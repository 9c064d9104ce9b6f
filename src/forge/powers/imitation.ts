import { startOf } from '../../lib/plain-text.ts'
// The service writes a section of facts and a note into pull requests. A model could write lines that look the same: they
// say that a model wrote them. Pure.

/** The first words of what the service says, in lower case, as a pattern. */
const openings = [
  'docent states',
  'docent adds',
  'docent job',
  'docent runs no',
  'no model wrote',
  'asked ?:',
  'references in the messages',
  'titles that the agent gave',
  'pages ?:',
  'pages read',
  'other files of the documentation',
  'files outside the documentation',
  'new outside hosts',
  'checks ?:',
  'new problems',
  'fixed problems',
  'problems that were there before',
  'lost from the documentation',
  'edits that the policy refused',
  'this deletes pages',
  'this changes code that runs',
  'this adds code to pages',
  'this changes files that tools',
  'this sends readers',
  'this inserts other files',
  'the policy refuses',
  'this change brings',
  'this is a part of the work',
  'the documentation of this change could not',
  'the model tried',
]
const said = new RegExp(String.raw`^(?:${openings.join('|')})(?![a-z])`)
/** A line of the service begins in bold, as a heading, or with its name. */
const marked = /^[ \t>]*(?:#{1,6}[ \t]+|[*_]{2,3}|<(?:b|strong|summary|h\d)>)/i

/** Names the model in each line that begins as one of the service does. */
export function nameAuthor(text: string): string {
  return text
    .split('\n')
    .map((line) => (isImitation(line) ? nameModel(line) : line))
    .join('\n')
}

function nameModel(line: string): string {
  const words = line.replace(/^[ \t>#*_]+/, '')
  return /^docent\b/i.test(words) ? `The model (not Docent)${words.slice(6)}` : `The model writes: ${words}`
}

function isImitation(line: string): boolean {
  const words = startOf(line, 400)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/<[^<>]*>|&#8203;|\u200b/g, '')
    .replaceAll(/[^a-z:]+/g, ' ')
    .trim()
  return said.test(words) && (marked.test(line) || /^(?:docent|no model)/.test(words))
}
