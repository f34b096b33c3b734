// Style sheets and fonts of the recorded site, as received from the console: by hash, and by their address in
// the page. The oldest are dropped first, so that a long replay does not accumulate those of every page.

import { isObject, type Json, listOf, stringOf } from './read-json.ts'

export interface Assets {
  /** Text of a style sheet, with the asset in place of its placeholder. */
  fill(text: string): string
  /** Address of a font. */
  urlOf(address: string): string | undefined
  textOf(address: string): string | undefined
  /** Fonts loaded by scripts of the page. */
  faces(): FontFace[]
}

interface StoredAssets extends Assets {
  add(hash: string, mime: string, bytes: ArrayBuffer): void
  /** The page's report about its own assets; true when it was new. */
  learn(learned: Json): boolean
  close(): void
}

const aHash = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const aMark = /^\/\*telltale:([0-9a-f-]{36})\*\/$/
const bytesAtMost = 32 * 1024 * 1024
const addressesAtMost = 2_000
const facesAtMost = 200

interface Stored {
  readonly mime: string
  readonly bytes: ArrayBuffer
  url?: string
  text?: string
}

export function storeAssets(): StoredAssets {
  const byHash = new Map<string, Stored>()
  const byAddress = new Map<string, string>()
  const faces = new Map<string, FontFaceRule>()
  let total = 0
  const drop = (hash: string, { bytes, url }: Stored) => {
    if (url !== undefined) URL.revokeObjectURL(url)
    byHash.delete(hash)
    total -= bytes.byteLength
  }
  const find = (address: string) => {
    const hash = byAddress.get(withoutValues(address))
    return hash === undefined ? undefined : byHash.get(hash)
  }
  const textOf = (stored: Stored | undefined) => {
    if (stored?.mime !== 'text/css') return undefined
    stored.text ??= new TextDecoder().decode(stored.bytes)
    return stored.text
  }
  return {
    fill(text) {
      const [, hash] = aMark.exec(text) ?? []
      return hash === undefined ? text : (textOf(byHash.get(hash)) ?? '')
    },
    urlOf(address) {
      const stored = find(address)
      if (!stored?.mime.startsWith('font/')) return undefined
      stored.url ??= URL.createObjectURL(new Blob([stored.bytes], { type: stored.mime }))
      return stored.url
    },
    textOf: (address) => textOf(find(address)),
    add(hash, mime, bytes) {
      if (!aHash.test(hash) || byHash.has(hash)) return
      byHash.set(hash, { mime, bytes })
      total += bytes.byteLength
      for (const [oldest, stored] of byHash) {
        if (total <= bytesAtMost || oldest === hash) break
        drop(oldest, stored)
      }
    },
    faces: () =>
      [...faces.values()].flatMap(({ family, address, ...descriptors }) => {
        const stored = find(address)
        if (!stored?.mime.startsWith('font/')) return []
        try {
          return [new FontFace(family, stored.bytes, descriptors)]
        } catch {
          // Invalid weight or range: the page is shown without the font.
          return []
        }
      }),
    learn(learned) {
      const known = byAddress.size + faces.size
      for (const [address, hash] of entriesOf(learned.byAddress)) byAddress.set(withoutValues(address), hash)
      for (const face of facesOf(learned.faces)) faces.set(Object.values(face).join(' '), face)
      return byAddress.size + faces.size > known
    },
    close() {
      for (const [hash, stored] of byHash) drop(hash, stored)
    },
  }
}

function entriesOf(learned: unknown): [string, string][] {
  return Object.entries(isObject(learned) ? learned : {})
    .slice(0, addressesAtMost)
    .flatMap(([address, hash]) => (typeof hash === 'string' && aHash.test(hash) ? [[address, hash]] : []))
}

interface FontFaceRule {
  readonly family: string
  readonly style: string
  readonly weight: string
  readonly stretch: string
  readonly unicodeRange: string
  readonly address: string
}

function facesOf(learned: unknown): FontFaceRule[] {
  return listOf(learned)
    .slice(0, facesAtMost)
    .filter(isObject)
    .map(({ family, style, weight, stretch, unicodeRange, address }) => ({
      family: wordOf(family),
      style: wordOf(style),
      weight: wordOf(weight),
      stretch: wordOf(stretch),
      unicodeRange: stringOf(unicodeRange).slice(0, 2_000),
      address: stringOf(address),
    }))
}

const wordOf = (value: unknown) => stringOf(value).slice(0, 200)

/** As the recorder writes addresses: query values may be personal data. */
function withoutValues(address: string): string {
  return address.replace(/#.*$/s, '').replace(/([?&][^=&]*)=[^&]*/g, '$1')
}
