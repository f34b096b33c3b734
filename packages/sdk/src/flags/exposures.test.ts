import { expect, test } from 'vitest'
import { createExposures, type Exposure } from './exposures.ts'

const answer = (key: string, variant: string) => ({ key, variant, value: variant })

test('each variation of a flag is exposed once per subject, from the start', async () => {
  const exposures = createExposures()
  exposures.record(answer('banner', 'a'), 'ada')
  exposures.record(answer('banner', 'a'), 'ada')
  exposures.record({ key: 'plain', value: 1 }, 'ada')
  const heard: string[] = []
  const stop = exposures.listen(({ flag, variant, targetingKey }: Exposure) => {
    heard.push(`${flag} ${variant} ${targetingKey}`)
  })
  exposures.record(answer('banner', 'b'), 'ada')
  exposures.record(answer('banner', 'a'), 'grace')
  await Promise.resolve()
  stop()
  exposures.record(answer('banner', 'c'), 'ada')
  await Promise.resolve()
  expect(heard).toEqual(['banner a ada', 'banner b ada', 'banner a grace'])
})

test('without a listener the newest thousand are kept', async () => {
  const exposures = createExposures()
  for (let index = 0; index < 1_200; index++) exposures.record(answer(`flag-${index}`, 'on'), 'ada')
  const heard: string[] = []
  exposures.listen(({ flag }) => heard.push(flag))
  await Promise.resolve()
  expect(heard).toHaveLength(1_000)
  expect(heard[0]).toBe('flag-200')
})
