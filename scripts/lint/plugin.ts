// The lint rules of this repository.

import { siteNames } from './site-names.ts'
import { textForPeople } from './text-for-people.ts'
import { wholeCharacters } from './whole-characters.ts'

const plugin = {
  meta: { name: 'docent' },
  rules: { 'site-names': siteNames, 'text-for-people': textForPeople, 'whole-characters': wholeCharacters },
}

// oxlint-disable-next-line import/no-default-export -- oxlint reads the default export
export default plugin
