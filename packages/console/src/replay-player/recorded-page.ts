// Applies operations to the rebuilt page, in a frame without scripts. Nothing of a recording is trusted: operations of
// another form, or on unknown nodes, have no effect.

import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import type { Assets } from './assets.ts'
import { type Builder, setAttribute, takeAway } from './build-nodes.ts'
import { createConstructedSheets } from './constructed-sheets.ts'
import {
  applyState,
  closeBox,
  closeDialog,
  drawCanvas,
  keepShape,
  openBox,
  scroll,
} from './element-states.ts'
import { createPageStyles } from './page-styles.ts'
import { changesAtMost, createPageTree } from './page-tree.ts'
import { idOf, isObject, type Json, listOf, stringOf } from './read-json.ts'
import { createRecordedNodes, isDocument, isElement, isFrame, isRoot, isText } from './recorded-nodes.ts'
import { createStyleElements } from './style-elements.ts'

export interface RecordedPage {
  /** Throws when a page cannot be built, or a change of it fails. */
  apply(operation: Json): void
  nodeOf(id: unknown): Node | undefined
}

/** The picture shows the others. */
type Kind = Exclude<
  ReplayOperation['do'],
  'viewport' | 'zoom' | 'pointer' | 'press' | 'focus' | 'note' | 'console' | 'request'
>

export function createRecordedPage(
  frame: HTMLIFrameElement,
  { assets, isStill }: { assets: Assets; isStill: boolean },
): RecordedPage {
  const styles = createStyleElements(assets)
  const nodes = createRecordedNodes((element) => styles.textsOf(element))
  const sheets = createConstructedSheets(isStill)
  const builder: Builder = { assets, nodes, styles, sheets }
  const tree = createPageTree(builder)
  const pageStyles = createPageStyles(builder, () => frame.contentDocument)
  const nodeOf = (id: unknown) => nodes.get(idOf(id))
  const elementOf = (id: unknown) => {
    const node = nodeOf(id)
    return isElement(node) ? node : undefined
  }

  const handlers: Record<Kind, (operation: Json) => void> = {
    page({ document }) {
      nodes.clear()
      sheets.clear()
      if (!isObject(document) || !tree.showDocument(frame, document, 0))
        throw new Error('a page without a document')
    },
    insert: tree.insert,
    remove({ ids }) {
      for (const id of listOf(ids).slice(0, changesAtMost)) {
        const node = nodeOf(id)
        if (node !== undefined && !isRoot(node)) takeAway(node, builder)
      }
    },
    text({ id, text }) {
      const node = nodeOf(id)
      if (isText(node) && !styles.change(node, stringOf(text))) node.data = stringOf(text)
    },
    attribute({ id, name, value }) {
      const element = elementOf(id)
      if (element === undefined || typeof name !== 'string') return
      if (name === 'open' && value === null) closeDialog(element)
      setAttribute(element, [name, typeof value === 'string' ? value : null], builder)
      if (name === 'style') keepShape(element)
    },
    state({ id, state }) {
      const node = nodeOf(id)
      if (!isObject(state)) return
      if (isElement(node)) applyState(node, state, builder)
      else if (isDocument(node) && isObject(state.scroll) && node.defaultView)
        scroll(node.defaultView, state.scroll)
    },
    shadow({ id, shadow }) {
      const host = elementOf(id)
      if (host !== undefined && isObject(shadow)) tree.attach(host, shadow)
    },
    document({ id, document }) {
      const shown = elementOf(id)
      if (!isFrame(shown) || !isObject(document)) return
      // Of another origin: a box until it has reported its content.
      if (tree.showDocument(shown, document, 1)) openBox(shown)
      else closeBox(shown)
    },
    sheet: pageStyles.setSheet,
    'insert-rule': pageStyles.insertRule,
    'delete-rule': pageStyles.deleteRule,
    declare: pageStyles.declare,
    adopt: pageStyles.adopt,
    canvas(operation) {
      const canvas = elementOf(operation.id)
      if (canvas !== undefined) drawCanvas(canvas, operation)
    },
  }
  const byKind = new Map<unknown, (operation: Json) => void>(Object.entries(handlers))
  return { nodeOf, apply: (operation) => byKind.get(operation.do)?.(operation) }
}
