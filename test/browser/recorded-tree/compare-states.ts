// What no attribute shows, of the page and of the page that the player built from its recording: fields, dialogs,
// popovers and style sheets. The differences, in words.

import type { PageMask } from '../../../packages/sdk/src/replay/watching.ts'
import { rootsOf, type World } from './steps.ts'

export interface StatesToCompare {
  world: World
  mask: PageMask
  idOf(node: Node): number
  playedOf(node: Node): Node | undefined
}

const textual = /^(text|email|search|password)$/
/** A box has no value. */
const isFilled = /^(input|textarea)$/
const checkable = /^(checkbox|radio)$/

export function compareStates({ world, mask, idOf, playedOf }: StatesToCompare): string[] {
  const found: string[] = []
  const check = (node: Node, what: string, [played, wanted]: [unknown, unknown]) => {
    if (`${played}` !== `${wanted}`) found.push(`${idOf(node)} ${what} ${played} instead of ${wanted}`)
  }
  const compareField = (element: Element, played: Element) => {
    const [field, shown] = [Object(element), Object(played)]
    const isText =
      element.localName === 'textarea' || (element.localName === 'input' && textual.test(field.type))
    if (isText) {
      const text = mask.value(element, field.value)
      if (text === undefined)
        check(element, 'value', [/[^\sx]/.test(field.value) && shown.value === field.value, false])
      else check(element, 'value', [wellFormed(shown.value), wellFormed(inHalves(text, shown.value))])
    }
    if (!mask.isCheckShown(element)) return
    if (element.localName === 'input' && checkable.test(field.type))
      check(element, 'checked', [shown.checked, field.checked])
    if (element.localName === 'option') check(element, 'selected', [shown.selected, field.selected])
  }
  const compareOpen = (element: Element, played: Element) => {
    const { localName } = element
    if (localName === 'dialog') check(element, 'open', [Object(played).open, Object(element).open])
    if (world.hasMovedWithState || (localName !== 'dialog' && !element.hasAttribute('popover'))) return
    for (const selector of [':modal', ':popover-open'])
      check(element, selector, [played.matches(selector), element.matches(selector)])
  }
  const look = (root: ParentNode) => {
    const inner = root.getRootNode() as Document | ShadowRoot
    const playedRoot = playedOf(inner) as Document | ShadowRoot | undefined
    // The first one is the player's.
    const adopted = playedRoot && [...playedRoot.adoptedStyleSheets].slice(1)
    if (adopted)
      check(inner, 'adopted', [
        adopted.map(rulesOf).join(' | '),
        inner.adoptedStyleSheets.map(rulesOf).join(' | '),
      ])
    for (const element of root.querySelectorAll(
      'input,textarea,select,option,dialog,[popover]:not(template,script,img),style',
    )) {
      const played = playedOf(element) as Element | undefined
      if (!idOf(element) || played?.localName !== element.localName) continue
      if (mask.isBlocked(element)) {
        if (isFilled.test(element.localName)) check(element, 'value', [Object(played).value, ''])
        continue
      }
      compareField(element, played)
      compareOpen(element, played)
      const { sheet } = Object(element)
      if (sheet && !world.hasMovedWithState)
        check(element, 'rules', [rulesOf(Object(played).sheet), rulesOf(sheet)])
    }
  }
  for (const root of rootsOf(world)) look(root)
  return found
}

/** UTF-8 has no half characters, and those of two texts are masked one by one. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/x+/g, 'x')

/** The value of a field can be that of two texts with half a character each: it is shown as both. */
const inHalves = (text: string, shown: string) =>
  text.replace(/[\u{10000}-\u{10FFFF}]/gu, (whole, at: number) =>
    shown.startsWith('\ufffd\ufffd', at) ? '\ufffd\ufffd' : whole,
  )

function rulesOf(sheet: CSSStyleSheet | null): string {
  return sheet && !sheet.disabled ? [...sheet.cssRules].map(({ cssText }) => cssText).join(' ') : ''
}
