// Why a link does not work, and the way on for somebody who has an account already.

import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { Refused } from '../../ui/notice.tsx'

export function LinkRefused({ error }: { readonly error: unknown }) {
  return (
    <>
      <Refused error={error} />
      <Link to="/sign-in" className={buttonStyle({ kind: 'plain' })}>
        Sign in with a password
      </Link>
    </>
  )
}
