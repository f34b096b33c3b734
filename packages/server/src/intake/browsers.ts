// Which browser a user agent names, and whether it is a machine. Read once for each text, since most requests come with
// one of a few.

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
}

const longest = 512
const remembered = 5_000
const known = new LRUCache<string, Browser>({ max: remembered })

export function readBrowser(userAgent: string | undefined): Browser {
  const text = (userAgent ?? '').slice(0, longest)
  const found = known.get(text) ?? parse(text)
  known.set(text, found)
  return found
}

function parse(text: string): Browser {
  const nobody = { browser: '', browserVersion: '', os: '', device: '', bot: text !== '' && isbot(text) }
  if (text === '') return nobody
  const { browser, os, platform } = getParser(text).getResult()
  const [version = ''] = (browser.version ?? '').split('.', 1)
  const device = platform.type === 'bot' ? '' : (platform.type ?? '')
  return {
    ...nobody,
    browser: browser.name ?? '',
    browserVersion: version,
    os: os.name ?? '',
    device,
    bot: nobody.bot || platform.type === 'bot',
  }
}
