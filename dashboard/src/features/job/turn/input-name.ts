// Names a part of what the model was given in a turn, in the words of people. Pure.

const names: Readonly<Record<string, string>> = {
  brief: 'Brief about the repository',
  repository_notes: "The repository's notes for agents",
}

/** `notice`: the kind of a notice of the service; null for a message of a person. */
export function nameInput(notice: string | null): string {
  if (notice === null) return 'Message'
  return names[notice] ?? `Notice: ${notice.replaceAll('_', ' ')}`
}
