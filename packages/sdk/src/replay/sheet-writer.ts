// Writes style sheets, whole or rule by rule. A sheet that is written whole includes the changes of its rules that were
// queued before.

import { records as codes } from '@telltale/core/telemetry/replay/codes'
import type { SheetMark } from './assets.ts'
import type { PageRecords } from './page-records.ts'
import { absolute, pathOf, rulesOf, textOf, topOf } from './sheet-text.ts'
import type { Stream } from './stream.ts'

export interface SheetTexts {
  /** Of a rule, as it may leave the page. */
  clean(text: string): string
  /** Of a whole sheet: the same, or the mark of its asset. */
  sheetMark(text: string): string | SheetMark
  /** Into the stream of the recording. */
  writeMark(mark: SheetMark): void
}

export type SheetWriter = ReturnType<typeof createSheetWriter>

export function createSheetWriter(records: PageRecords, texts: SheetTexts) {
  const { refOf, ...refs } = createSheetRefs(records)
  /** Counts how often a sheet was written whole. */
  const versions = new WeakMap<CSSStyleSheet, number>()
  const wholes = new WeakMap<CSSStyleSheet, string | SheetMark>()
  /** Differ from their text. */
  const edited = new WeakSet<CSSStyleSheet>()
  const queued = new Set<CSSStyleSheet>()
  let waiting = 0

  const put = (text: string | SheetMark, stream: Stream) =>
    typeof text === 'string' ? stream.text(text) : texts.writeMark(text)
  const writeText = (sheet: CSSStyleSheet, stream: Stream) => {
    versions.set(sheet, (versions.get(sheet) ?? 0) + 1)
    if (sheet.disabled) return stream.text('')
    const text = wholes.get(sheet) ?? texts.sheetMark(textOf(sheet))
    wholes.set(sheet, text)
    put(text, stream)
  }
  const writeSheet = (sheet: CSSStyleSheet, stream: Stream) => {
    const ref = refOf(sheet)
    if (!ref || !rulesOf(sheet)) return
    stream.byte(codes.sheet)
    stream.number(ref)
    writeText(sheet, stream)
  }
  const queueSheet = (sheet: CSSStyleSheet) => {
    if (queued.has(sheet)) return
    queued.add(sheet)
    records.queue((stream) => {
      queued.delete(sheet)
      writeSheet(sheet, stream)
    })
  }
  const note = (sheet: CSSStyleSheet) => {
    edited.add(sheet)
    wholes.delete(sheet)
  }
  const rewrite = (sheet: CSSStyleSheet) => {
    note(topOf(sheet))
    queueSheet(topOf(sheet))
  }
  /** Undefined: it has been written otherwise, or there is nothing to write. */
  const refToEdit = (sheet: CSSStyleSheet, path: unknown): number | undefined => {
    note(sheet)
    if (path && topOf(sheet) === sheet) return sheet.disabled ? 0 : refOf(sheet)
    rewrite(sheet)
    return undefined
  }
  return {
    ...refs,
    writeText,
    writeSheet,
    queueSheet,
    rewrite,
    note,
    isEdited: (sheet: CSSStyleSheet) => edited.has(sheet),
    isWaiting: () => waiting > 0,
    put: (text: string, { stream, href }: { stream: Stream; href: string }) =>
      put(texts.sheetMark(absolute(text, { href })), stream),
    /** A rule that was added to a sheet or a rule; without a text, one that was removed. */
    edit(holder: CSSStyleSheet | CSSRule, index: number, text?: string) {
      const isSheet = !('parentRule' in holder)
      const sheet = isSheet ? holder : holder.parentStyleSheet
      const place = isSheet ? [] : pathOf(holder)
      if (!sheet || !refToEdit(sheet, place)) return
      const rule = text === undefined ? undefined : texts.clean(absolute(text, sheet))
      const path = [...(place ?? []), index]
      const version = versions.get(sheet)
      waiting++
      records.queue((stream) => {
        waiting--
        const ref = refOf(sheet)
        if (!ref || versions.get(sheet) !== version) return
        writePlace(stream, rule === undefined ? codes.deleteRule : codes.insertRule, [ref, path])
        if (rule !== undefined) stream.text(rule)
      })
    },
    /** A rule that has changed: in place of what it was. */
    replace(rule: CSSRule, stream: Stream) {
      const sheet = rule.parentStyleSheet
      const path = pathOf(rule)
      const ref = sheet && refToEdit(sheet, path)
      if (!ref || !path) return
      writePlace(stream, codes.deleteRule, [ref, path])
      writePlace(stream, codes.insertRule, [ref, path])
      stream.text(texts.clean(absolute(rule.cssText, sheet)))
    },
  }
}

/** How records name style sheets. */
function createSheetRefs({ idOf }: PageRecords) {
  const numbers = new WeakMap<CSSStyleSheet, number>()
  let count = 0
  /** Constructed sheets that the page as recorded has. */
  let known = new WeakSet<CSSStyleSheet>()
  return {
    /** Zero: it is not recorded, or not yet. */
    refOf(sheet: CSSStyleSheet): number {
      const number = numbers.get(sheet)
      if (number !== undefined) return known.has(sheet) ? number * 2 + 1 : 0
      return sheet.ownerNode ? idOf(sheet.ownerNode) * 2 : 0
    },
    /** True: it is new to the page as recorded. */
    know(sheet: CSSStyleSheet): boolean {
      const isNew = !known.has(sheet)
      known.add(sheet)
      return isNew
    },
    forgetKnown() {
      known = new WeakSet()
    },
    numberOf(sheet: CSSStyleSheet): number {
      const number = numbers.get(sheet) ?? count++
      numbers.set(sheet, number)
      return number
    },
  }
}

function writePlace(stream: Stream, code: number, [ref, path]: readonly [number, readonly number[]]): void {
  stream.byte(code)
  stream.number(ref)
  stream.number(path.length)
  for (const index of path) stream.number(index)
}
