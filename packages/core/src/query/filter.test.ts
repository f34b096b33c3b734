import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Chip,
  type Filter,
  type Operator,
  parseFields,
  parseFilter,
  parseSequence,
  printField,
  printFilter,
  printSequence,
} from './filter.ts'
import { type FieldName, type FieldType, fieldDefinition, filterFields } from './filter-fields.ts'

const chip = (field: FieldName, operator: Operator, ...values: string[]): Chip => ({
  field,
  key: '',
  isNegated: false,
  operator,
  values,
})
const read = (text: string): Filter => {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.result
}
const faultsOf = (text: string) => {
  const parsed = parseFilter(text)
  return parsed.ok ? [] : parsed.faults
}

describe('a filter', () => {
  test('is chips and words', () => {
    expect(
      read('flag:checkout-v2=one-page  browser:Safari,Chrome -country:DE lcp:>2500 pay "no funds"'),
    ).toEqual({
      chips: [
        { ...chip('flag', 'is', 'one-page'), key: 'checkout-v2' },
        chip('browser', 'is', 'Safari', 'Chrome'),
        { ...chip('country', 'is', 'DE'), isNegated: true },
        chip('lcp', '>', '2500'),
      ],
      words: ['pay', 'no funds'],
    })
  })

  test('of an empty text is empty', () => {
    expect(read('')).toEqual({ chips: [], words: [] })
    expect(read(' \t\n')).toEqual({ chips: [], words: [] })
  })

  test('matches substrings, any value, and empty values', () => {
    expect(read('browser:~saf country:* country:"" flag:checkout attr:plan=~pro status:>=500').chips).toEqual(
      [
        chip('browser', 'contains', 'saf'),
        chip('country', 'exists'),
        chip('country', 'is', ''),
        { ...chip('flag', 'exists'), key: 'checkout' },
        { ...chip('attr', 'contains', 'pro'), key: 'plan' },
        chip('status', '>=', '500'),
      ],
    )
  })

  test('accepts aliases of a field, and writes its main name', () => {
    expect(printFilter(read('route:/cart/:id'))).toBe('page:/cart/:id')
  })

  test('takes a colon in quotes for text', () => {
    expect(read('"TypeError: x" "country:DE" TypeError: -minus').words).toEqual([
      'TypeError: x',
      'country:DE',
      'TypeError:',
      '-minus',
    ])
  })

  test.each([
    ['colour:red', 0, 'no field "colour"'],
    ['browser:', 8, 'a value is missing'],
    ['pay browser:a,', 14, 'a value is missing'],
    ['name:"open', 5, 'not closed'],
    ['lcp:fast', 0, '"fast" is not a valid value of lcp'],
    ['lcp:1e9', 0, 'not a valid value'],
    ['browser:>3', 0, 'does not support'],
    ['kind:replay', 0, 'kind is one of'],
    ['replay:yes', 0, 'not a valid value'],
    ['session:12', 0, 'not a valid value'],
    ['issue:18446744073709551616', 0, 'not a valid value'],
    ['flag:', 5, 'a value is missing'],
    ['flag:""=on', 0, 'needs a key'],
    ['page:"a"b', 0, 'expected a space'],
    ['kind:view -> kind:error', 10, 'no steps'],
    ['lcp:>1,2', 0, 'one number'],
  ])('with a fault names its position: %s', (text, at, message) => {
    const [fault, ...others] = faultsOf(text)
    expect(fault).toMatchObject({ at })
    expect(fault?.message).toContain(message)
    expect(others).toEqual([])
  })

  test('is bounded', () => {
    expect(faultsOf('a:b '.repeat(31))[0]).toBeDefined()
    expect(faultsOf('kind:view '.repeat(31))[0]?.message).toContain('at most 30')
    expect(faultsOf('w '.repeat(11))[0]?.message).toContain('at most 10')
    expect(faultsOf(`browser:${Array.from({ length: 51 }, () => 'x').join(',')}`)[0]?.message).toContain(
      'at most 50',
    )
  })

  test('is read back as it was written', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(read(printFilter(filter))).toEqual(filter)
      }),
    )
  })

  test('never throws and always ends, for any input', () => {
    const typed = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-a-z:"=~*<>,\\ ]{0,40}$/),
      filters.map((filter) => printFilter(filter).slice(1)),
    )
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = parseFilter(text)
        if (parsed.ok) expect(read(printFilter(parsed.result))).toEqual(parsed.result)
        else expect(parsed.faults.length).toBeGreaterThan(0)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a sequence', () => {
  test('is a list of filters in order', () => {
    const parsed = parseSequence('kind:view page:/cart -> "->" -> kind:error')
    expect(parsed.ok && parsed.result.map(printFilter)).toEqual([
      'kind:view page:/cart',
      '"->"',
      'kind:error',
    ])
  })

  test('has no empty steps and not too many', () => {
    for (const text of ['', 'kind:view ->', '-> kind:view', 'a -> -> b', 'a -> b -> c -> d -> e -> f']) {
      expect(parseSequence(text).ok, text).toBe(false)
    }
  })

  test('is read back as it was written', () => {
    const someFilter = filters.filter(({ chips, words }) => chips.length + words.length > 0)
    fc.assert(
      fc.property(fc.array(someFilter, { minLength: 1, maxLength: 5 }), (steps) => {
        expect(parseSequence(printSequence(steps))).toEqual({ ok: true, result: steps })
      }),
    )
  })
})

describe('a list of fields', () => {
  test('has keys where fields have them', () => {
    expect(parseFields('browser,flag:checkout,attr:"a, b"')).toEqual({
      ok: true,
      result: [
        { field: 'browser', key: '' },
        { field: 'flag', key: 'checkout' },
        { field: 'attr', key: 'a, b' },
      ],
    })
    expect(printField({ field: 'attr', key: 'a, b' })).toBe('attr:"a, b"')
  })

  test.each(['', 'browser,', 'colour', 'browser:x', 'browser os'])('is refused: %s', (text) => {
    expect(parseFields(text).ok).toBe(false)
  })
})

const someValue: Record<FieldType, fc.Arbitrary<string>> = {
  text: fc.string({ maxLength: 20 }),
  number: fc.oneof(fc.integer().map(String), fc.constantFrom('0.1', '-2.25', '2500')),
  boolean: fc.constantFrom('true', 'false'),
  id: fc.uuid(),
  issue: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
}
const operatorsOf: Record<FieldType, Operator[]> = {
  text: ['is', 'contains', 'exists'],
  number: ['is', 'exists', '>=', '>', '<=', '<'],
  boolean: ['is'],
  id: ['is'],
  issue: ['is', 'exists'],
}
const chips = fc
  .constantFrom(...(Object.keys(filterFields) as FieldName[]))
  .chain((field) => {
    const { type, isKeyed } = fieldDefinition(field)
    return fc.record({
      field: fc.constant(field),
      key: isKeyed ? fc.string({ minLength: 1, maxLength: 10 }) : fc.constant(''),
      isNegated: fc.boolean(),
      operator: fc.constantFrom(...operatorsOf[type]),
    })
  })
  .chain((made) => {
    const { type, choices } = fieldDefinition(made.field)
    const one = made.operator === 'is' && choices ? fc.constantFrom(...choices) : someValue[type]
    const isList = made.operator === 'is' || made.operator === 'contains'
    const [minLength, maxLength] = made.operator === 'exists' ? [0, 0] : isList ? [1, 4] : [1, 1]
    return fc.array(one, { minLength, maxLength }).map((values): Chip => ({ ...made, values }))
  })
const filters: fc.Arbitrary<Filter> = fc.record({
  chips: fc.array(chips, { maxLength: 6 }),
  words: fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 4 }),
})
