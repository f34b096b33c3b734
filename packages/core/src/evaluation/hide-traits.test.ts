import { expect, test } from 'vitest'
import { isHiddenTrait, withoutTraits } from './hide-traits.ts'

const context = {
  targetingKey: 'ada',
  plan: 'team',
  email: 'ada@example.com',
  'email.domain': 'example.com',
  company: { name: 'Shop', tax: { id: '77', year: 2026 } },
  'company.tax.id': '77',
}

test('hidden attributes are absent by name, by path and inside structures', () => {
  expect(withoutTraits(context, new Set(['email', 'company.tax.id']))).toEqual({
    targetingKey: 'ada',
    plan: 'team',
    company: { name: 'Shop', tax: { year: 2026 } },
  })
  expect(withoutTraits(context, new Set(['company']))).not.toHaveProperty('company.tax.id')
  expect(withoutTraits(context, new Set())).toBe(context)
})

test('a rule depends on a hidden attribute, its parent or its members', () => {
  const hidden = new Set(['company.tax'])
  expect(['company', 'company.tax', 'company.tax.id'].map((name) => isHiddenTrait(name, hidden))).toEqual([
    true,
    true,
    true,
  ])
  expect(['company.taxes', 'comp', 'tax'].some((name) => isHiddenTrait(name, hidden))).toBe(false)
})
