import { expect, test } from 'vitest'
import { force, type KeptToolbar, release } from './kept.ts'

test('a forced value has the reason OVERRIDE and no variant, so that no read of it is an exposure', () => {
  const kept = force({}, 'checkout', { value: true, variation: 'on' })
  expect(kept?.forced).toEqual([
    ['checkout', { value: true, reason: 'OVERRIDE', metadata: { forced: 'on' } }],
  ])
  expect(kept?.mark).toBe('checkout=on')
})

test('the last value of a flag applies, and a released flag leaves no mark', () => {
  const both = force(force({}, 'banner', { value: 'Hi' }) ?? {}, 'layout', { value: { columns: 2 } })
  expect(both?.mark).toBe('banner=Hi, layout={"columns":2}')
  const again = force(both ?? {}, 'banner', { value: 'Bye' }) ?? {}
  expect(again.mark).toBe('layout={"columns":2}, banner=Bye')
  expect(release(release(again, 'banner'), 'layout')).toEqual({ forced: [], mark: '' })
})

test('what is kept is bounded in number and size', () => {
  expect(force({}, 'text', { value: 'x'.repeat(100_000) })).toBeUndefined()
  let kept: KeptToolbar | undefined = {}
  for (let index = 0; index < 50; index++) kept = force(kept ?? {}, `flag-${index}`, { value: index })
  expect(kept?.forced).toHaveLength(50)
  expect(force(kept ?? {}, 'one-more', { value: 1 })).toBeUndefined()
  expect(force(kept ?? {}, 'flag-0', { value: 2 })?.forced).toHaveLength(50)
  expect((kept?.mark ?? '').length).toBeLessThanOrEqual(1_000)
})
