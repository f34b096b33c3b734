// Style sheets whose rules are not what their text says: links, constructed sheets, and those that programs change.
// A changed rule is written in place; what cannot be followed is written whole.

import { records as codes, parts } from '@telltale/core/telemetry/replay/codes'
import { hookSheets } from './sheet-hooks.ts'
import { differs, hasImports, isGroup, rulesOf, topOf } from './sheet-text.ts'
import { createSheetWriter, type SheetTexts } from './sheet-writer.ts'
import type { Stream } from './stream.ts'
import { createSuspects } from './suspects.ts'
import type { PageWindow, Watching } from './watching.ts'
import { isStyle } from './write-tree.ts'

type Root = Document | ShadowRoot

/** Rules that the page holds. */
const heldAtMost = 1_000
/** Characters of style sheets that are compared with their text when recording begins. */
const comparedAtMost = 200_000

export function watchSheets(watching: Watching, texts: SheetTexts) {
  const { records, isFresh } = watching
  const writer = createSheetWriter(records, texts)
  const suspect = createSuspects(records, writer.isWaiting)
  const adopted = new WeakMap<Root, string>()
  let held: { rule: WeakRef<CSSRule>; text: string }[] = []
  let compared = 0

  const onRule = (part: CSSRule, hasChanged: boolean) => {
    let rule = part
    while (rule.parentRule && !isGroup(rule.parentRule)) rule = rule.parentRule
    if (!rule.parentStyleSheet) return
    const read = () => rule.cssText
    const text = hasChanged ? undefined : read()
    suspect(rule, { before: text, read, write: (stream) => writer.replace(rule, stream) })
    if (text !== undefined && held.length < heldAtMost) held.push({ rule: new WeakRef(rule), text })
  }
  /** A page may keep a declaration and set its properties, which nothing reports. */
  const checkHeld = () => {
    for (const { rule, text } of held) {
      const each = rule.deref()
      if (each?.parentStyleSheet && each.cssText !== text) writer.note(topOf(each.parentStyleSheet))
    }
    held = []
  }
  const sheetsOf = (root: Root) => unnoted(() => [...(root.adoptedStyleSheets ?? [])])
  const keyOf = (root: Root) => sheetsOf(root).map(writer.numberOf).join()
  const writeList = (root: Root, stream: Stream) => {
    const sheets = sheetsOf(root)
    adopted.set(root, keyOf(root))
    stream.number(sheets.length)
    for (const sheet of sheets) stream.number(writer.numberOf(sheet))
  }
  const onRoot = (root: Root) => {
    if (!records.idOf(root)) return
    const write = (stream: Stream) => {
      for (const sheet of sheetsOf(root)) if (writer.know(sheet)) writer.writeSheet(sheet, stream)
      stream.byte(codes.adopt)
      stream.number(records.idOf(root))
      writeList(root, stream)
    }
    suspect(root, { before: adopted.get(root) ?? '', read: () => keyOf(root), write })
  }
  const onMedia = (sheet: CSSStyleSheet) => {
    const read = () => unnoted(() => sheet.media.mediaText)
    suspect(sheet, { before: read(), read, write: () => writer.rewrite(sheet) })
  }
  const { unnoted, hookWindow } = hookSheets(watching, {
    onRule,
    onRoot,
    onMedia,
    onInsert: writer.edit,
    onDelete: writer.edit,
    onWhole: writer.rewrite,
  })
  const isPlain = (style: Element, sheet: CSSStyleSheet) => {
    if (writer.isEdited(sheet) || hasImports(sheet)) return false
    const text = style.textContent ?? ''
    if (!isFresh(style)) return true
    compared += text.length
    if (compared > comparedAtMost || (!sheet.disabled && !differs(sheet, text))) return true
    writer.note(sheet)
    return false
  }
  return {
    write(element: Element, stream: Stream) {
      const sheet = sheetOf(element)
      if (!sheet || !rulesOf(sheet) || (element.localName === 'style' && isPlain(element, sheet))) return
      stream.byte(parts.sheet)
      unnoted(() => writer.writeText(sheet, stream))
    },
    writeRoot(root: Root, stream: Stream) {
      if (root === document) {
        writer.forgetKnown()
        checkHeld()
      }
      const sheets = sheetsOf(root)
      adopted.delete(root)
      if (sheets.length === 0) return
      stream.byte(parts.adopted)
      writeList(root, stream)
      for (const sheet of sheets) if (writer.know(sheet)) writer.queueSheet(sheet)
    },
    writeText: (style: Element, text: string, stream: Stream) =>
      writer.put(text, { stream, href: style.baseURI }),
    /** A link, or a style sheet that imports others. */
    loaded(element: Element) {
      const sheet = sheetOf(element)
      if (sheet && (element.localName === 'link' || hasImports(sheet))) writer.rewrite(sheet)
    },
    /** A style whose children change has its rules anew, also where they are no text and not recorded. */
    rearranged(found: readonly MutationRecord[]) {
      for (const { type, target, addedNodes, removedNodes } of found) {
        if (type !== 'childList' || !isStyle(target)) continue
        const sheet = sheetOf(target as Element)
        if (sheet && ![...addedNodes, ...removedNodes].some((node) => node.nodeType === 3))
          writer.queueSheet(sheet)
      }
    },
    hookWindow: (window: PageWindow) => hookWindow(window),
  }
}

function sheetOf(element: Element): CSSStyleSheet | undefined {
  return /^(style|link)$/.test(element.localName) ? (Object(element).sheet ?? undefined) : undefined
}
