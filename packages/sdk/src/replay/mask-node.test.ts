import { describe, expect, test } from 'vitest'
import type { PrivacyLevel } from '../settings.ts'
import { createNodeMask } from './mask-node.ts'
import { createMasking } from './masking.ts'
import { nodeTypes, type PageAttributes, type PageNode } from './page-event.ts'

const secret = 'hunter2-Tr0ub4dor'
const none = { onBox: () => undefined, onPopover: () => undefined }

/** As much of an element as masking looks at; a selector is the name of an attribute in brackets. */
function elementWith(localName: string, attributes: PageAttributes): Element {
  const has = (name: string) => name in attributes
  const get = (name: string) => (has(name) ? `${attributes[name]}` : null)
  const matches = (selector: string) => has(selector.slice(1, -1))
  return { nodeType: 1, localName, hasAttribute: has, getAttribute: get, matches } as unknown as Element
}

function maskOf(level: PrivacyLevel, element: Element | null) {
  const options = { level, nodeOf: () => element, sheet: (text: string) => text, ...none }
  return createNodeMask(options, createMasking(options))
}

function masked(level: PrivacyLevel, tagName: string, attributes: PageAttributes): string {
  const mask = maskOf(level, elementWith(tagName, attributes))
  const text = { id: 2, type: nodeTypes.text, textContent: tagName === 'input' ? '' : secret } as PageNode
  const node = { id: 1, type: nodeTypes.element, tagName, attributes, childNodes: [text] } as PageNode
  mask.node(node, { context: createMasking({ level }).root, tag: 'body' })
  return JSON.stringify(node)
}

/** What no level lets out, however the page writes it. */
const never: [name: string, attributes: PageAttributes][] = [
  ['a password', { type: 'password' }],
  ['a password in capitals', { type: 'PASSWORD' }],
  ['a password that is shown for a moment', { type: 'text', 'data-rr-is-password': 'true' }],
  ['a hidden field', { type: 'hidden' }],
  ['a new password', { type: 'text', autocomplete: 'new-password' }],
  ['the current password', { autocomplete: 'section-a current-password' }],
  ['a code sent by phone', { type: 'text', autocomplete: 'one-time-code' }],
  ['the number of a card', { type: 'tel', autocomplete: 'cc-number' }],
  ['the check of a card', { autocomplete: 'billing cc-csc' }],
  ['the end of a card', { autocomplete: 'cc-exp' }],
]

describe.each(['mask-all', 'mask-inputs', 'allow'] as const)('at %s', (level) => {
  test.each(never)('%s is masked', (_name, attributes) => {
    expect(masked(level, 'input', { ...attributes, value: secret })).not.toContain(secret)
  })

  test('a field marked for masking is masked', () => {
    expect(masked(level, 'input', { type: 'text', 'data-telltale-mask': '', value: secret })).not.toContain(
      secret,
    )
  })

  test('what is typed into a field that is left out is not told', () => {
    expect(masked(level, 'input', { 'data-telltale-ignore': '', value: secret })).not.toContain(secret)
  })
})

describe('what may be read', () => {
  test.each([
    ['mask-all', false],
    ['mask-inputs', false],
    ['allow', true],
  ] as const)('what is typed at %s: %s', (level, isReadable) => {
    for (const [tag, attributes] of [
      ['input', { type: 'text', value: secret }],
      ['input', { type: 'email', value: secret }],
      ['textarea', {}],
      ['option', { value: secret }],
      ['div', { contenteditable: '' }],
      ['div', { contenteditable: 'plaintext-only' }],
    ] as const) {
      expect(masked(level, tag, { ...attributes }).includes(secret), `${tag} at ${level}`).toBe(isReadable)
    }
  })

  test.each([
    ['mask-all', false],
    ['mask-inputs', true],
    ['allow', true],
  ] as const)('text of the page at %s: %s', (level, isReadable) => {
    expect(masked(level, 'p', {}).includes(secret)).toBe(isReadable)
  })

  test('a changed value is held back by the attributes of its field', () => {
    const mask = maskOf('allow', null)
    expect(mask.isHeldBack('input', { type: 'password' }, false)).toBe(true)
    expect(mask.isHeldBack('input', { type: 'text', 'data-rr-is-password': 'true' }, false)).toBe(true)
    expect(mask.isHeldBack('input', { autocomplete: 'one-time-code' }, false)).toBe(true)
    expect(mask.isHeldBack('input', { type: 'text' }, false)).toBe(false)
    expect(mask.isHeldBack('input', { type: 'text' }, true)).toBe(true)
  })
})
