// A list of a review, a page at a time: a change may have thousands of problems.

import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { count } from './words.ts'

const step = 20

type Props<Item> = {
  readonly name: string
  readonly items: readonly Item[]
  /** How many there are, where the response has only some. */
  readonly total?: number
  readonly render: (item: Item) => ReactNode
}

export function ReviewList<Item>({ name, items, total = items.length, render }: Props<Item>) {
  const [most, setMost] = useState(step)
  const left = items.length - most
  return (
    <>
      <ul aria-label={name} className="divide-y divide-line">
        {items.slice(0, most).map((item, index) => (
          // eslint-disable-next-line no-array-index-key -- a list that does not change; the same problem may be there twice
          <li key={index} className="py-2">
            {render(item)}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button size="small" className="my-1" onClick={() => setMost(most + 5 * step)}>
          Show {Math.min(left, 5 * step)} more
        </Button>
      )}
      {left <= 0 && total > items.length && (
        <p className="py-1 text-sm text-muted">
          The first {items.length} of {count(total, 'problem')}.
        </p>
      )}
    </>
  )
}
