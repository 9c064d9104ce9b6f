// The families of device, browser and operating system of a user agent, and the language of a reader. Pure.

import Bowser from 'bowser'
import { parseAccept } from '../classify/accept.ts'
import type { RawPageView } from '../page-view.ts'
import { remember } from '../remember.ts'
import type { ViewDimensions } from './view-dimensions.ts'

type ClientFamilies = Pick<ViewDimensions, 'device' | 'browser' | 'os'>
export type ClientDimensions = ClientFamilies & Pick<ViewDimensions, 'language'>

const unknown: ClientFamilies = { device: '', browser: '', os: '' }

/** Devices of people. A program is a `bot`, or nothing. */
export const devices = ['desktop', 'mobile', 'tablet', 'tv'] as const

/** Families only, no versions or models: few people would share those. An iPad says that it is a Mac. */
export const familiesOf = remember((userAgent): ClientFamilies => {
  if (userAgent === '') return unknown
  const { browser, os, platform } = Bowser.parse(userAgent)
  const device = devices.find((one) => one === platform.type)
  if (device === undefined) return unknown
  return { device, browser: browser.name ?? '', os: os.name ?? '' }
})

/** The first language of a reader (`Accept-Language`), without its region: `de`. Empty: it is not known. */
export const languageOf = remember((accepted): string => {
  const languages = parseAccept(accepted).flatMap(({ value, weight }) => {
    const [, language] = /^([a-z]{2,3})(?:-|$)/.exec(value) ?? []
    return language === undefined || weight === 0 ? [] : [{ language, weight }]
  })
  // The sort is stable: of equal weights, the first one counts.
  return languages.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? ''
})

/** All that the request of a client says about it, as long as its user agent and headers are there. */
export function clientDimensions({ userAgent, signals }: Pick<RawPageView, 'userAgent' | 'signals'>): ClientDimensions {
  const { device, browser, os } = familiesOf(userAgent)
  return { language: languageOf(signals['accept-language'] ?? ''), device, browser, os }
}
