import { expect, test } from 'vitest'
import type { FlagContext } from './context.ts'
import { createReads } from './reads.ts'

function start(context: FlagContext) {
  const found: unknown[] = []
  const reads = createReads(
    () => context,
    (read) => found.push(read),
  )
  return { reads, found }
}

test('a read is noted once, and again with another response or subject', () => {
  const { reads, found } = start({ targetingKey: 'ada' })
  const metadata = { split: '7', epoch: 1, unit: 'targetingKey', contextId: 'ada' }
  const details = { value: true, variant: 'on', metadata }
  for (let time = 0; time < 3; time++) reads.record('checkout', details)
  expect(found).toEqual([
    { flag: 'checkout', variation: 'on', split: '7', epoch: 1, by: 'targetingKey', unit: 'ada' },
  ])
  reads.record('checkout', { ...details, metadata: { ...metadata, epoch: 2 } })
  expect(found).toHaveLength(2)
  reads.forget()
  reads.record('checkout', details)
  expect(found).toHaveLength(3)
})

test('the unit is the attribute of the split; a value of the previous subject keeps that subject', () => {
  const { reads, found } = start({ targetingKey: 'grace', company: { id: 42, rate: 1.5 } })
  const read = (unit: string, contextId?: string) =>
    reads.record(unit, {
      value: 1,
      variant: 'on',
      metadata: { split: '7', epoch: 1, unit, ...(contextId && { contextId }) },
    })
  read('targetingKey', 'ada')
  read('company.id')
  read('company.rate')
  read('nothing')
  expect(found).toEqual([
    { flag: 'targetingKey', variation: 'on', split: '7', epoch: 1, by: 'targetingKey', unit: 'ada' },
    { flag: 'company.id', variation: 'on', split: '7', epoch: 1, by: 'company.id', unit: '42' },
    { flag: 'company.rate', variation: 'on' },
    { flag: 'nothing', variation: 'on' },
  ])
})

test('a default of the application is not a variation', () => {
  const { reads, found } = start({})
  reads.record('missing', { value: false, errorCode: 'FLAG_NOT_FOUND' })
  expect(found).toEqual([])
})

test('a named variant is recorded as its variation', () => {
  const { reads, found } = start({})
  reads.record('colour', { value: 'grey', variant: 'control', metadata: { variation: 'grey' } })
  expect(found).toEqual([{ flag: 'colour', variation: 'grey' }])
})
