// Style sheets of elements: of `style`, and of a link to one, which is built as a `style`. Their recorded texts never
// stand in the document: it gets the whole sheet, cleansed, because parts of an address may be in several texts.

import type { Assets } from './assets.ts'
import { cleanseCss } from './cleanse-css.ts'

export interface StyleElements {
  /** `link`: its recorded attributes, if it is one. */
  add(element: Element, link: Map<string, string> | undefined): void
  has(element: Element): boolean
  textsOf(element: Element): readonly Text[]
  /** Before the given text, or at the end. */
  insert(element: Element, text: Text, before: Node | undefined): void
  /** Removes it if it is the text of a style sheet. */
  remove(text: Text): boolean
  /** Changes it if it is the text of a style sheet. */
  change(text: Text, data: string): boolean
  changeLink(element: Element, name: string, value: string | null): boolean
  /** The whole sheet, in place of its texts. */
  setSheet(element: Element, text: string): void
  /** It moves: the browser makes a new sheet of its texts, without what programs had changed. */
  renew(element: Element): void
  /** Shows what was added. */
  render(element: Element): void
}

interface Source {
  texts: Text[]
  sheet: string | undefined
  readonly link: Map<string, string> | undefined
}

export function createStyleElements(assets: Assets): StyleElements {
  const sources = new WeakMap<Element, Source>()
  const owners = new WeakMap<Text, Element>()

  const textOf = ({ texts, sheet, link }: Source): string => {
    if (link === undefined) return sheet ?? texts.map(({ data }) => assets.fill(data)).join('')
    const rel = link.get('rel') ?? ''
    if (!/\bstylesheet\b/i.test(rel) && sheet === undefined) return ''
    if (/\balternate\b/i.test(rel) || link.has('disabled')) return ''
    return sheet ?? assets.textOf(link.get('href') ?? '') ?? ''
  }
  const render = (element: Element) => {
    const source = sources.get(element)
    if (source === undefined) return
    const media = source.link?.get('media')
    if (media !== undefined) element.setAttribute('media', media)
    else if (source.link !== undefined) element.removeAttribute('media')
    // Setting the same text would keep the sheet, and the rules that programs changed.
    element.replaceChildren(cleanseCss(assets.fill(textOf(source)), assets.urlOf))
  }
  /** A page that changes the texts of a sheet gets a new one. */
  const renew = (element: Element) => {
    const source = sources.get(element)
    if (source === undefined || source.link !== undefined) return
    source.sheet = undefined
    render(element)
  }
  return {
    add: (element, link) => sources.set(element, { texts: [], sheet: undefined, link }),
    has: (element) => sources.has(element),
    textsOf: (element) => sources.get(element)?.texts ?? [],
    insert(element, text, before) {
      const source = sources.get(element)
      if (source === undefined) return
      const index = source.texts.findIndex((one) => one === before)
      source.texts.splice(index === -1 ? source.texts.length : index, 0, text)
      owners.set(text, element)
      source.sheet = undefined
    },
    remove(text) {
      const element = owners.get(text)
      const source = element && sources.get(element)
      if (element === undefined || source === undefined) return false
      owners.delete(text)
      source.texts = source.texts.filter((one) => one !== text)
      renew(element)
      return true
    },
    change(text, data) {
      const element = owners.get(text)
      const source = element && sources.get(element)
      if (element === undefined || source === undefined) return false
      text.data = data
      renew(element)
      return true
    },
    changeLink(element, name, value) {
      const link = sources.get(element)?.link
      if (link === undefined) return false
      if (value === null) link.delete(name)
      else link.set(name, value)
      render(element)
      return true
    },
    setSheet(element, text) {
      const source = sources.get(element)
      if (source === undefined) return
      source.sheet = text
      render(element)
    },
    renew,
    render,
  }
}
