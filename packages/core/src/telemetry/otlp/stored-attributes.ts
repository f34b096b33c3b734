// Attributes as they are stored: shortened, with personal data hidden, and no more than a screen can show. What is cut
// or left out is counted.

import { limits } from '../../limits.ts'
import { readAddress } from '../address.ts'
import { cutLine, cutText } from '../clean-text.ts'
import { type OtlpAttributes, textOfValue } from './otlp.ts'

/** Hides what an environment does not want to store. */
export interface Hide {
  text(text: string): string
  hide(text: string): string
  dropsAttribute(name: string): boolean
}

/** Addresses lose their query, as those of browsers do. */
const addresses = new Set(['url.full', 'http.url', 'http.target', 'url.query', 'http.referer'])
const namesKept = 20_000
const textsKept = 5_000
const longestKept = 200

export interface StoredAttributes {
  /** A JSON object with text values. */
  json: string
  /** Left out, or shortened. */
  cut: number
}

export interface AttributeStore {
  store(attributes: OtlpAttributes, most: number): StoredAttributes
  /** A text of one line, such as a name. */
  line(text: string): string
  text(text: string, longest: number): string
}

/** Of one request: most of its values repeat, and hiding them again would take most of its time. */
export function createAttributeStore(hide: Hide): AttributeStore {
  const names = new Map<string, string>()
  const texts = new Map<string, string>()

  const nameOf = (name: string) => {
    const known = names.get(name)
    if (known !== undefined) return known
    const text = hide.dropsAttribute(name)
      ? ''
      : JSON.stringify(hide.text(cutLine(name, limits.eventNameLength)))
    if (names.size < namesKept) names.set(name, text)
    return text
  }
  const clean = (name: string, text: string) => {
    if (name === 'url.query') return '""'
    if (addresses.has(name)) return JSON.stringify(hide.hide(readAddress(text).kept))
    return JSON.stringify(hide.text(text.toWellFormed()))
  }
  const jsonOf = (name: string, text: string) => {
    if (text.length > longestKept) return clean(name, text)
    const isAddress = addresses.has(name)
    const known = isAddress ? undefined : texts.get(text)
    if (known !== undefined) return known
    const found = clean(name, text)
    if (!isAddress && texts.size < textsKept) texts.set(text, found)
    return found
  }

  return {
    store(attributes, most) {
      let cut = Math.max(0, attributes.length - most)
      const pairs: string[] = []
      const seen = new Set<string>()
      for (const [name, value] of attributes) {
        if (pairs.length >= most) break
        const nameText = nameOf(name)
        if (nameText === '' || seen.has(nameText)) continue
        seen.add(nameText)
        const whole = textOfValue(value)
        const text = cutText(whole, limits.spanAttributeLength)
        if (text.length < whole.length) cut += 1
        pairs.push(`${nameText}:${jsonOf(name, text)}`)
      }
      return { json: `{${pairs.join(',')}}`, cut }
    },
    line: (text) => hide.text(cutLine(text, limits.eventNameLength)),
    text: (text, longest) => hide.text(cutText(text, longest)),
  }
}
