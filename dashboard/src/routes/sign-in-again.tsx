// Asks for the password when the session ended while a page was open. The page stays as it is behind this, with what was
// typed into it, so that the person continues where they were.

import { Dialog } from '@base-ui/react/dialog'
import { queries } from '../api/queries.ts'
import { type Session, sessionQuery } from '../api/people/session.ts'
import { SignInForm } from '../features/sign-in/sign-in-form.tsx'

async function enterAgain(session: Session): Promise<void> {
  queries.setQueryData(sessionQuery.queryKey, session)
  await queries.invalidateQueries()
}

export function SignInAgain() {
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-sunken" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[min(24rem,94vw)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-6">
          <div>
            <Dialog.Title className="text-xl font-semibold">Sign in again</Dialog.Title>
            <Dialog.Description className="mt-1 text-muted">
              Your session ended. The page continues where you left it.
            </Dialog.Description>
          </div>
          <SignInForm onSignedIn={enterAgain} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
