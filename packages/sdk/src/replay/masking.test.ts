import { describe, expect, test } from 'vitest'
import type { PrivacyLevel } from '../settings.ts'
import { createMasking, hidden, type Masking } from './masking.ts'

const secret = 'hunter2-Tr0ub4dor'
const levels = ['mask-all', 'mask-inputs', 'allow'] as const

interface FakeElement {
  element: Element
  attributes: Record<string, string>
}

/** As much of an element as masking looks at; a selector is the name of an attribute in brackets. */
function fake(localName: string, given: Record<string, string> = {}, select?: Element): FakeElement {
  const attributes = { ...given }
  const has = (name: string) => name in attributes
  const element = {
    localName,
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    hasAttribute: has,
    getAttribute: (name: string) => attributes[name] ?? null,
    matches: (selector: string) => has(selector.slice(1, -1)),
    closest: () => select ?? null,
  }
  return { element: element as unknown as Element, attributes }
}

/** All that could be written of it: its value, its attribute, and the text within it. */
function written(masking: Masking, element: Element): (string | undefined)[] {
  const context = masking.root
  const inside = masking.inside(element, context)
  return [
    masking.value(element, secret, context),
    masking.attribute(element, { name: 'value', value: secret, context, inside }),
    inside & hidden ? undefined : secret,
  ]
}

const secrets: [name: string, attributes: Record<string, string>][] = [
  ['a password', { type: 'password' }],
  ['a password in capitals', { type: 'PASSWORD' }],
  ['a hidden field', { type: 'hidden' }],
  ['a new password', { type: 'text', autocomplete: 'new-password' }],
  ['the current password', { autocomplete: 'section-a current-password' }],
  ['a code sent by phone', { type: 'text', autocomplete: 'one-time-code' }],
  ['the number of a card', { type: 'tel', autocomplete: 'cc-number' }],
  ['the check of a card', { autocomplete: 'billing cc-csc' }],
  ['the end of a card', { autocomplete: 'cc-exp' }],
]

describe.each(levels)('at %s', (level: PrivacyLevel) => {
  test.each(secrets)('%s is left out, also when it becomes another field', (_name, given) => {
    const { element, attributes } = fake('input', given)
    const masking = createMasking({ level })
    expect(written(masking, element)).toEqual([undefined, undefined, undefined])
    delete attributes.autocomplete
    attributes.type = 'text'
    expect(written(masking, element)).toEqual([undefined, undefined, undefined])
  })

  test('what is chosen for a card is left out', () => {
    const { element: select } = fake('select', { autocomplete: 'cc-exp-month' })
    const { element: option } = fake('option', {}, select)
    const masking = createMasking({ level })
    const inside = masking.inside(select, masking.root)
    expect(masking.isCheckShown(option, inside)).toBe(false)
    const attribute = { name: 'selected', value: '', context: inside, inside }
    expect(masking.attribute(option, attribute)).toBeUndefined()
  })

  test('a field marked for masking is masked, one marked for ignoring is left out', () => {
    const masking = createMasking({ level })
    const { element: marked } = fake('input', { 'data-telltale-mask': '' })
    expect(masking.value(marked, 'two words\nand more', masking.root)).toBe('xxx xxxxx\nxxx xxxx')
    const { element: ignored } = fake('input', { 'data-telltale-ignore': '' })
    expect(masking.value(ignored, secret, masking.root)).toBeUndefined()
  })
})

test('what was typed stays masked when its field becomes a button', () => {
  const masking = createMasking({ level: 'mask-inputs' })
  const { element, attributes } = fake('input', { type: 'text' })
  expect(masking.value(element, secret, masking.root)).not.toContain('hunter')
  attributes.type = 'submit'
  expect(masking.value(element, secret, masking.root)).not.toContain('hunter')
  expect(masking.value(fake('input', { type: 'submit' }).element, 'Buy', masking.root)).toBe('Buy')
})

test.each([
  ['mask-all', true, false],
  ['mask-all', false, true],
  ['mask-inputs', true, false],
] as const)(
  'at %s, where unmasking is permitted: %s, marked text is masked: %s',
  (level, permitsUnmask, isMasked) => {
    const masking = createMasking({ level, permitsUnmask })
    const { element } = fake('p', { 'data-telltale-unmask': '' })
    expect((masking.inside(element, masking.root) & hidden) > 0).toBe(isMasked)
  },
)

test('what is masked by a mark cannot be unmasked within it', () => {
  const masking = createMasking({ level: 'mask-all', permitsUnmask: true })
  const outside = masking.inside(fake('div', { 'data-telltale-mask': '' }).element, masking.root)
  const inside = masking.inside(fake('p', { 'data-telltale-unmask': '' }).element, outside)
  expect(inside & hidden).toBe(hidden)
})
