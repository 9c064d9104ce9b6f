// Lets few pieces of work run at a time: the next ones wait in line, and those that find the line full are refused.

export type Line = {
  readonly atOnce: number
  readonly waiting: number
  /** Makes the error for work that is refused. */
  readonly full: () => Error
}

/** Returns a function that runs work in its turn. It throws what `full` makes, and whatever the work throws. */
export function createLine({ atOnce, waiting, full }: Line): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = []
  let active = 0
  /** Undefined: there is a place, so the work begins at once. */
  const enter = (): Promise<void> | undefined => {
    if (active < atOnce) {
      active += 1
      return undefined
    }
    if (line.length >= waiting) throw full()
    // Work that ends gives its place to the next, so `active` stays.
    return new Promise((resolve) => line.push(resolve))
  }
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else active -= 1
  }
  return async (work) => {
    const place = enter()
    if (place) await place
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
