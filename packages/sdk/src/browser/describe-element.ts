// Describes an element by selector and visible label, without anything that the user typed.

const longestName = 100
const longestSelector = 200
export const labelled = 'button,a,label,summary,[role=button],[role=link],[role=tab],[role=menuitem]'
/** Their content was typed or chosen by the user. */
const typed = 'input,textarea,select,[contenteditable]'

/** A readable selector: up to an id, at most four elements deep. */
export function selectorOf(target: unknown): string | undefined {
  if (!(target instanceof Element)) return undefined
  let selector = ''
  let element: Element | null = target
  for (let depth = 0; element && depth < 4; depth++) {
    const testId = element.getAttribute('data-testid')
    const mark = testId ? `[data-testid="${testId}"]` : element.id && `#${element.id}`
    const name =
      element.localName +
      (mark ||
        [...element.classList]
          .slice(0, 2)
          .map((each) => `.${each}`)
          .join(''))
    selector = name + (selector && `>${selector}`)
    if (mark) break
    element = element.parentElement
  }
  return selector.slice(0, longestSelector)
}

/**
 * `mayRead`: whether the text of a button may be read. Names that the application set for this purpose are always read.
 */
export function nameOf(target: Element, mayRead: boolean): string {
  const given = read(target, 'data-telltale-name')
  if (given) return given
  const field = target.closest<HTMLInputElement>(typed)
  const isButton = /^(submit|button|reset)$/.test(field?.type ?? '')
  const text = field ? isButton && field.value : textOf(target.closest(labelled))
  const label = () => read(target, 'aria-label') || textOf(field?.labels?.[0]) || field?.name
  return (mayRead && shorten(text || label() || '')) || selectorOf(target) || ''
}

function read(element: Element, name: string): string | null | undefined {
  return element.closest(`[${name}]`)?.getAttribute(name)
}

function textOf(element: Element | null | undefined): string {
  return (!element?.querySelector(typed) && element?.textContent) || ''
}

/** Numbers identify an order or a user, and would split equal names. */
function shorten(text: string): string {
  return text
    .replace(/\S+@\S+/g, '@')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestName)
}
