// Puts steps together: several clicks of one gesture, all that is typed into a field, and the pages that steps lead to.

import { isMasked, isTextField, typeOf } from './accessible-name.ts'
import { type Locator, locate } from './locate.ts'
import type { PageNode } from './page-model.ts'

/** Times are milliseconds since 1970, by the clock of the events. */
export type Step = { readonly at: number } & (
  | { readonly do: 'open'; readonly url: string }
  /** The step before loaded another page. */
  | { readonly do: 'arrive'; readonly url: string }
  | { readonly do: 'back' }
  | {
      readonly do: 'click'
      readonly on: Locator
      readonly count: number
      readonly isRight: boolean
      readonly until: number
      /** As Telltale's SDK names the element in its events. */
      readonly selector: string
    }
  | { readonly do: 'fill'; readonly on: Locator; readonly text: string; readonly isMasked: boolean }
  /** Without a label, it is not known which option. */
  | { readonly do: 'choose'; readonly on: Locator; readonly label: string | undefined }
  | { readonly do: 'check'; readonly on: Locator; readonly isChecked: boolean }
  | { readonly do: 'press'; readonly on: Locator; readonly key: 'Enter' }
  | { readonly do: 'scroll'; readonly y: number }
)

export interface RecordedView {
  readonly at: number
  readonly url: string
  /** A document was loaded, the user went back to one in memory, or only the address changed. */
  readonly by: 'load' | 'back' | 'route'
}

export type NotRepeated = 'file' | 'rich-text' | 'canvas' | 'too-many'

/** Milliseconds after which a page that loads is not the result of a step, and an address that changes. */
const loadsWithin = 10_000
const routesWithin = 1_000
/** Between two clicks of one gesture. */
const sameGesture = 500
export type StepWriter = ReturnType<typeof createStepWriter>

/** Keeps at most this many steps. */
export function createStepWriter(most: number) {
  const steps: Step[] = []
  const notRepeated = new Set<NotRepeated>()
  const addresses: string[] = []
  let typing: { node: PageNode; on: Locator; text: string; at: number } | undefined
  /** A click that only puts the focus into a field, unless something else shows that it did more. */
  let entering: { node: PageNode; on: Locator; at: number } | undefined

  const add = (step: Step) => {
    if (steps.length < most) steps.push(step)
    else notRepeated.add('too-many')
  }
  const settle = () => {
    if (typing) {
      const { on, text, at } = typing
      add({ do: 'fill', on, text, isMasked: isMasked(text), at })
    } else if (entering) add(clickOn(entering.on, entering.at))
    typing = undefined
    entering = undefined
  }
  const clicks = createClicks(steps, add)

  return {
    skip: (what: NotRepeated) => notRepeated.add(what),
    focus(node: PageNode, at: number) {
      if (typing && typing.node !== node) settle()
      // Never recorded: without a step, the form could not be sent.
      if (node.tag === 'input' && typeOf(node) === 'password') {
        settle()
        typing = { node, on: locate(node), text: 'xxxxxxxx', at }
      }
    },
    type(node: PageNode, text: string, at: number) {
      if (typing?.node === node) {
        typing.text = text
        return
      }
      const on = entering?.node === node ? entering.on : locate(node)
      if (entering?.node === node) entering = undefined
      settle()
      typing = { node, on, text, at }
    },
    click(node: PageNode, at: number, selector = '') {
      if (typing?.node === node || clicks.repeat(node, at)) return
      settle()
      if (/^(select|option|html|body)$/.test(node.tag)) return
      if (node.tag === 'input' && typeOf(node) === 'file') return void notRepeated.add('file')
      if (node.tag === 'canvas') notRepeated.add('canvas')
      if (isTextField(node)) {
        entering = { node, on: locate(node), at }
        return
      }
      clicks.add(node, at, selector)
    },
    rightClick(node: PageNode, at: number) {
      settle()
      add({ ...clickOn(locate(node), at), isRight: true })
    },
    press(field: PageNode, at: number) {
      const on = typing?.node === field ? typing.on : locate(field)
      settle()
      add({ do: 'press', on, key: 'Enter', at })
    },
    choose(select: PageNode | undefined, label: string | undefined, at: number) {
      if (select === undefined) return
      settle()
      const step = choiceOf(select, label, at)
      // A list is scrolled through by keys, and a choice is recorded by its option and its select.
      const before = steps.at(-1)
      if (before?.do === 'choose' && JSON.stringify(before.on) === JSON.stringify(step.on)) steps.pop()
      add(step)
    },
    check: clicks.check,
    scroll(y: number, at: number) {
      if (steps.length === 0) return
      settle()
      if (steps.at(-1)?.do === 'scroll') steps.pop()
      add({ do: 'scroll', y, at })
    },
    arrive(view: RecordedView, focused: PageNode | undefined) {
      const entered =
        typing && focused === typing.node && pathOf(view.url) !== pathOf(addresses.at(-1))
          ? typing.on
          : undefined
      settle()
      for (const step of stepsOfView(view, { before: steps.at(-1), entered, addresses })) add(step)
      addresses.push(view.url)
    },
    end() {
      settle()
      return { steps, notRepeated }
    },
  }
}

function createClicks(steps: Step[], add: (step: Step) => void) {
  let last: { node: PageNode; at: number; step: number } | undefined
  const findLast = (node: PageNode, at: number) => {
    const step = last?.node === node && at - last.at <= sameGesture ? steps[last.step] : undefined
    return step?.do === 'click' ? step : undefined
  }
  return {
    add(node: PageNode, at: number, selector: string) {
      const on = locate(node)
      const isRadio = node.tag === 'input' && typeOf(node) === 'radio'
      add(isRadio ? { do: 'check', on, isChecked: true, at } : { ...clickOn(on, at), selector })
      last = { node, at, step: steps.length - 1 }
    },
    /** False: it is not part of the gesture before. */
    repeat(node: PageNode, at: number): boolean {
      const before = findLast(node, at)
      if (!last || !before || last.step !== steps.length - 1) return false
      steps[last.step] = { ...before, count: before.count + 1, until: at }
      last.at = at
      return true
    },
    /** What the click before did to a check box. */
    check(node: PageNode, isChecked: boolean, at: number) {
      const before = findLast(node, at)
      if (last && before) steps[last.step] = { do: 'check', on: before.on, isChecked, at: before.at }
    },
  }
}

interface ViewPlace {
  before: Step | undefined
  /** The field that the user had written in. */
  entered: Locator | undefined
  addresses: readonly string[]
}

function stepsOfView({ url, at, by }: RecordedView, { before, entered, addresses }: ViewPlace): Step[] {
  if (before === undefined) return [{ do: 'open', url, at }]
  const since = before.do === 'open' ? Number.POSITIVE_INFINITY : at - before.at
  // A form without a button: the key that sent it is not recorded, its result is.
  const sent: Step[] = entered && by !== 'back' ? [{ do: 'press', on: entered, key: 'Enter', at }] : []
  if (by === 'load') return [...sent, { do: since < loadsWithin || entered ? 'arrive' : 'open', url, at }]
  const isBack = by === 'back' || (since > routesWithin && !entered && url === addresses.at(-2))
  return isBack ? [...sent, { do: 'back', at }] : sent
}

const pathOf = (url: string | undefined) => url?.split(/[?#]/, 1)[0]

function choiceOf(select: PageNode, label: string | undefined, at: number): Extract<Step, { do: 'choose' }> {
  const isKnown = label !== undefined && label !== '' && !isMasked(label)
  return { do: 'choose', on: locate(select), label: isKnown ? label : undefined, at }
}

const clickOn = (on: Locator, at: number): Extract<Step, { do: 'click' }> => ({
  do: 'click',
  on,
  count: 1,
  isRight: false,
  selector: '',
  at,
  until: at,
})
