// A short state in colour and in words: colour alone says nothing to many people.

import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const style = cva('inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap', {
  variants: {
    tone: {
      neutral: 'bg-sunken text-muted',
      accent: 'bg-accent-soft text-accent',
      good: 'bg-good-soft text-good',
      bad: 'bg-bad-soft text-bad',
      warn: 'bg-warn-soft text-warn',
    },
  },
  defaultVariants: { tone: 'neutral' },
})

export type Tone = NonNullable<VariantProps<typeof style>['tone']>

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={style({ tone })}>{children}</span>
}
