// The families of device, browser and operating system of a user agent, and the language of a reader. Pure.

import Bowser from 'bowser'
import { remember } from '../remember.ts'
import type { ViewDimensions } from './view-dimensions.ts'

export type ClientFamilies = Pick<ViewDimensions, 'device' | 'browser' | 'os'>

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
  const languages = accepted.split(',', 20).map((text, at) => {
    const [tag = '', ...parameters] = text.trim().split(';')
    const q = /^\s*q\s*=\s*([\d.]+)/i.exec(parameters.join(';'))?.[1]
    return { tag: /^([a-z]{2,3})(?:-|$)/i.exec(tag)?.[1]?.toLowerCase() ?? '', q: q === undefined ? 1 : Number(q), at }
  })
  const known = languages.filter(({ tag, q }) => tag !== '' && q > 0)
  return known.toSorted((a, b) => b.q - a.q || a.at - b.at)[0]?.tag ?? ''
})
