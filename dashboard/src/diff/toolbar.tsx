// The bar above a change: how much it changes, a way to each file, and how its lines are shown.

import { Select } from '../ui/form/select.tsx'
import type { ChangedFile, Layout } from './lines/rows.ts'
import { visible } from './lines/segments.ts'

type Props = {
  readonly files: readonly ChangedFile[]
  readonly current: string
  readonly onJump: (path: string) => void
  /** Undefined: there is room for one column only. */
  readonly layout: Layout | undefined
  readonly onLayout: (layout: Layout) => void
  readonly areAllFolded: boolean
  readonly onFoldAll: () => void
}

const layouts = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Split' },
] as const
/** A document has few elements; later files are reached by scrolling. */
const mostListed = 400

export function Toolbar({ files, current, onJump, layout, onLayout, areAllFolded, onFoldAll }: Props) {
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  const options = files.slice(0, mostListed).map(({ path }) => ({ value: path, label: visible(path) }))
  return (
    <div className="sticky top-0 z-20 flex h-12 items-center gap-3 bg-ground">
      <p className="text-sm whitespace-nowrap text-muted tabular-nums">
        {files.length} {files.length === 1 ? 'file' : 'files'} <span className="text-good">+{additions}</span>{' '}
        <span className="text-bad">−{deletions}</span>
      </p>
      {files.length > 1 && (
        <Select
          name="Jump to a file"
          value={current}
          options={options}
          onChange={onJump}
          className="max-w-80 min-w-0"
        />
      )}
      <div className="ml-auto flex gap-2">
        {files.length > 1 && (
          <button
            type="button"
            onClick={onFoldAll}
            className="hidden h-8 cursor-pointer px-2 text-sm text-muted hover:text-text sm:block"
          >
            {areAllFolded ? 'Expand all' : 'Collapse all'}
          </button>
        )}
        {layout !== undefined && (
          <div role="group" aria-label="Layout" className="flex rounded-md border border-line bg-raised p-0.5">
            {layouts.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                aria-pressed={layout === value}
                onClick={() => onLayout(value)}
                className="h-7 cursor-pointer rounded px-2.5 text-sm text-muted aria-pressed:bg-accent-soft aria-pressed:text-accent"
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}
