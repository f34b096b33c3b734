// Steps of random programs that change what no attribute shows: fields, scroll positions, dialogs, popovers and rules of
// style sheets.

import { elementsOf, insert, pick, rootsOf, type Step, texts, type World } from './steps.ts'

const types = ['text', 'checkbox', 'radio', 'radio', 'file', 'password', 'email', 'search']
const rules = [
  '.a { color: red; }',
  'p { margin: 1px; }',
  '@media all { b { top: 2px; } }',
  '#x { left: 3px; }',
]

function ofKind<Kind extends Element>(world: World, name: string): Kind[] {
  return rootsOf(world).flatMap((root) => [...root.querySelectorAll<Kind>(name)])
}

function tell(target: Element, type: string): void {
  target.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}

function sheetsOf(world: World): CSSStyleSheet[] {
  const roots = rootsOf(world).map((root) => (root.nodeType === 1 ? root.ownerDocument : root))
  const adopted = [...new Set(roots)].flatMap((root) => [...(Object(root).adoptedStyleSheets ?? [])])
  const own = ofKind<HTMLStyleElement>(world, 'style').flatMap(({ sheet }) => sheet ?? [])
  return [...own, ...adopted]
}

function ruleOf(world: World, one: number, two: number): CSSRule {
  return pick(pick(sheetsOf(world), one).cssRules, two)
}

export const stateSteps: Record<string, Step> = {
  'form field': (world, [one, two, three]) => {
    const field = world.document.createElement('input')
    field.type = pick(types, two)
    if (field.type === 'radio') field.name = pick(['one', 'two'], three)
    if (three % 3 === 0) field.toggleAttribute('checked')
    if (three % 5 === 0) field.setAttribute('autocomplete', 'cc-number')
    insert(pick(elementsOf(world), one), field, three)
  },
  'choice of a list': (world, [one, two, three]) => {
    const list = world.document.createElement('select')
    list.multiple = two % 4 === 0
    for (let index = 0; index < 3; index++) list.add(new Option(pick(texts, two + index), `${index}`))
    insert(pick(elementsOf(world), one), list, three)
  },
  options: (world, [one, two, three]) => {
    const { options } = pick(ofKind<HTMLSelectElement>(world, 'select'), one)
    if (two % 3 === 0) options.add(new Option(pick(texts, three), `${three}`, two % 2 === 0), three % 4)
    else pick(options, three).remove()
  },
  form: (world, [one]) => {
    const field = pick(ofKind<HTMLInputElement>(world, 'input'), one)
    const form = world.document.createElement('form')
    field.replaceWith(form)
    form.append(field)
  },
  type: (world, [one, two, three]) => {
    const kind = three % 3 ? 'input' : 'textarea'
    const field = pick(ofKind<HTMLInputElement>(world, kind), one)
    // Never what the attribute says: nothing tells that a field was set to it.
    field.value = `typed ${pick(texts, two)}`
    if (two % 2) tell(field, 'input')
  },
  check: (world, [one, two]) => {
    const field = pick(
      ofKind<HTMLInputElement>(world, 'input').filter(({ type }) => /checkbox|radio/.test(type)),
      one,
    )
    if (two % 2) field.click()
    else field.checked = two % 3 === 0
  },
  choose: (world, [one, two, three]) => {
    const list = pick(ofKind<HTMLSelectElement>(world, 'select'), one)
    if (two % 3 === 0) list.selectedIndex = (three % (list.options.length + 1)) - 1
    else if (two % 3 === 1) pick(list.options, three).selected = three % 2 === 0
    else {
      list.value = `${three % 3}`
      tell(list, 'change')
    }
  },
  'choose files': (world, [one]) => {
    const field = pick(
      ofKind<HTMLInputElement>(world, 'input').filter(({ type }) => type === 'file'),
      one,
    )
    const files = new DataTransfer()
    files.items.add(new File(['text'], 'secret.txt'))
    field.files = files.files
    tell(field, 'change')
  },
  scroll: (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    // A frame whose document is written anew forgets all listeners.
    const isShown = /^(div|main|ul|li|section|p)$/.test(Object(element).localName)
    if (element.ownerDocument !== world.document || !isShown || !element.firstChild) return
    Object(element).style.cssText = 'display:block;overflow:scroll;height:40px;width:40px'
    Object(element).scrollTop = two % 50
  },
  dialog: (world, [one, two, three]) => {
    const dialog = world.document.createElement('dialog')
    dialog.append('dialog')
    insert(pick(elementsOf(world), one), dialog, three)
    if (two % 2) dialog.showModal()
  },
  'open or close': (world, [one, two]) => {
    const dialog = pick(ofKind<HTMLDialogElement>(world, 'dialog'), one)
    if (two % 3 === 0) dialog.show()
    else if (two % 3 === 1) dialog.showModal()
    else dialog.close()
  },
  popover: (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    if (!('popover' in element) || Object(element).localName === 'dialog') return
    const box = Object(element)
    if (two % 3) box.popover ??= 'manual'
    box.togglePopover()
  },
  details: (world, [one, two, three]) => {
    const found = ofKind<HTMLDetailsElement>(world, 'details')
    if (two % 2) pick(found, one).open = three % 2 === 0
    else insert(pick(elementsOf(world), one), world.document.createElement('details'), three)
  },
  'style sheet': (world, [one, two, three]) => {
    const style = world.document.createElement('style')
    style.append(pick(rules, two), pick(rules, three))
    insert(pick(elementsOf(world), one), style, three)
  },
  'insert a rule': (world, [one, two, three]) => {
    const sheet = pick(sheetsOf(world), one)
    const inner = [...sheet.cssRules].find((rule) => rule instanceof CSSGroupingRule)
    if (inner && three % 3 === 0) inner.insertRule(pick(rules, two), 0)
    else sheet.insertRule(pick(rules, two), three % (sheet.cssRules.length + 1))
  },
  'delete a rule': (world, [one, two]) => {
    const sheet = pick(sheetsOf(world), one)
    sheet.deleteRule(two % sheet.cssRules.length)
  },
  declare: (world, [one, two, three]) => {
    const rule = ruleOf(world, one, two)
    if (!('style' in rule)) return
    const { style } = rule as CSSStyleRule
    if (three % 3 === 0) style.setProperty('color', three % 2 ? 'blue' : 'green', 'important')
    else if (three % 3 === 1) style.removeProperty('color')
    else Object(rule).selectorText = `.s${three % 10}`
  },
  'other rules': (world, [one, two]) => {
    const sheet = pick(sheetsOf(world), one)
    if (two % 2) sheet.disabled = two % 4 === 1
    else sheet.replaceSync(`${pick(rules, two)}${pick(rules, two >> 3)}`)
  },
  adopt: (world, [one, two, three]) => {
    const root = pick(rootsOf(world), one).getRootNode() as Document | ShadowRoot
    const Sheet = (root.ownerDocument ?? (root as Document)).defaultView?.CSSStyleSheet
    if (!Sheet || root.adoptedStyleSheets.length > 3) {
      root.adoptedStyleSheets = []
      return
    }
    const sheet = new Sheet()
    if (two % 2) sheet.replaceSync(pick(rules, two))
    if (three % 2) root.adoptedStyleSheets.push(sheet)
    else root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets]
  },
  'text of a style sheet': (world, [one, two]) => {
    pick(ofKind<HTMLStyleElement>(world, 'style'), one).textContent = pick(rules, two)
  },
}
