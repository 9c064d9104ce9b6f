// The names that the examples of a page declare themselves: variables, functions, parameters, imports. Pure, by form, for any
// language.

const name = String.raw`([A-Za-z_$][\w$]*)`
const forms = [
  new RegExp(
    String.raw`\b(?:const|let|var|val|function|class|def|fn|func|interface|type|enum|struct|trait|module|namespace|package|mod|local|sub|record|object)\s+(?:\([^)]*\)\s*)?${name}`,
    'g',
  ),
  new RegExp(String.raw`^\s*(?:export\s+|readonly\s+)?${name}\s*(?::\s*[\w<>[\].| ]+\s*)?(?::=|=(?![=>]))`, 'gm'),
  new RegExp(String.raw`\b(?:for|as|import)\s+\(?(?:const |let |var )?${name}`, 'g'),
]
const lists =
  /\b(?:const|let|var)\s+[{[]([^}\]=]{0,500})[}\]]\s*=|\b(?:function|def|fn|func)\b[^(\n]{0,100}\(([^)]{0,500})\)|\(([\w\s,:{}]{0,200})\)\s*=>|\b(\w+)\s*=>/g

export function declaredNames(blocks: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const block of blocks) {
    for (const form of forms) for (const { 1: found } of block.matchAll(form)) if (found !== undefined) names.add(found)
    for (const match of block.matchAll(lists)) {
      for (const [found] of match
        .slice(1)
        .join(',')
        .matchAll(/[A-Za-z_$][\w$]*/g))
        names.add(found)
    }
  }
  return names
}
