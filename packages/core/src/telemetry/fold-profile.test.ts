import { expect, test } from 'vitest'
import { foldProfile, frameText, readFrameText } from './fold-profile.ts'

const options = { interval: 10, cleanName: (name: string) => name, cleanFile: (file: string) => file }
const tables = {
  texts: ['main', 'https://shop.example/app.js', 'hot'],
  frames: [0, 1, 1, 1, 2, 1, 20, 5],
  stacks: [0, -1, 1, 0],
  samples: [0, 1, 10, 1, 10, 0, 500, 1, 10, -1],
}

test('a sample lasts until the next one, a pause no longer than a sample', () => {
  const folded = foldProfile(tables, options)
  expect(
    folded?.map(({ frames, selfMs, samples }) => [frames.map(({ name }) => name), selfMs, samples]),
  ).toEqual([
    [['main', 'hot'], 30, 3],
    [['main'], 10, 1],
  ])
})

test('inconsistent tables are rejected', () => {
  for (const broken of [
    { ...tables, frames: [9, 1, 1, 1] },
    { ...tables, stacks: [0, 0] },
    { ...tables, stacks: [5, -1] },
    { ...tables, samples: [10, 7] },
    { ...tables, samples: [-1, 0] },
    { ...tables, samples: [1] },
  ]) {
    expect(foldProfile(broken, options)).toBeUndefined()
  }
})

test('a frame is read as it was written', () => {
  const frame = { name: 'a\tb', file: 'https://shop.example/app.js', line: 3, column: 4 }
  expect(readFrameText(frameText(frame))).toEqual({ ...frame, name: 'a b' })
})
