import { setImmediate as turn } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { expect, test, vi } from 'vitest'
import type { IdHash } from './id-bytes.ts'
import { createStoreOnce } from './once.ts'

/** IDs in memory, with a slow disk that contains none of them. */
function open({ old = new Set<string>() } = {}) {
  const known = new Set<string>()
  const textOf = ({ high, low }: IdHash) => `${high} ${low}`
  const storeOnce = createStoreOnce({
    now: () => 1_000,
    batchIds: {
      add: ({ id }) => void known.add(textOf(id)),
      isKnown: (id) => known.has(textOf(id)),
      async isKnownOfOld() {
        await turn()
        return old.size > 0
      },
    },
  })
  return storeOnce
}

const environmentId = newId()
const item = (id = newId()) => ({ environmentId, id, madeAt: undefined })

test('of twenty concurrent ones, one is stored', async () => {
  const storeOnce = open()
  const store = vi.fn(async () => {
    await turn()
  })
  const one = item()
  const staggered = Array.from({ length: 20 }, async (_, index) => {
    for (let waited = 0; waited < index % 5; waited++) await turn()
    return storeOnce([one], store)
  })
  const stored = await Promise.all(staggered)
  expect(store).toHaveBeenCalledOnce()
  expect(stored.filter((fresh) => fresh.length > 0)).toHaveLength(1)
})

test('a failed batch is stored by a waiting request', async () => {
  const storeOnce = open()
  const one = item()
  const store = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('the disk is full'))
  const results = await Promise.allSettled([1, 2, 3].map(() => storeOnce([one], store)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(store).toHaveBeenCalledTimes(2)
})

test('of several together, the new ones are stored, each once', async () => {
  const storeOnce = open()
  const [one, two, three] = [item(), item(), item()]
  const stored: string[] = []
  const store = async (fresh: readonly { id: string }[]) => {
    await turn()
    stored.push(...fresh.map(({ id }) => id))
  }
  await Promise.all([
    storeOnce([one, two, two], store),
    storeOnce([three, two], store),
    storeOnce([one], store),
  ])
  expect(stored.toSorted()).toEqual([one.id, two.id, three.id].toSorted())
})

test('ids known from disk are not stored again', async () => {
  const store = vi.fn(async () => undefined)
  expect(await open({ old: new Set(['all']) })([item()], store)).toEqual([])
  expect(store).not.toHaveBeenCalled()
})
