// Loaded before all tests: moves the JavaScript clock as TEST_CLOCK says (`+40d`, or `2028-02-29T12:00:00Z`). Only `Date`
// moves. Timers run normally, and databases and other processes have the real time. A child process gets the same clock if
// it loads this file with the TEST_CLOCK of this process, which is then an offset in milliseconds.

const RealDate = globalThis.Date
const setting = process.env['TEST_CLOCK']
if (setting) moveBy(readOffset(setting))

function readOffset(text: string): number {
  const distance = /^(-?\d+)ms$/.exec(text)?.[1]
  if (distance !== undefined) return Number(distance)
  const days = /^\+(\d+)d$/.exec(text)?.[1]
  const ms = days === undefined ? RealDate.parse(text) - RealDate.now() : Number(days) * 86_400_000
  if (!Number.isFinite(ms)) throw new Error(`TEST_CLOCK must be a number of days such as +40d, or a time: ${text}`)
  return ms
}

function moveBy(offset: number): void {
  process.env['TEST_CLOCK'] = `${offset}ms`
  const now = () => RealDate.now() + offset
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
