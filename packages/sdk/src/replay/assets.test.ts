import { beforeEach, expect, test, vi } from 'vitest'
import { type Asset, assetMark, createAssets } from './assets.ts'

beforeEach(() => vi.stubGlobal('localStorage', undefined))

const sheetOf = (name: string, length = 3_000) => `.${name} { color: red }\n`.padEnd(length, ' ')

function start({ isHeld = false, send = async (_asset: Asset) => true } = {}) {
  const sent: Asset[] = []
  const assets = createAssets({
    origins: [],
    ...{ key: 'key', isHeld, fetch, clean: (text: string) => text.replaceAll('secret', 'xxx') },
    send(asset) {
      sent.push(asset)
      return send(asset)
    },
  })
  const write = async (text: string) => {
    const written = assets.sheetMark(text)
    await assets.settled()
    return typeof written === 'string' ? written : assetMark(written.hash)
  }
  return { assets, sent, write }
}

test('a style sheet goes once, without what may not leave the page; in the recording stands its hash', async () => {
  const { sent, write } = start()
  const mark = await write(sheetOf('secret'))
  expect(mark).toMatch(/^\/\*telltale:[0-9a-f-]{36}\*\/$/)
  expect(await write(sheetOf('secret'))).toBe(mark)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toContain('.xxx {')
  expect(await write('.secret {}')).toBe('.xxx {}')
})

test('nothing is sent before something happened', async () => {
  const { assets, sent, write } = start({ isHeld: true })
  await write(sheetOf('a'))
  await write(sheetOf('b'))
  expect(sent).toEqual([])
  assets.release()
  await vi.waitFor(() => expect(sent).toHaveLength(2))
})

test('more style sheets than may be kept stand in the recording themselves', async () => {
  const { write } = start({ isHeld: true })
  const large = 1_500_000
  const written = [
    await write(sheetOf('a', large)),
    await write(sheetOf('b', large)),
    await write(sheetOf('c', large)),
  ]
  expect(written.map(({ length }) => length > 100)).toEqual([false, false, true])
})

test('one that did not arrive is tried again when it is used again, and nothing throws', async () => {
  let isAway = true
  const { sent, write } = start({
    send: async () => {
      if (isAway) throw new Error('away')
      return true
    },
  })
  await write(sheetOf('a'))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  isAway = false
  await vi.waitFor(async () => {
    await write(sheetOf('a'))
    expect(sent).toHaveLength(2)
  })
  await write(sheetOf('a'))
  expect(sent).toHaveLength(2)
})
