// Tags and texts of a page and of its recording, to compare both.

import { expect, type Page } from '@playwright/test'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { createPageModel, type ModelNode } from './recorded-tree/page-model.ts'
import type { RecordedPage } from './recorder.ts'

/** Tags and texts of a page, as it is played at the end. */
function shapeOfModel(node: ModelNode): string {
  if (node.kind === 'text') return node.text.trim()
  const inner = [node.shadow, node.document, ...node.children].flatMap((each) =>
    each ? shapeOfModel(each) || [] : [],
  )
  return node.kind === 'element' ? `${node.tag}(${inner.join(' ')})` : inner.join(' ')
}

export function play(operations: readonly ReplayOperation[]): string {
  const model = createPageModel()
  for (const operation of operations) model.apply(operation)
  return model.document ? shapeOfModel(model.document) : ''
}

/** The same of the page itself, past everything that it may have put in the place of DOM members. */
export function shapeOfPage(page: Page): Promise<string> {
  return page.evaluate(() => {
    const unseen = /^(script|noscript|meta|template|base)$/
    const read = (owner: object, name: string) => (node: object) =>
      Object.getOwnPropertyDescriptor(owner, name)?.get?.call(node)
    const [type, first, next] = ['nodeType', 'firstChild', 'nextSibling'].map((name) =>
      read(Node.prototype, name),
    )
    const [name, shadow] = ['localName', 'shadowRoot'].map((name) => read(Element.prototype, name))
    const childrenOf = (node: Node) => {
      const children: Node[] = []
      for (let child = first?.(node); child; child = next?.(child)) children.push(child)
      return children
    }
    const shapeOf = (node: Node): string => {
      if (type?.(node) === 3) return `${Object(node).data}`.trim()
      const isElement = type?.(node) === 1
      if (!isElement && type?.(node) !== 9 && type?.(node) !== 11) return ''
      const tag = isElement ? name?.(node) : ''
      if (unseen.test(tag)) return `${tag}()`
      const inner = [
        isElement && shadow?.(node),
        /^i?frame$/.test(tag) && Object(node).contentDocument,
        ...childrenOf(node),
      ].flatMap((each) => (each ? shapeOf(each) || [] : []))
      return isElement ? `${tag}(${inner.join(' ')})` : inner.join(' ')
    }
    return shapeOf(document)
  })
}

export async function expectExact(page: Page, recording: RecordedPage): Promise<void> {
  await expect
    .poll(async () => {
      await recording.flush()
      return play(await recording.operations()) === (await shapeOfPage(page))
    })
    .toBe(true)
}
