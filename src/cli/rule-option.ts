// An option that takes a kind and a path, such as `link=docs/legal`, and may be given several times.

import { InvalidArgumentError } from 'commander'

type Rule<Kind extends string> = { readonly kind: Kind; readonly path: string }

/** Returns the parser of such an option. A kind that is not among `choices` is refused with all of them. */
export function createRuleParser<Kind extends string>(choices: readonly Kind[]) {
  return (text: string, before: readonly Rule<Kind>[] = []): readonly Rule<Kind>[] => {
    const [name = '', ...rest] = text.split('=')
    const path = rest.join('=')
    const kind = choices.find((choice) => choice === name)
    if (kind !== undefined && path !== '') return [...before, { kind, path }]
    throw new InvalidArgumentError(`Write kind=path; the kinds are ${choices.join(', ')}.`)
  }
}
