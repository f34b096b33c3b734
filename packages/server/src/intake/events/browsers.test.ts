import { expect, test } from 'vitest'
import { readBrowser } from './browsers.ts'

const frozen = (rest = '') =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36${rest}`

test('client hints refine a frozen user agent', () => {
  expect(
    readBrowser({
      userAgent: frozen(),
      brands: '"Chromium";v="130", "Brave";v="130", "Not?A_Brand";v="99"',
      platform: '"Windows"',
      mobile: '?0',
    }),
  ).toEqual({
    browser: 'Brave',
    browserVersion: '130',
    os: 'Windows',
    device: 'desktop',
    bot: false,
    isServer: false,
  })
})

test('a Chromebook is a desktop', () => {
  const userAgent =
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
  expect(readBrowser({ userAgent })).toMatchObject({ os: 'Chrome OS', device: '' })
  expect(readBrowser({ userAgent, platform: '"Chrome OS"', mobile: '?0' })).toMatchObject({
    os: 'Chrome OS',
    device: 'desktop',
  })
})

test('hints without a user agent are enough', () => {
  const hints = { brands: '"Google Chrome";v="131"', platform: '"Android"', mobile: '?1' }
  expect(readBrowser({ userAgent: undefined, ...hints })).toEqual({
    browser: 'Chrome',
    browserVersion: '131',
    os: 'Android',
    device: 'mobile',
    bot: false,
    isServer: false,
  })
})

test('unknown hints are ignored', () => {
  const read = readBrowser({ userAgent: frozen() })
  const hints = { brands: '"Chromium";v="130", "Not A;Brand";v="9"', platform: 'Plan 9', mobile: 'yes' }
  expect(readBrowser({ userAgent: frozen(), ...hints })).toEqual(read)
  expect(read).toEqual({
    browser: 'Chrome',
    browserVersion: '130',
    os: 'Linux',
    device: 'desktop',
    bot: false,
    isServer: false,
  })
})

test('a crawler is recognized by its user agent', () => {
  const userAgent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
  expect(readBrowser({ userAgent }).bot).toBe(true)
})

test('a headless browser is a bot', () => {
  const userAgent = frozen().replace('Chrome/', 'HeadlessChrome/')
  const brands = '"HeadlessChrome";v="130", "Chromium";v="130"'
  expect(readBrowser({ userAgent, brands })).toEqual(readBrowser({ userAgent: frozen() }))
})
