// Recorded pages for tests: elements with ids in the order in which a recorder gives them.

import type { ReplayDocument, ReplayNode, ReplayOperation } from '../../replay/operations.ts'

type Child = Element | string
export interface Element {
  tag: string
  attributes: Record<string, string>
  children: Child[]
}

export const el = (tag: string, attributes: Record<string, string> = {}, ...children: Child[]): Element => ({
  tag,
  attributes,
  children,
})

export interface TestPage {
  operation: Extract<ReplayOperation, { do: 'page' }>
  /** Of the element with this `id` attribute, otherwise of the one with this text. */
  idOf(name: string): number
}

/** `at`: milliseconds. */
export function pageOf(at: number, ...body: Child[]): TestPage {
  const ids = new Map<string, number>()
  let next = 1
  const build = (child: Child): ReplayNode => {
    const id = next++
    if (typeof child === 'string') return { kind: 'text', id, text: child }
    const { tag, attributes } = child
    const text = child.children.find((each) => typeof each === 'string')
    for (const name of [attributes.id, text]) if (name && !ids.has(name)) ids.set(name, id)
    return { kind: 'element', id, tag, attributes, children: child.children.map(build) }
  }
  const document: ReplayDocument = { id: next++, children: [build(el('html', {}, el('body', {}, ...body)))] }
  return {
    operation: { at, do: 'page', width: 1280, height: 800, document },
    idOf(name) {
      const id = ids.get(name)
      if (id === undefined) throw new Error(`the page has no ${name}`)
      return id
    },
  }
}

export const press = (
  at: number,
  id: number,
  kind: Extract<ReplayOperation, { do: 'press' }>['kind'] = 'click',
): ReplayOperation => ({ at, do: 'press', kind, x: 5, y: 5, id })

/** As a pointer makes it. */
export const click = (at: number, id: number): ReplayOperation[] => [
  press(at - 40, id, 'down'),
  press(at - 2, id, 'up'),
  press(at, id),
]

export const type = (at: number, id: number, ...values: string[]): ReplayOperation[] => [
  { at, do: 'focus', id },
  ...values.map(
    (value, index): ReplayOperation => ({ at: at + 1 + index, do: 'state', id, state: { value } }),
  ),
]
