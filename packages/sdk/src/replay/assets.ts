// Style sheets and fonts travel once, under the hash of what they are, one after the other. In the recording stands their
// hash; where a page cannot hash, because it has no TLS, and where there are more of them than may be kept, the text itself.

import { compress } from '../browser/gzip.ts'
import { readStored, writeStored } from '../browser/store.ts'
import { cleanUrl } from '../clean.ts'
import { closedSheets, fontsInUse } from './find-assets.ts'
import type { FaceInUse } from './page-event.ts'

export interface Asset {
  hash: string
  mime: string
  body: string | Uint8Array<ArrayBuffer>
}

export interface Assets {
  /** What stands in place of the text; its hash, once it is known. */
  sheet(text: string): unknown
  /** Fonts that are in use and style sheets that cannot be read where they are: all of them so far, by address. */
  find(): Promise<{ byAddress: Record<string, string>; faces: FaceInUse[] }>
  /** When all that was asked for is hashed. */
  settled(): Promise<unknown>
  /** From now on they may leave the page. */
  release(): void
  stop(): void
}

export interface AssetOptions {
  key: string
  /** Nothing leaves the page before it is released, and nothing is fetched. */
  isHeld: boolean
  fetch(address: string): Promise<Response>
  /** Other sites that allow their style sheets to be fetched, and say so to the browser. */
  origins: readonly string[]
  /** What of a style sheet may leave the page. */
  clean(text: string): string
  /** False: it did not arrive. */
  send(asset: Asset): Promise<boolean>
  /** Each hash that the recording names. */
  onUse(hash: string): void
}

/** Less is not worth a request. */
const smallest = 2_000
const largest = 2 * 1024 * 1024
const hashesKept = 200
/** Characters of style sheets that are known by their text, or wait to be sent. */
const room = 4 * 1024 * 1024
const fontsAtMost = 20

export const assetMark = (hash: string) => `/*telltale:${hash}*/`

export function createAssets(options: AssetOptions): Assets {
  const { fetch, origins, clean, send, onUse } = options
  const sheets = new Map<string, { hash: string; text: string; toJSON(): string }>()
  const known = rememberSent(`telltale:${options.key}:assets`)
  const waiting = new Map<string, Asset>()
  const looked = new Set<string>()
  const byAddress: Record<string, string> = {}
  let { isHeld } = options
  let isSending = false
  let length = 0
  let working: Promise<unknown> = Promise.resolve()

  const sendAll = async () => {
    if (isHeld || isSending) return
    isSending = true
    for (const [hash, asset] of waiting) {
      const isSent = await send(asset).catch(() => false)
      waiting.delete(hash)
      // One that did not arrive is tried again when it is used again.
      if (isSent) known.add(hash)
    }
    isSending = false
  }
  const use = (asset: Asset) => {
    onUse(asset.hash)
    if (known.has(asset.hash) || waiting.has(asset.hash)) return
    waiting.set(asset.hash, asset)
    // Beside: the recording does not wait for it, and nothing of it throws.
    void sendAll()
  }
  /** What the server has can be recognised again when it is used again. */
  const makeRoom = (wanted: number) => {
    for (const [text, { hash }] of sheets) {
      if (length + wanted <= room) return
      if (!known.has(hash)) continue
      sheets.delete(text)
      length -= text.length
    }
  }
  const take = (text: string) => {
    const sheet = {
      hash: '',
      text: clean(text),
      toJSON() {
        const { hash } = sheet
        if (!hash) return sheet.text
        use({ hash, mime: 'text/css', body: sheet.text })
        return assetMark(hash)
      },
    }
    const bytes = new TextEncoder().encode(sheet.text)
    makeRoom(text.length)
    if (bytes.length > largest || length + text.length > room) return sheet
    length += text.length
    sheets.set(text, sheet)
    const work = hashOf(bytes).then((hash) => {
      sheet.hash = hash
    })
    working = Promise.allSettled([working, work])
    return sheet
  }
  const fetchOnce = async ([address, mime]: [string, string]) => {
    if (looked.has(address) || looked.size >= fontsAtMost) return
    looked.add(address)
    try {
      const answer = await fetch(address)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (!answer.ok || bytes.length === 0 || bytes.length > largest) return
      const body = mime === 'text/css' ? clean(new TextDecoder().decode(bytes)) : bytes
      const hash = await hashOf(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      byAddress[cleanUrl(address, false)] = hash
      use({ hash, mime, body })
    } catch {
      // Another site that does not allow it: the replay does without.
    }
  }
  return {
    sheet(text) {
      if (text.length < smallest || !globalThis.crypto?.subtle) return clean(text)
      return sheets.get(text) ?? take(text)
    },
    async find() {
      if (!globalThis.crypto?.subtle || isHeld) return { byAddress: {}, faces: [] }
      const { files, faces } = fontsInUse()
      for (const each of [...files, ...closedSheets(origins)]) await fetchOnce(each)
      for (const hash of Object.values(byAddress)) onUse(hash)
      const written = faces.map((face) => ({ ...face, address: cleanUrl(face.address, false) }))
      return { byAddress, faces: written.filter(({ address }) => address in byAddress) }
    },
    settled: () => working,
    release() {
      isHeld = false
      void sendAll()
    },
    stop() {
      isHeld = true
      waiting.clear()
    },
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
      writeStored(name, JSON.stringify([today, [...hashes].slice(-hashesKept)]))
    },
  }
}

export async function packAsset({ body }: Asset): Promise<BlobPart> {
  // Fonts are compressed already.
  return typeof body === 'string' ? compress(body) : body
}
