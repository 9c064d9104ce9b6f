// Loaded before all else, and moves the clock of JavaScript: by `TEST_CLOCK=+40d`, or to `TEST_CLOCK=2028-02-29T12:00:00Z`.
// Only `Date` moves, and only in this process: timers run as ever, and databases and other processes have the real time.

const RealDate = globalThis.Date
const setting = process.env['TEST_CLOCK'] ?? '+0d'
const offset = readOffset(setting)

function readOffset(text: string): number {
  const days = /^\+(\d+)d$/.exec(text)?.[1]
  const ms = days === undefined ? RealDate.parse(text) - RealDate.now() : Number(days) * 86_400_000
  if (!Number.isFinite(ms)) throw new Error(`TEST_CLOCK must be a number of days such as +40d, or a time: ${text}`)
  return ms
}

const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
})
