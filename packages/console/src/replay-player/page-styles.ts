// Changes of the style sheets of the rebuilt page, and of inline styles.

import { type Builder, numbersOf } from './build-nodes.ts'
import { cleanseCss } from './cleanse-css.ts'
import { declare, deleteRule, insertRule, styleAt } from './edit-rules.ts'
import { forgetShape } from './element-states.ts'
import { idOf, isObject, type Json, listOf, stringOf } from './read-json.ts'
import { isElement, isRoot } from './recorded-nodes.ts'

interface PageStyles {
  setSheet(operation: Json): void
  insertRule(operation: Json): void
  deleteRule(operation: Json): void
  declare(operation: Json): void
  adopt(operation: Json): void
}

/** Constructed sheets come into being in the document of the page. */
export function createPageStyles(
  { assets, nodes, styles, sheets }: Builder,
  documentOf: () => Document | null,
): PageStyles {
  const css = (text: unknown) => cleanseCss(assets.fill(stringOf(text)), assets.urlOf)
  const elementOf = (ref: unknown) => {
    const node = isObject(ref) ? nodes.get(idOf(ref.node)) : undefined
    return isElement(node) ? node : undefined
  }
  const sheetsOf = (ref: unknown): readonly CSSStyleSheet[] => {
    if (isObject(ref) && typeof ref.constructed === 'number') return sheets.of(ref.constructed)
    const element = elementOf(ref)
    const sheet = element !== undefined && styles.has(element) ? (element as HTMLStyleElement).sheet : null
    return sheet === null ? [] : [sheet]
  }
  return {
    setSheet({ sheet: ref, text }) {
      const element = elementOf(ref)
      const document = documentOf()
      if (element !== undefined) styles.setSheet(element, stringOf(text))
      else if (isObject(ref) && typeof ref.constructed === 'number' && document !== null)
        sheets.define(ref.constructed, css(text), document)
    },
    insertRule({ sheet: ref, path, text }) {
      for (const sheet of sheetsOf(ref)) insertRule(sheet, path, css(text))
    },
    deleteRule({ sheet: ref, path }) {
      for (const sheet of sheetsOf(ref)) deleteRule(sheet, path)
    },
    declare(operation) {
      const { sheet: ref, path } = operation
      if (listOf(path).length > 0) {
        for (const sheet of sheetsOf(ref)) {
          const style = styleAt(sheet, path)
          if (style !== undefined) declare(style, operation, assets.urlOf)
        }
        return
      }
      const element = elementOf(ref)
      if (element === undefined || !('style' in element) || element.localName === 'template') return
      forgetShape(element, operation.property)
      declare((element as HTMLElement).style, operation, assets.urlOf)
    },
    adopt({ id, sheets: numbers }) {
      const root = nodes.get(idOf(id))
      if (isRoot(root)) sheets.adopt(root, numbersOf(numbers))
    },
  }
}
