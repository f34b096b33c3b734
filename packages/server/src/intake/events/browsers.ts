// Parses the browser from a user agent, and whether it is a crawler. Where browsers froze the user agent, client hints
// are more precise: Brave and others identify themselves only there. Parsed once per pair, since most requests share a
// few of them.

import type { IncomingHttpHeaders } from 'node:http'
import { getParser } from 'bowser'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

export interface Browser {
  browser: string
  /** The part before the first dot. */
  browserVersion: string
  os: string
  /** `desktop`, `mobile`, `tablet`, `tv`, or empty. */
  device: string
  bot: boolean
  /** Sent with a server key: about a server, not a browser. */
  isServer: boolean
}

/** The browser headers of a request. */
export interface GivenBrowser {
  userAgent: string | undefined
  /** `Sec-CH-UA`, such as `"Chromium";v="130", "Brave";v="130", "Not?A_Brand";v="99"`. */
  brands?: string | undefined
  /** `Sec-CH-UA-Platform`, such as `"macOS"`. */
  platform?: string | undefined
  /** `Sec-CH-UA-Mobile`: `?1` or `?0`. */
  mobile?: string | undefined
  /** Sent with a server key: the user agent is that of an HTTP library, and says nothing about a user. */
  isServer?: boolean
}

const longest = 512
const longestHint = 256
const remembered = 5_000
const known = new LRUCache<string, Browser>({ max: remembered })

const noBrowser = { browser: '', browserVersion: '', os: '', device: '' }
const server: Browser = { ...noBrowser, bot: false, isServer: true }

export function readBrowser({ userAgent, brands, platform, mobile, isServer }: GivenBrowser): Browser {
  if (isServer) return server
  const text = (userAgent ?? '').slice(0, longest)
  const hints = [brands, platform, mobile].map((hint) => (hint ?? '').slice(0, longestHint))
  const key = [text, ...hints].join('\n')
  const found = known.get(key) ?? withHints(parse(text), hints)
  known.set(key, found)
  return found
}

/** Headless browsers run tests and synthetic checks: they count, unlike crawlers that identify themselves. */
const withWindow = (text: string) => text.replace('HeadlessChrome/', 'Chrome/')

function parse(userAgent: string): Browser {
  const text = withWindow(userAgent)
  const unknown = { ...noBrowser, bot: text !== '' && isbot(text), isServer: false }
  if (text === '') return unknown
  const { browser, os, platform } = getParser(text).getResult()
  const [version = ''] = (browser.version ?? '').split('.', 1)
  const device = platform.type === 'bot' ? '' : (platform.type ?? '')
  return {
    ...unknown,
    browser: browser.name ?? '',
    browserVersion: version,
    os: os.name ?? '',
    device,
    bot: unknown.bot || platform.type === 'bot',
  }
}

function withHints(read: Browser, [brands = '', platform = '', mobile = '']: string[]): Browser {
  const brand = findBrand(brands)
  const os = platforms.get(platform.replaceAll('"', ''))
  const isDesktop = os !== undefined && desktops.has(os)
  return {
    ...read,
    ...(brand !== undefined && { browser: brand.name, browserVersion: brand.version }),
    os: os ?? read.os,
    device: read.device !== '' ? read.device : mobile === '?1' ? 'mobile' : isDesktop ? 'desktop' : '',
  }
}

/** Names as in user agents. Brands that are missing here are engines or made up (GREASE). */
const brandNames = new Map([
  ['Google Chrome', 'Chrome'],
  ['Microsoft Edge', 'Microsoft Edge'],
  ['Opera', 'Opera'],
  ['Brave', 'Brave'],
  ['Vivaldi', 'Vivaldi'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['Samsung Internet', 'Samsung Internet for Android'],
  ['DuckDuckGo', 'DuckDuckGo'],
])
const platforms = new Map([
  ['Windows', 'Windows'],
  ['macOS', 'macOS'],
  ['Linux', 'Linux'],
  ['Android', 'Android'],
  ['Chrome OS', 'Chrome OS'],
  ['Chromium OS', 'Chrome OS'],
  ['iOS', 'iOS'],
])
const desktops = new Set(['Windows', 'macOS', 'Linux', 'Chrome OS'])
const brandEntry = /"([^"]{1,64})"\s*;\s*v="(\d{1,5})/g

function findBrand(brands: string): { name: string; version: string } | undefined {
  for (const [, brand = '', version = ''] of brands.matchAll(brandEntry)) {
    const name = brandNames.get(brand)
    if (name !== undefined) return { name, version }
  }
  return undefined
}

/** Reads the browser headers of a request. */
export function browserOf({ headers }: { headers: IncomingHttpHeaders }): GivenBrowser {
  const hint = (name: string) => {
    const given = headers[name]
    return typeof given === 'string' ? given : undefined
  }
  return {
    userAgent: headers['user-agent'],
    brands: hint('sec-ch-ua'),
    platform: hint('sec-ch-ua-platform'),
    mobile: hint('sec-ch-ua-mobile'),
  }
}
