// Instructions to begin with. Those for the built-in model are of the kinds that it understands, with places to fill in;
// the others need a language model. Pure.

export type Example = { readonly label: string; readonly prompt: string }

const builtIn: readonly Example[] = [
  { label: 'Fix broken links', prompt: 'Fix the broken links' },
  { label: 'Complete the navigation', prompt: 'Add the missing pages to the navigation' },
  { label: 'Rename a term', prompt: 'Rename "Old name" to "New name"' },
  { label: 'Move a page', prompt: 'Move guides/old-page.md to guides/new-page.md' },
  { label: 'Delete a page', prompt: 'Delete the page guides/old-page and the links to it' },
  { label: 'Set a description', prompt: 'Set the description of index.md to "What this product does"' },
]

const open: readonly Example[] = [
  ...builtIn.slice(0, 1),
  {
    label: 'Improve the first page',
    prompt:
      'Rewrite the first page so that a new reader knows within a minute what the product does and where to begin.',
  },
  { label: 'Check spelling', prompt: 'Fix spelling and grammar in all pages. Change no meaning and no code.' },
  ...builtIn.slice(2, 3),
]

export const builtInModel = 'docent/rules'

export function examplesFor(model: string): readonly Example[] {
  return model === builtInModel ? builtIn : open
}

/** Where the first quoted text or path begins and ends: the place that a person fills in. */
export function placeOf(prompt: string): [number, number] {
  const found = /(?<=")[^"]+(?=")|\S+\/\S+/.exec(prompt)
  return found ? [found.index, found.index + found[0].length] : [prompt.length, prompt.length]
}
