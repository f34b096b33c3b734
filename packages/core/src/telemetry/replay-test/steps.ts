// What a user did, as steps of a test: from the operations of a recording and the views of the session.

import type { ReplayOperation } from '../replay/operations.ts'
import { fieldOf, isTextField, piecesOf, roleOf, typeOf } from './accessible-name.ts'
import { aroundOf, createPageModel, type PageNode, selectorOf } from './page-model.ts'
import { createStepWriter, type NotRepeated, type RecordedView, type Step } from './step-writer.ts'

export interface RecordedSteps {
  readonly steps: readonly Step[]
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  readonly isTouch: boolean
  /** Of the recording, by the clock of the events. */
  readonly startedAt: number
  /** What users did that no step repeats, by kind. */
  readonly notRepeated: ReadonlySet<NotRepeated>
}

export interface StepReader {
  /** In order of time. `at`: by the clock of the events. */
  take(operation: ReplayOperation, at: number): void
  end(): RecordedSteps
}

type Press = Extract<ReplayOperation, { do: 'press' }>

/** Between a click on a label and the one of its field, which the browser makes. */
const ofLabel = 50
/** Between the times of events and those of records: each is corrected by when it arrived. */
const clockTolerance = 500
/** Between the view of a page that loads and its first record. */
const loadPatience = 5_000
/** Between a press and the record of its element. */
const batchWithin = 2_000
/** After scrolling, in which a page adds what comes into view. */
const scrollsWithin = 1_000
const actionable = new Set(
  'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem'.split(
    ' ',
  ),
)

export function createStepReader(views: readonly RecordedView[], most: number): StepReader {
  const page = createPageModel()
  const writer = createStepWriter(most)
  const left = [...views]
  let viewport: RecordedSteps['viewport']
  let isTouch = false
  let startedAt: number | undefined
  let focused: PageNode | undefined
  let lastDown = Number.NEGATIVE_INFINITY
  let lastClick: { at: number; target: PageNode } | undefined
  let hasDowns = false
  let scroll: { at: number; y: number } | undefined
  const early: { operation: Press; at: number }[] = []

  /** At the first operation the user is on the last page by then; what came before is not recorded. */
  const begin = (at: number) => {
    const before = left.findLastIndex((view) => view.at <= at + clockTolerance)
    const [first] = left.splice(0, Math.max(1, before + 1)).slice(-1)
    if (first) writer.arrive(first, undefined)
  }
  /** A page that loads is a record as well, so the view waits for it. */
  const showViews = (at: number, isPage: boolean) => {
    for (let view = left[0]; view !== undefined; view = left[0]) {
      const patience = view.by === 'load' && !isPage ? loadPatience : isPage ? -loadPatience : clockTolerance
      if (view.at + patience > at) return
      left.shift()
      writer.arrive(view, focused)
    }
  }
  const click = (node: PageNode, at: number) => {
    const isOfKeys = hasDowns && lastDown < (lastClick?.at ?? 0)
    const target = targetOf(node)
    const before = lastClick
    lastClick = { at, target }
    if (before && at - before.at <= ofLabel && isFieldOf(target, before.target)) return
    if (isOfKeys && focused && focused !== target && isTextField(focused)) return writer.press(focused, at)
    writer.click(target, at, selectorOf(node))
  }
  const press = (operation: Press, at: number) => {
    if (operation.kind === 'down' || operation.kind === 'touch') {
      hasDowns = true
      lastDown = at
      isTouch ||= operation.kind === 'touch'
    }
    const node = page.find(operation.id)
    // Changes are recorded in batches: what was pressed may be in the next one.
    if (node === undefined) early.push({ operation, at })
    if (node === undefined || node.kind === 'document') return
    if (operation.kind === 'click') click(node, at)
    if (operation.kind === 'menu') writer.rightClick(targetOf(node), at)
  }
  const noteState = (operation: Extract<ReplayOperation, { do: 'state' }>, at: number) => {
    const { value, checked, scroll: moved } = operation.state
    const node = page.find(operation.id)
    if (node === undefined) return
    if (moved && (node.kind === 'document' || node.tag === 'html')) scroll = { at, y: moved.y }
    if (value !== undefined && node === focused && isTextField(node)) writer.type(node, value, at)
    if (node.tag === 'option' && checked === true) writer.choose(selectOf(node), piecesOf(node).join(' '), at)
    if (node.tag === 'select' && value !== undefined && node === focused)
      writer.choose(node, labelOfValue(node, value), at)
    if (typeOf(node) === 'checkbox' && checked !== undefined) writer.check(node, checked, at)
  }

  return {
    take(operation, at) {
      if (startedAt === undefined) begin(at)
      else showViews(at, operation.do === 'page')
      startedAt ??= at
      if (operation.do === 'press') press(operation, at)
      // Before it is applied: the value that a field had is still there.
      page.apply(operation)
      if (operation.do === 'insert') {
        for (const each of early.splice(0)) if (at - each.at < batchWithin) press(each.operation, each.at)
      }
      if (operation.do === 'page') {
        viewport ??= { width: operation.width, height: operation.height }
        focused = undefined
      }
      if (operation.do === 'focus') {
        const next = operation.id === null ? undefined : page.find(operation.id)
        if (next && next !== focused) writer.focus(next, at)
        focused = next
      }
      if (operation.do === 'state') noteState(operation, at)
      if (operation.do === 'text' && focused && isEditable(page.find(operation.id))) writer.skip('rich-text')
      if (operation.do === 'insert' && scroll && at - scroll.at < scrollsWithin) {
        writer.scroll(scroll.y, scroll.at)
        scroll = undefined
      }
    },
    end() {
      showViews(Number.POSITIVE_INFINITY, false)
      return { ...writer.end(), viewport, isTouch, startedAt: startedAt ?? 0 }
    },
  }
}

/** What a click is meant for: the control around the element, or the element. */
function targetOf(node: PageNode): PageNode {
  let element: PageNode | undefined
  for (const each of aroundOf(node)) {
    if (each.kind !== 'element') continue
    element ??= each
    if (actionable.has(roleOf(each)) || each.tag === 'summary' || each.tag === 'label') return each
    if (each.tag === 'input') return each
  }
  return element ?? node
}

const isFieldOf = (field: PageNode, label: PageNode) => label.tag === 'label' && fieldOf(label) === field

function selectOf(option: PageNode): PageNode | undefined {
  for (const each of aroundOf(option)) if (each.tag === 'select') return each
  return undefined
}

function labelOfValue(select: PageNode, value: string): string | undefined {
  const open = [...select.children]
  for (let node = open.pop(); node; node = open.pop()) {
    const label = piecesOf(node).join(' ')
    if (node.tag === 'option' && (node.attributes.get('value') ?? label) === value) return label
    open.push(...node.children)
  }
  return undefined
}

function isEditable(node: PageNode | undefined): boolean {
  if (node === undefined) return false
  for (const each of aroundOf(node))
    if (/^(|true|plaintext-only)$/.test(each.attributes.get('contenteditable') ?? 'none')) return true
  return false
}
