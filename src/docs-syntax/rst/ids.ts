// How docutils, and so Sphinx, makes the id of an element from its name (`make_id` and `set_id` in docutils/nodes.py).

/** Letters that Unicode does not take apart. */
const pairs =
  'øo đd ħh ıi łl ŧt ƀb ƃb ƈc ƌd ƒf ƙk ƚl ƞn ƥp ƫt ƭt ƴy ƶz ǥg ȥz ȡd ȴl ȵn ȶt ȷj ȼc ȿs ɀz ɇe ɉj ɋq ɍr ɏy ßsz æae œoe ȸdb ȹqp'
const letters = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const))

/** The id of a name; '' if it has no letter of the Latin alphabet. */
export function docutilsId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\0-\x7F]/g, (character) => letters.get(character) ?? character)
    .normalize('NFKD')
    .replace(/[^\0-\x7F]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .replace(/-$/, '')
}

/** Collapses white space and case, as names of targets are compared. */
export function normaliseName(name: string): string {
  return name.toLowerCase().trim().split(/\s+/).join(' ')
}

/** The ids of one page. An element without a name, or with one that is taken, gets `id1`, `id2` and so on. */
export type IdRegister = { readonly taken: Set<string>; counter: number }

export function createRegister(): IdRegister {
  return { taken: new Set(), counter: 0 }
}

export function registerId(register: IdRegister, name = ''): string {
  let id = docutilsId(name)
  while (id === '' || register.taken.has(id)) id = `id${++register.counter}`
  register.taken.add(id)
  return id
}
