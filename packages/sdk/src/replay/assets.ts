// Style sheets and fonts are uploaded once, keyed by content hash, one at a time. The recording contains the hash, or
// the text itself where the page cannot hash (no TLS) or has too many of them.

import { compress } from '../browser/gzip.ts'
import { readStored, writeStored } from '../browser/store.ts'
import { cleanUrl } from '../clean.ts'
import type { FaceInUse } from './notes.ts'

export interface Asset {
  hash: string
  mime: string
  body: string | Uint8Array<ArrayBuffer>
}

/** In place of the text of a style sheet. */
export interface SheetMark {
  /** Empty until it is computed. */
  hash: string
  /** As long as a hash, and different from those of other sheets. */
  placeholder: string
}

export interface Assets {
  /** The text as it may leave the page, or the mark of the asset that holds it. */
  sheetMark(text: string): string | SheetMark
  /** Fonts in use and unreadable style sheets: all found so far, by URL. */
  find(): Promise<{ byAddress: Record<string, string>; faces: FaceInUse[] }>
  /** Resolves when all pending hashes are computed. */
  settled(): Promise<unknown>
  /** Allows uploads from now on. */
  release(): void
  stop(): void
}

export interface AssetOptions {
  key: string
  /** Nothing is uploaded or fetched before `release`. */
  isHeld: boolean
  fetch(address: string): Promise<Response>
  /** Other origins that allow their style sheets to be fetched (CORS). */
  origins: readonly string[]
  /** What of a style sheet may leave the page. */
  clean(text: string): string
  /** False: the upload failed. */
  send(asset: Asset): Promise<boolean>
}

/** A smaller text is not worth a request. */
const smallest = 2_000
const largest = 2 * 1024 * 1024
const hashesKept = 200
/** Characters of style sheets cached by text or waiting to be sent. */
const room = 4 * 1024 * 1024
const fontsAtMost = 20

export const assetMark = (hash: string) => `/*telltale:${hash}*/`

export function createAssets(options: AssetOptions): Assets {
  const { fetch, origins, clean } = options
  const sheets = new Map<string, { mark: SheetMark; text: string }>()
  const sending = createSending(options)
  const { upload } = sending
  const looked = new Set<string>()
  const byAddress: Record<string, string> = {}
  let length = 0
  let count = 0
  let working: Promise<unknown> = Promise.resolve()

  /** Uploaded assets are recognised at the next use. */
  const makeRoom = (wanted: number) => {
    for (const [text, { mark }] of sheets) {
      if (length + wanted <= room) return
      if (!sending.isSent(mark.hash)) continue
      sheets.delete(text)
      length -= text.length
    }
  }
  const take = (text: string) => {
    const sheet = {
      mark: { hash: '', placeholder: `${++count}`.padStart(36, '0') },
      text: clean(text),
    }
    const bytes = new TextEncoder().encode(sheet.text)
    makeRoom(text.length)
    if (bytes.length > largest || length + text.length > room) return sheet
    length += text.length
    sheets.set(text, sheet)
    const work = hashOf(bytes).then(
      (hash) => {
        sheet.mark.hash = hash
      },
      // Nothing waits for it: the sheet is missing.
      () => {
        sheet.mark.hash = sheet.mark.placeholder
      },
    )
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
      upload({ hash, mime, body })
    } catch {
      // An origin without CORS: the replay omits it.
    }
  }
  return {
    sheetMark(text) {
      if (text.length < smallest || !globalThis.crypto?.subtle) return clean(text)
      const { mark, text: body } = sheets.get(text) ?? take(text)
      if (!sheets.has(text)) return body
      const send = () => upload({ hash: mark.hash, mime: 'text/css', body })
      if (mark.hash) send()
      else void working.then(send)
      return mark
    },
    async find() {
      if (!globalThis.crypto?.subtle || sending.isHeld()) return { byAddress: {}, faces: [] }
      if (document.fonts.size === 0 && origins.length === 0) return { byAddress, faces: [] }
      const { closedSheets, fontsInUse } = await import('./find-assets.ts')
      const { files, faces } = fontsInUse()
      for (const each of [...files, ...closedSheets(origins)]) await fetchOnce(each)
      const written = faces.map((face) => ({ ...face, address: cleanUrl(face.address, false) }))
      return { byAddress, faces: written.filter(({ address }) => address in byAddress) }
    },
    settled: () => working,
    release: sending.release,
    stop: sending.stop,
  }
}

function createSending({ key, send, isHeld: isHeldFirst }: AssetOptions) {
  const known = rememberSent(`telltale:${key}:assets`)
  const waiting = new Map<string, Asset>()
  let isHeld = isHeldFirst
  let isSending = false
  const sendAll = async () => {
    if (isHeld || isSending) return
    isSending = true
    for (const [hash, asset] of waiting) {
      const isSent = await send(asset).catch(() => false)
      waiting.delete(hash)
      // A failed upload is retried at the next use.
      if (isSent) known.add(hash)
    }
    isSending = false
  }
  return {
    isHeld: () => isHeld,
    isSent: known.has,
    upload(asset: Asset) {
      if (known.has(asset.hash) || waiting.has(asset.hash)) return
      waiting.set(asset.hash, asset)
      // In the background: the recording does not wait for it, and it never throws.
      void sendAll()
    },
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

/** Sent today by this browser: the server keeps assets that are in use. */
function rememberSent(name: string) {
  const today = Math.floor(Date.now() / 86_400_000)
  let hashes = new Set<string>()
  try {
    const [day, kept] = JSON.parse(readStored(name) ?? '[]')
    if (day === today) hashes = new Set(kept)
  } catch {
    // Written by other code: everything is sent again.
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
  // Fonts are already compressed.
  return typeof body === 'string' ? compress(body) : body
}
