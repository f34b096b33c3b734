// Style sheets and fonts travel once, under the hash of what they are. In the recording stands their hash; where a page
// cannot hash, because it has no TLS, the text itself.

import { compress } from '../browser/gzip.ts'
import { readStored, writeStored } from '../browser/store.ts'
import { cleanUrl } from '../clean.ts'

export interface Asset {
  hash: string
  mime: string
  bytes: Uint8Array<ArrayBuffer>
}

export interface Assets {
  /** What stands in place of the text; its hash, once it is known. */
  sheet(text: string): unknown
  /** Fonts that are in use and style sheets that cannot be read where they are; their assets by address. */
  find(): Promise<Record<string, string>>
  /** When all that was asked for is hashed. */
  settled(): Promise<unknown>
}

export interface AssetOptions {
  key: string
  fetch: typeof fetch
  send(asset: Asset): Promise<boolean>
  /** Each hash that the recording names. */
  onUse(hash: string): void
}

/** Less is not worth a request. */
const smallest = 2_000
const largest = 2 * 1024 * 1024
const sheetsKept = 200
const fontsAtMost = 20

export const assetMark = (hash: string) => `/*telltale:${hash}*/`

export function createAssets({ key, fetch, send, onUse }: AssetOptions): Assets {
  const sheets = new Map<string, { toJSON(): string }>()
  const known = rememberSent(`telltale:${key}:assets`)
  const looked = new Set<string>()
  let working: Promise<unknown> = Promise.resolve()

  const store = async (bytes: Uint8Array<ArrayBuffer>, mime: string): Promise<string> => {
    const hash = await hashOf(bytes)
    if (!known.has(hash) && (await send({ hash, mime, bytes }))) known.add(hash)
    return hash
  }
  const take = (text: string) => {
    let hash = ''
    const sheet = {
      toJSON: () => {
        if (hash) onUse(hash)
        return hash ? assetMark(hash) : text
      },
    }
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > largest) return sheet
    const work = hashOf(bytes).then((found) => {
      hash = found
      // Sent beside: the recording does not wait for it.
      return void store(bytes, 'text/css')
    })
    working = Promise.allSettled([working, work])
    return sheet
  }
  const fetchOnce = async (address: string, mime: string): Promise<[string, string][]> => {
    if (looked.has(address) || looked.size > fontsAtMost) return []
    looked.add(address)
    try {
      const answer = await fetch(address, { credentials: 'omit', cache: 'force-cache' })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (!answer.ok || bytes.length === 0 || bytes.length > largest) return []
      const hash = await store(bytes, mime)
      onUse(hash)
      return [[cleanUrl(address, false), hash]]
    } catch {
      // Another site that does not allow it: the replay does without.
      return []
    }
  }
  return {
    sheet(text) {
      if (text.length < smallest || !globalThis.crypto?.subtle) return text
      const found = sheets.get(text) ?? take(text)
      if (sheets.size < sheetsKept) sheets.set(text, found)
      return found
    },
    async find() {
      if (!globalThis.crypto?.subtle) return {}
      const wanted = [...fontsInUse(), ...closedSheets()]
      const found = await Promise.all(wanted.map(([address, mime]) => fetchOnce(address, mime)))
      return Object.fromEntries(found.flat())
    },
    settled: () => working,
  }
}

/** The first half of SHA-256, as an id. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 16)
  const text = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Sent today by this browser: the server keeps what is in use. */
function rememberSent(name: string) {
  const today = Math.floor(Date.now() / 86_400_000)
  let hashes = new Set<string>()
  try {
    const [day, kept] = JSON.parse(readStored(name) ?? '[]')
    if (day === today) hashes = new Set(kept)
  } catch {
    // Not ours: everything is sent again.
  }
  return {
    has: (hash: string) => hashes.has(hash),
    add(hash: string) {
      hashes.add(hash)
      writeStored(name, JSON.stringify([today, [...hashes].slice(-sheetsKept)]))
    },
  }
}

const fontMime: Record<string, string> = {
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

function fontsInUse(): [string, string][] {
  const loaded = new Set(
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => bare(family)),
  )
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].flatMap((rule) => {
        if (
          !(rule instanceof CSSFontFaceRule) ||
          !loaded.has(bare(rule.style.getPropertyValue('font-family')))
        )
          return []
        const [, found = ''] = /url\(\s*["']?([^"')]+)/.exec(rule.style.getPropertyValue('src')) ?? []
        const address = new URL(found, sheet.href ?? document.baseURI).href
        const mime = fontMime[/\.(\w+)(?:[?#]|$)/.exec(address)?.[1] ?? '']
        return /^https?:/.test(address) && mime ? [[address, mime] as [string, string]] : []
      })
    } catch {
      return []
    }
  })
}

const bare = (family: string) => family.replace(/["']/g, '')

/** Of other sites, which show their style sheets but do not let them be read. */
function closedSheets(): [string, string][] {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return sheet.cssRules ? [] : []
    } catch {
      return sheet.href ? [[sheet.href, 'text/css'] as [string, string]] : []
    }
  })
}

export async function packAsset({ mime, bytes }: Asset): Promise<BlobPart> {
  // Fonts are compressed already.
  return mime === 'text/css' ? compress(new TextDecoder().decode(bytes)) : bytes
}
