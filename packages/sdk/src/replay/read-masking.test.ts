import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readMasking } from './read-masking.ts'

beforeEach(() => {
  // A browser that knows everything but `:unknown`.
  const querySelector = (selector: string) => {
    if (selector.includes(':unknown')) throw new SyntaxError(selector)
  }
  vi.stubGlobal('document', { createDocumentFragment: () => ({ querySelector }) })
})

afterEach(() => vi.unstubAllGlobals())

const rules = { mask: ['.iban'], unmask: ['h1'], block: ['#chat'] }
const none = { mask: [], unmask: [], block: [] }

test('rules are used as they are sent, at the level of the environment', () => {
  expect(readMasking({ permitsUnmask: true, rules }, 'mask-inputs')).toEqual({
    level: 'mask-inputs',
    permitsUnmask: true,
    rules,
  })
})

test('without the permission nothing is unmasked, whatever is sent or stored', () => {
  for (const permitsUnmask of [false, undefined, 'yes', 1]) {
    expect(readMasking({ permitsUnmask, rules }, 'mask-all')).toEqual({
      level: 'mask-all',
      permitsUnmask: false,
      rules: { ...rules, unmask: [] },
    })
  }
})

test('invalid rules are ignored', () => {
  for (const given of [undefined, null, 'x', {}, { rules: { mask: '.a', block: [1, null] } }]) {
    expect(readMasking(given, 'allow')).toEqual({ level: 'allow', permitsUnmask: false, rules: none })
  }
})

test('a mask or block rule that the browser does not understand masks everything', () => {
  for (const wrong of ['mask', 'block'] as const) {
    const read = readMasking(
      { permitsUnmask: true, rules: { ...rules, [wrong]: [':unknown', '.known'] } },
      'allow',
    )
    expect(read).toEqual({
      level: 'mask-all',
      permitsUnmask: false,
      rules: { ...rules, unmask: [], [wrong]: ['.known'] },
    })
  }
})

test('an unmask rule that the browser does not understand unmasks nothing', () => {
  const read = readMasking(
    { permitsUnmask: true, rules: { ...rules, unmask: [':unknown', 'h1'] } },
    'mask-all',
  )
  expect(read).toEqual({ level: 'mask-all', permitsUnmask: true, rules })
})
