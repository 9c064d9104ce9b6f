// How long somebody stays the same visitor, with what each choice costs: in numbers, or in privacy.

import type { Project } from '../../../api/projects.ts'

type Window = Project['visitorWindow']

/** Exhaustive: a new choice of the service is a type error here. */
const words: Readonly<Record<Window, { readonly label: string; readonly hint: string }>> = {
  day: {
    label: 'A day',
    hint: 'Most private: nobody is recognised the next day. A person who comes on five days counts five times in a week.',
  },
  week: { label: 'A week', hint: 'A person who comes in every week counts four or five times in a month.' },
  month: {
    label: 'A calendar month',
    hint: 'A person counts once in a month, and once in each month of a longer range. Their visits of a month can be connected with each other.',
  },
  never: {
    label: 'Without an end',
    hint: 'Least private: a person counts once in any range, because their visits stay connected for as long as page views are kept. The law may then ask for consent.',
  },
}

const all = (Object.keys(words) as Window[]).map((value) => ({ value, ...words[value] }))

/** With strict privacy the service takes no other than a day. */
export function windowsFor({ privacy }: Pick<Project, 'privacy'>) {
  return privacy === 'strict' ? all.filter(({ value }) => value === 'day') : all
}
