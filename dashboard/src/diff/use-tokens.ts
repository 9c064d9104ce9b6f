// Asks a worker for the colours of the files in sight, each once. Without a worker, or before it answers, lines are plain.

import { useCallback, useEffect, useRef, useState } from 'react'
import { languageOf } from './file-type.ts'
import type { Line } from './patch.ts'
import { type ChangedFile, hunksOf } from './lines/rows.ts'
import type { Token } from './lines/segments.ts'

export type Asked = {
  readonly path: string
  readonly language: string
  readonly hunks: readonly (readonly Pick<Line, 'kind' | 'text' | 'index'>[])[]
}

export type Coloured = { readonly path: string; readonly tokens: readonly (readonly Token[] | undefined)[] }

export type Tokens = ReadonlyMap<string, Coloured['tokens']>

/** Longer files and files with longer lines are seldom written by people. */
const most = { patch: 200_000, line: 2_000 }

const plain: Tokens = new Map()

/** `ask` with the files in sight after each change of what is shown. `files` decides for how long the colours hold. */
export function useTokens(files: readonly ChangedFile[]): {
  readonly tokens: Tokens
  readonly ask: (file: ChangedFile) => void
} {
  const [state, setState] = useState<{ readonly of: readonly ChangedFile[]; readonly tokens: Tokens }>()
  const worker = useRef<Worker | undefined>(undefined)
  const asked = useRef(new Set<string>())
  useEffect(() => {
    const started = new Worker(new URL('./tokens.worker.ts', import.meta.url), { type: 'module' })
    started.addEventListener('message', ({ data }: MessageEvent<Coloured>) =>
      setState((before) => {
        const tokens = new Map(before?.of === files ? before.tokens : [])
        return { of: files, tokens: tokens.set(data.path, data.tokens) }
      }),
    )
    worker.current = started
    asked.current = new Set()
    return () => started.terminate()
  }, [files])
  const ask = useCallback((file: ChangedFile) => {
    const language = languageOf(file.path)
    if (language === undefined || asked.current.has(file.path) || worker.current === undefined) return
    asked.current.add(file.path)
    const lines = hunksOf(file).map((hunk) => hunk.lines)
    if (file.patch.length > most.patch || lines.flat().some(({ text }) => text.length > most.line)) return
    const hunks = lines.map((some) => some.map(({ kind, text, index }) => ({ kind, text, index })))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.current.postMessage({ path: file.path, language, hunks } satisfies Asked)
  }, [])
  return { tokens: state?.of === files ? state.tokens : plain, ask }
}
