// Joins class names; of two that set the same property the last one wins.

import { type ClassValue, clsx } from 'clsx'
import { twMerge } from 'tailwind-merge'

export function cn(...values: readonly ClassValue[]): string {
  return twMerge(clsx(values))
}
