// Starts the dashboard: the theme, the providers and the router.

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from './api/problem.ts'
import { queries } from './api/queries.ts'
import { router } from './router.tsx'
import './styles.css'
import { applyTheme } from './theme.ts'

applyTheme()

const longestBlankMs = 3_000
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
// The page has a frame in its text, which stays until the first route is known: nothing blinks.
await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, longestBlankMs))])
createRoot(root, {
  // A refusal of the API is shown where it happened; anything else that a page caught is a fault, for the console.
  onCaughtError: (error) => error instanceof Problem || reportError(error),
}).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
