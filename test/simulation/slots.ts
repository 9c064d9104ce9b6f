// The times at which a schedule must start something, counted by days of the calendar and not by the code under test: each slot once, one
// for all that passed meanwhile, and no slot of the time in which the automation was paused.

import { Temporal } from 'temporal-polyfill'

export const timeZone = 'Europe/Berlin'

/** `weekday`: 1 is Monday. Undefined: each day. */
export type Times = { readonly hour: number; readonly minute: number; readonly weekday?: number }

export type Slots = {
  /** All that were due at a step. */
  readonly due: readonly Date[]
  /** It was created or turned on. */
  begin(now: Date): void
  pause(): void
  /** Whether a slot has passed, and its run may or may not be due: it starts within five minutes. */
  isOpen(now: Date): boolean
  step(now: Date): void
}

const spreadMs = 300_000

export function dayOf(time: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
}

export function createSlots(times: Times): Slots {
  const due: Date[] = []
  const state: { next: Date | undefined } = { next: undefined }
  const begin = (now: Date) => {
    let day = dayOf(now)
    while (!isDay(times, day) || slotOf(times, day) <= now) day = day.add({ days: 1 })
    state.next = slotOf(times, day)
  }
  const since = (now: Date) => (state.next ? now.getTime() - state.next.getTime() : -1)
  return {
    due,
    begin,
    pause: () => {
      state.next = undefined
    },
    isOpen: (now) => since(now) >= 0 && since(now) < spreadMs,
    step: (now) => {
      if (!state.next || since(now) < spreadMs) return
      due.push(state.next)
      begin(now)
    },
  }
}

function isDay({ weekday }: Times, day: Temporal.PlainDate): boolean {
  return weekday === undefined || day.dayOfWeek === weekday
}

/** A repeated time counts once, the first time; one that the day skips is the end of the gap of an hour. */
function slotOf({ hour, minute }: Times, day: Temporal.PlainDate): Date {
  const wall = day.toPlainDateTime({ hour, minute })
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' })
  const isThere = zoned.toPlainDateTime().equals(wall)
  return new Date((isThere ? zoned : zoned.with({ minute: 0 })).epochMilliseconds)
}
