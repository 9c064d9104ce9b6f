// The levels of the log. Apart from log.ts, so that the configuration does not load the logger.

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
