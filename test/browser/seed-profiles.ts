// Profiles of invented visitors of a cart, through the real intake: a hot function, one that burns more in a variation, code
// of a framework, of somebody else and of the browser, and long frames.

import { v7 as newId } from 'uuid'
import { profile, sendAttachment } from '../intake/attachments.ts'

export interface SeededProfile {
  /** Of the flag `checkout`; none: nothing was read. */
  variation?: 'old' | 'new'
  page?: string
  session?: string
  /** Makes people differ. */
  salt: number
  isLong?: boolean
}

export const seededScript = 'https://shop.example/assets/checkout.js'
const vendor = 'https://shop.example/assets/vendor-react-dom.js'
const other = 'https://metrics.example/tag.js'

/** 0 main, 1 renderCart, 2 computeTotals (hot), 3 drawBanner (slow in `new`), 4 performWork, 5 track, 6 JSON.parse, 7 gc. */
function tablesOf({ variation, salt, isLong = false }: SeededProfile) {
  const texts = ['main', seededScript, 'renderCart', 'computeTotals', 'drawBanner', 'performWork', vendor]
  texts.push('track', other, 'JSON.parse', '(garbage collector)')
  const run = (stack: number, count: number) => Array.from({ length: count }, () => [10, stack])
  const slow = (variation === 'new' ? 6 : 2) + (salt % 2)
  return {
    texts,
    frames: [
      ...[0, 1, 1, 1, 2, 1, 10, 3, 3, 1, 20, 5, 4, 1, 30, 7],
      ...[5, 6, 1, 900, 7, 8, 1, 40, 9, -1, 0, 0, 10, -1, 0, 0],
    ],
    stacks: [0, -1, 4, 0, 1, 1, 2, 2, 3, 2, 5, 0, 6, 2, 7, -1],
    samples: [
      ...[[500, 2], ...run(3, 12 + (salt % 4)), ...run(4, slow), ...run(6, 3), [10, -1]],
      ...[[900, 5], ...run(5, 1), ...run(7, 1), [10, -1]],
      ...(isLong ? [[800, 1], ...run(3, 9), [10, -1]] : []),
    ].flat(),
    longFrames: [500, 240],
  }
}

/** Gives its session. */
export async function sendProfile(url: string, key: string, seeded: SeededProfile): Promise<string> {
  const { variation, page = '/cart', session = newId() } = seeded
  const reads = variation === undefined ? [] : [{ flag: 'checkout', variation }]
  const context = {
    session,
    anonymousId: `browser-${seeded.salt}-${variation}`,
    page,
    version: '1.4.0',
    reads,
  }
  const body = profile({}, { tables: tablesOf(seeded), context })
  const browser =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const { body: receipt } = await sendAttachment(url, {
    kind: 'profile',
    body,
    key,
    headers: { 'user-agent': browser },
  })
  if (receipt.accepted !== 1) throw new Error(JSON.stringify(receipt))
  return session
}
