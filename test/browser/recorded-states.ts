// A recorder of a tree, for the tests of what watches the rest of a page: it writes the page as it is and changes of
// nothing but what its watchers queue. Runs in the page.

import { records as codes, parts } from '@telltale/core/telemetry/replay/codes'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { createClock } from '../../packages/sdk/src/replay/clock.ts'
import type { PageRecords, WriteRecord } from '../../packages/sdk/src/replay/page-records.ts'
import { createStates } from '../../packages/sdk/src/replay/states.ts'
import { createStream } from '../../packages/sdk/src/replay/stream.ts'

export interface Recording {
  idOf(node: Node): number
  /** Of the page as it is now. */
  snapshot(): ReplayOperation[]
  /** A node that the page has added. */
  added(node: Element): void
  /** What was written since the last time. */
  flush(): ReplayOperation[]
  thin(): void
  stop(): void
}

export interface RecordingOptions {
  hidesValues?: boolean
}

export function startRecording({ hidesValues = false }: RecordingOptions = {}): Recording {
  const clock = createClock()
  const stream = createStream()
  let ids = new WeakMap<Node, number>()
  let next = 1
  let queue: { write: WriteRecord; at?: number | undefined }[] = []
  let states = new Map<Node, Map<string, WriteRecord>>()
  let time = 0
  const idOf = (node: Node | null | undefined) => (node && ids.get(node)) || 0
  const records: PageRecords = {
    idOf,
    queue: (write, at) => queue.push({ write, at }),
    queueState(node, name, write) {
      states.set(node, (states.get(node) ?? new Map()).set(name, write))
    },
  }
  const watched = createStates({
    records,
    clock,
    mask: {
      isBlocked: (element) => element.hasAttribute('data-telltale-block'),
      value: (field, text) =>
        field.getAttribute('type') === 'password' ? undefined : hidesValues ? text.replace(/\S/g, 'x') : text,
      isCheckShown: () => !hidesValues,
      isHidden: () => false,
      isFixed: () => false,
      isPicture: () => false,
      isIgnored: (node) => node instanceof Element && !!node.closest('[data-telltale-ignore]'),
    },
    texts: { clean: (text) => text, sheetMark: (text) => text, writeMark: () => undefined },
  })
  const give = (node: Node) => {
    ids.set(node, next++)
    // Its state is part of what is written.
    states.delete(node)
  }
  const writeChildren = (node: Node) => {
    for (const child of node.childNodes) {
      if (child instanceof Text) {
        give(child)
        stream.byte(parts.text)
        if (node instanceof HTMLStyleElement) watched.writeText(node, child.data, stream)
        else stream.text(child.data)
      } else if (child.nodeType === 1) writeElement(child as Element)
    }
  }
  const writeElement = (element: Element) => {
    give(element)
    stream.byte(parts.element)
    stream.text(element.localName)
    stream.number(element.attributes.length)
    for (const { name, value } of element.attributes) {
      stream.text(name)
      stream.text(value)
    }
    if (!watched.write(element, stream)) {
      if (element.shadowRoot) writeRoot(element.shadowRoot, parts.shadow)
      const { contentDocument } = Object(element)
      if (contentDocument) writeRoot(contentDocument, parts.document)
      writeChildren(element)
    }
    stream.byte(parts.end)
  }
  const writeRoot = (root: Document | ShadowRoot, code?: number) => {
    if (code) stream.byte(code)
    give(root)
    watched.writeRoot(root, stream)
    writeChildren(root)
    if (code) stream.byte(parts.end)
  }
  const begin = () => {
    time = clock.now()
    stream.begin(next, time)
  }
  const writeQueued = () => {
    const changed = states
    states = new Map()
    for (const [node, writes] of changed)
      if (idOf(node)) for (const write of writes.values()) write(stream, time)
    const list = queue
    queue = []
    for (let index = 0; index < list.length; index++) {
      const { write, at = clock.now() } = list[index] ?? { write: () => undefined }
      stream.byte(codes.time)
      stream.signed(at - time)
      time = at
      write(stream, at)
      list.push(...queue.splice(0))
    }
    queue = []
  }
  begin()
  return {
    idOf,
    snapshot() {
      ids = new WeakMap()
      next = 1
      begin()
      stream.byte(codes.page)
      stream.number(innerWidth)
      stream.number(innerHeight)
      writeRoot(document)
      stream.byte(parts.end)
      watched.settled()
      writeQueued()
      const operations = [...decodeSegment(stream.from(0))]
      begin()
      return operations
    },
    added(node) {
      stream.byte(codes.insert)
      stream.number(idOf(node.parentNode))
      stream.number(0)
      writeElement(node)
      stream.byte(parts.end)
    },
    flush() {
      writeQueued()
      const operations = [...decodeSegment(stream.from(0))]
      begin()
      return operations
    },
    thin: watched.thin,
    stop: watched.stop,
  }
}

/** The rules of all style sheets after these operations, by what they belong to: as a player applies them. */
export function playSheets(operations: readonly ReplayOperation[]): Record<string, string[]> {
  const sheets = new Map<string, CSSStyleSheet>()
  const nameOf = (sheet: object) => JSON.stringify(sheet)
  const begin = (sheet: object, text: string) => {
    const made = new CSSStyleSheet()
    made.replaceSync(text)
    sheets.set(nameOf(sheet), made)
  }
  const visit = (node: unknown) => {
    const { kind, id, tag, state, children = [], shadow, document } = Object(node)
    if (kind === 'element' && /^(style|link)$/.test(tag)) {
      const text =
        state?.sheet ??
        (tag === 'style'
          ? children
              .map(Object)
              .map(({ text = '' }) => text)
              .join('')
          : '')
      begin({ node: id }, text)
    }
    for (const child of [...children, shadow, document]) if (child) visit(child)
  }
  for (const operation of operations) {
    if (operation.do === 'page') visit(operation.document)
    if (operation.do === 'insert') operation.nodes.forEach(visit)
    if (operation.do === 'state' && operation.state.sheet !== undefined)
      begin({ node: operation.id }, operation.state.sheet)
    if (operation.do === 'sheet') begin(operation.sheet, operation.text)
    if (operation.do !== 'insert-rule' && operation.do !== 'delete-rule') continue
    const path = [...operation.path]
    const index = path.pop() ?? 0
    let holder: unknown = sheets.get(nameOf(operation.sheet))
    for (const each of path) holder = Object(holder).cssRules[each]
    if (operation.do === 'delete-rule') Object(holder).deleteRule(index)
    else Object(holder).insertRule(operation.text, index)
  }
  return Object.fromEntries(
    [...sheets].map(([name, { cssRules }]) => [name, [...cssRules].map(({ cssText }) => cssText)]),
  )
}
