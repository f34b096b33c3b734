// Style sheets and fonts of the recorded site, as the console handed them over: by hash, and by the address that the page had
// them from. Oldest first they go again, so that a long replay does not gather those of every page.

import { isObject, type Json } from './read-json.ts'

export interface Assets {
  /** Text of a style sheet, with the style sheet in the place of its mark. */
  fill(text: string): string
  /** Where a font can be read. */
  urlOf(address: string): string | undefined
  textOf(address: string): string | undefined
}

export interface StoredAssets extends Assets {
  add(hash: string, mime: string, bytes: ArrayBuffer): void
  /** What the page tells of its own assets; true when it was not known. */
  learn(byAddress: unknown): boolean
  close(): void
}

const aHash = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const aMark = /^\/\*telltale:([0-9a-f-]{36})\*\/$/
const bytesAtMost = 32 * 1024 * 1024
const addressesAtMost = 2_000

interface Stored {
  readonly mime: string
  readonly bytes: ArrayBuffer
  url?: string
  text?: string
}

export function storeAssets(): StoredAssets {
  const byHash = new Map<string, Stored>()
  const byAddress = new Map<string, string>()
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
    learn(told) {
      if (!isObject(told)) return false
      const known = byAddress.size
      for (const [address, hash] of entriesOf(told)) byAddress.set(withoutValues(address), hash)
      return byAddress.size > known
    },
    close() {
      for (const [hash, stored] of byHash) drop(hash, stored)
    },
  }
}

function entriesOf(told: Json): [string, string][] {
  return Object.entries(told)
    .slice(0, addressesAtMost)
    .flatMap(([address, hash]) => (typeof hash === 'string' && aHash.test(hash) ? [[address, hash]] : []))
}

/** As the recorder writes addresses: values of a query may be of a person. */
function withoutValues(address: string): string {
  return address.replace(/#.*$/s, '').replace(/([?&][^=&]*)=[^&]*/g, '$1')
}
