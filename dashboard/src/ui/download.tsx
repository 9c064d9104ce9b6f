// A button that fetches a file and hands it to the browser. It shows a refusal beside the button; a plain link would save
// the refusal as the file.

import { useMutation } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'
import { Button } from './button.tsx'

type Props = {
  /** The content of the file, for screen readers: `the series`. */
  readonly of: string
  readonly format: 'CSV' | 'SARIF'
  readonly file: string
  readonly read: () => Promise<Blob>
}

export function Download({ of, format, file, read }: Props) {
  const download = useMutation({ mutationFn: read, onSuccess: (blob) => save(blob, file) })
  return (
    <>
      <Button
        size="small"
        busy={download.isPending}
        aria-label={`Download ${of} as ${format}`}
        onClick={() => download.mutate()}
      >
        {format}
      </Button>
      {download.isError && (
        <p role="alert" className="w-full text-sm text-bad">
          {download.error instanceof Problem ? download.error.message : 'The file could not be downloaded.'}
        </p>
      )}
    </>
  )
}

function save(blob: Blob, file: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  URL.revokeObjectURL(address)
}
