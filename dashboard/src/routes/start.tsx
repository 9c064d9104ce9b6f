// The start page: what is left of the first run, and everything else below it.

import { Home } from '../features/home/home.tsx'
import { Reminder } from '../features/setup/first-run/reminder.tsx'
import { Part } from '../ui/page.tsx'

export function Start() {
  return (
    <>
      <Part>
        <Reminder />
      </Part>
      <Home />
    </>
  )
}
