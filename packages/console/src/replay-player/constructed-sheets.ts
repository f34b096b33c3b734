// Constructed style sheets by their number. A browser ties each to one document, a recording does not: there is one for
// every document that adopts it, with the same rules. Each document also gets one of the player.

import { ownAttributes } from './allowed.ts'

export interface ConstructedSheets {
  /** Every one of this number. */
  of(number: number): readonly CSSStyleSheet[]
  /** Gives it a new text, and creates it in this document if there is none. */
  define(number: number, text: string, document: Document): void
  /** All that a document or a shadow root adopts. */
  adopt(root: Document | ShadowRoot, numbers: readonly number[]): void
  clear(): void
}

const sheetsAtMost = 20_000
const { focusVisible, box, playing } = ownAttributes
const mark = (shape: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='32' height='32'%3E%3Cpath fill='%2316181d' d='${shape}'/%3E%3C/svg%3E") center no-repeat`
const striped = 'repeating-linear-gradient(135deg, #8a94a622 0 6px, #8a94a644 6px 12px)'
/** In a layer, which every rule of the page precedes. Without scripts, a canvas shows its content instead of a box. */
const ownRules = `@layer telltale {
  :where(canvas) { display: inline-block; }
  :where([${focusVisible}]) { outline: -webkit-focus-ring-color auto 1px; }
  :where([${box}]) { background-image: ${striped}; }
  :where(a, abbr, b, bdi, bdo, cite, code, data, em, i, kbd, label, mark, q, s, samp, small, span, strong, sub, sup, time, u, var)[${box}] { display: inline-block; }
  :where([${playing}="true"]) { background: ${mark('M8 4v24l20-12z')}, ${striped}; }
  :where([${playing}="false"]) { background: ${mark('M8 5h6v22H8zM18 5h6v22h-6z')}, ${striped}; }
}`
const withoutMotion = `*, *::before, *::after {
  animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important;
}`

export function createConstructedSheets(isStill: boolean): ConstructedSheets {
  let byNumber = new Map<number, Map<Document, CSSStyleSheet>>()
  const own = new WeakMap<Document, CSSStyleSheet>()
  const create = (document: Document): CSSStyleSheet => {
    const Sheet = document.defaultView?.CSSStyleSheet
    if (Sheet === undefined) throw new Error('a document without a window has no style sheets')
    return new Sheet()
  }
  const ownOf = (document: Document) => {
    const sheet = own.get(document) ?? create(document)
    if (!own.has(document)) sheet.replaceSync(isStill ? `${ownRules} ${withoutMotion}` : ownRules)
    own.set(document, sheet)
    return sheet
  }
  const sheetOf = (number: number, document: Document): CSSStyleSheet | undefined => {
    const known = byNumber.get(number) ?? new Map<Document, CSSStyleSheet>()
    const found = known.get(document)
    if (found !== undefined) return found
    if (byNumber.size >= sheetsAtMost) return undefined
    const [like] = known.values()
    const sheet = create(document)
    if (like !== undefined) sheet.replaceSync([...like.cssRules].map(({ cssText }) => cssText).join('\n'))
    for (const one of known.keys()) if (one.defaultView === null) known.delete(one)
    byNumber.set(number, known.set(document, sheet))
    return sheet
  }
  return {
    of: (number) => [...(byNumber.get(number)?.values() ?? [])],
    define(number, text, document) {
      sheetOf(number, document)
      for (const sheet of byNumber.get(number)?.values() ?? []) sheet.replaceSync(text)
    },
    adopt(root, numbers) {
      const document = root.ownerDocument ?? root
      // Without a window there is nothing to show, until its frame is in the page and built anew.
      if (!('defaultView' in document) || document.defaultView === null) return
      const sheets = numbers.slice(0, sheetsAtMost).flatMap((number) => sheetOf(number, document) ?? [])
      root.adoptedStyleSheets = [ownOf(document), ...new Set(sheets)]
    },
    clear() {
      byNumber = new Map()
    },
  }
}
