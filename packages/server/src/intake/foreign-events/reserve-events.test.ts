import { expect, test } from 'vitest'
import { createReserveEvents } from './reserve-events.ts'

test('a batch waits for others with one of its events only', async () => {
  const reserve = createReserveEvents()
  const order: string[] = []
  const first = await reserve('e', ['a', 'b'])
  const second = reserve('e', ['b', 'c']).then((release) => {
    order.push('second')
    release()
  })
  const elsewhere = await reserve('other', ['b'])
  const apart = await reserve('e', ['d'])
  order.push('apart')
  first()
  await second
  expect(order).toEqual(['apart', 'second'])
  elsewhere()
  apart()
  const again = await reserve('e', ['a', 'b', 'c', 'd'])
  again()
})
