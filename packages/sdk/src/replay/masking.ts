// What of a page may be recorded: by the privacy level, by the marks of the page (`data-telltale-mask`, `-unmask`,
// `-block`, `-ignore`) and by the rules of the environment. It is decided when a node is written, so that nothing
// unmasked waits anywhere.

import { originOf } from '../browser/origin-of.ts'
import type { PrivacyLevel } from '../settings.ts'
import { maskAttribute, maskText } from './mask-text.ts'
import { closest, getAttribute, hasAttribute, matches } from './natives.ts'

export const maskMark = 'data-telltale-mask'
export const unmaskMark = 'data-telltale-unmask'
export const blockMark = 'data-telltale-block'
export const ignoreMark = 'data-telltale-ignore'
/** Its pictures are recorded. */
const canvasMark = 'data-telltale-canvas'
const pictureMark = 'data-telltale-picture'

/** Lists of CSS selectors. */
export interface MaskingRules {
  mask?: readonly string[]
  unmask?: readonly string[]
  block?: readonly string[]
}

export interface MaskingOptions {
  level: PrivacyLevel
  /** Whether parts of a page may be unmasked at the level `mask-all`. */
  permitsUnmask?: boolean | undefined
  rules?: MaskingRules | undefined
  /** Origins whose images are recorded. */
  pictures?: readonly string[] | undefined
}

/** What holds for the content of an element, as bits. */
export type Context = number
/** Text is masked. */
export const hidden = 1
/** Input is not recorded. */
export const ignored = 2
/** Masked by a mark, or typed by the user: cannot be unmasked further down. */
export const fixed = 4

export interface Masking {
  /** Of a document. */
  readonly root: Context
  /** Of the content of an element that has this context itself. */
  inside(element: Element, context: Context): Context
  isBlocked(element: Element): boolean
  /** A canvas or an image whose pixels are wanted, where it is not masked. */
  isPicture(element: Element): boolean
  /** Undefined: it is left out. `inside`: of the element's content. */
  attribute(element: Element, attribute: Attribute): string | undefined
  /** The value of a field. Undefined: it is left out. */
  value(field: Element, text: string, context: Context): string | undefined
  /** Whether it may be seen what is chosen. */
  isCheckShown(field: Element, context: Context): boolean
  /** The selectors that look at more than the element itself, which can change without it; empty: none does. */
  readonly related: string
  /** Selectors of the rules that no browser understands. */
  readonly invalid: number
}

export interface Attribute {
  name: string
  value: string
  context: Context
  inside: Context
}

const fields = /^(input|textarea|select|option|datalist)$/
const buttons = /^(submit|button|reset|image)$/
const secrets = /^(password|hidden)$/
const secretHint = /cc-|password|one-time-code/

export const isField = ({ localName }: Element) => fields.test(localName)

export function createMasking(options: MaskingOptions): Masking {
  const { level, permitsUnmask = false, rules = {}, pictures = [] } = options
  const keepsQuery = level === 'allow'
  let invalid = 0
  const related: string[] = []
  const selectorOf = (mark: string, selectors: readonly string[] = []) => {
    const valid = selectors.filter((selector) => {
      const isValid = isSelector(selector)
      if (!isValid) invalid++
      else if (/[\s>+~:]/.test(selector.trim())) related.push(selector)
      return isValid
    })
    return [`[${mark}]`, ...valid].join()
  }
  const masked = selectorOf(maskMark, rules.mask)
  const unmasked = permitsUnmask && level === 'mask-all' ? selectorOf(unmaskMark, rules.unmask) : undefined
  const blocked = selectorOf(blockMark, rules.block)
  /** A field that shows its password is a text field. */
  const known = new WeakSet<Element>()
  /** What was typed into a field is no label when the field becomes a button. */
  const typed = new WeakSet<Element>()

  const isSecret = (field: Element) => {
    if (known.has(field)) return true
    const isNow =
      secrets.test(`${getAttribute(field, 'type')}`.toLowerCase()) ||
      secretHint.test(`${getAttribute(field, 'autocomplete')}`.toLowerCase())
    if (isNow) known.add(field)
    return isNow
  }
  const value = (field: Element, text: string, context: Context) => {
    if (context & ignored || hasAttribute(field, ignoreMark) || isSecret(field)) return undefined
    const isButton = !typed.has(field) && buttons.test(`${getAttribute(field, 'type')}`.toLowerCase())
    if (!isButton) typed.add(field)
    const isHeld = context & hidden || matches(field, masked) || (!keepsQuery && !isButton)
    return isHeld ? maskText(text) : text
  }
  const isCheckShown = (field: Element, context: Context) =>
    keepsQuery &&
    !(context & ignored) &&
    !hasAttribute(field, ignoreMark) &&
    // The month in which a card expires is an option.
    !isSecret(closest(field, 'select') ?? field)
  return {
    root: level === 'mask-all' ? hidden : 0,
    inside(element, context) {
      let inside = context
      if (hasAttribute(element, ignoreMark)) inside |= ignored
      if (matches(element, masked)) inside |= hidden | fixed
      else if (unmasked && !(inside & fixed) && matches(element, unmasked)) inside &= ~hidden
      const isOpen = keepsQuery && !(inside & ignored)
      const isTyped = isField(element) ? isSecret(element) || !isOpen : !isOpen && isEditable(element)
      if (isTyped) inside |= hidden | fixed
      return inside
    },
    isBlocked: (element) => matches(element, blocked),
    isPicture(element) {
      const { localName } = element
      if (localName === 'canvas') return hasAttribute(element, canvasMark)
      if (localName !== 'img') return false
      const isListed = () => pictures.includes(`${originOf((element as HTMLImageElement).src)}`)
      return hasAttribute(element, pictureMark) || isListed()
    },
    attribute(element, { name, value: text, context, inside }) {
      const isTyped = isField(element)
      if (isTyped && name === 'value') return value(element, text, context)
      if (name === 'checked' || name === 'selected') return isCheckShown(element, inside) ? text : undefined
      // Only the value of a field is masked: its position and appearance may be shown.
      const isHidden = ((isTyped ? context : inside) & hidden) > 0
      const isSvg = element.namespaceURI === 'http://www.w3.org/2000/svg'
      return maskAttribute([name, text], { tag: element.localName, isSvg, isHidden, keepsQuery })
    },
    value,
    isCheckShown,
    related: related.join(),
    invalid,
  }
}

function isEditable(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable')
  return value !== null && /^(|true|plaintext-only)$/i.test(value)
}

function isSelector(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector)
    return true
  } catch {
    return false
  }
}
