// The lint rules of this repository.

import { textForPeople } from './text-for-people.ts'
import { wholeCharacters } from './whole-characters.ts'

const plugin = {
  meta: { name: 'docent' },
  rules: { 'text-for-people': textForPeople, 'whole-characters': wholeCharacters },
}

// oxlint-disable-next-line import/no-default-export -- oxlint reads the default export
export default plugin
