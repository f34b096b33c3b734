import { expect, test } from 'vitest'
import { forecastDisk } from './forecast-disk.ts'

const samplesOf = (...bytes: number[]) => bytes.map((size, day) => ({ day, bytes: size }))

test('a steady growth has a narrow range', () => {
  expect(forecastDisk(samplesOf(0, 100, 200, 300), 1_000)).toEqual({
    bytesPerDay: { low: 100, likely: 100, high: 100 },
    daysLeft: { soonest: 10, likely: 10, latest: 10 },
  })
})

test('uneven days give a range around their median', () => {
  const forecast = forecastDisk(samplesOf(0, 50, 150, 350, 450), 1_000)
  expect(forecast?.bytesPerDay).toEqual({ low: 87.5, likely: 100, high: 125 })
  expect(forecast?.daysLeft).toMatchObject({ soonest: 8, likely: 10 })
  expect(forecast?.daysLeft.latest).toBeCloseTo(11.43, 2)
})

test('a store that keeps its size never fills the volume', () => {
  expect(forecastDisk(samplesOf(500, 500, 480, 500), 1_000)?.daysLeft).toEqual({
    soonest: 100,
    likely: null,
    latest: null,
  })
})

test('a day without a sample is spread over its days', () => {
  const samples = [
    { day: 0, bytes: 0 },
    { day: 4, bytes: 400 },
    { day: 5, bytes: 500 },
  ]
  expect(forecastDisk(samples, 100)?.bytesPerDay.likely).toBe(100)
})

test('two samples are too few for a range, and a full volume has no days left', () => {
  expect(forecastDisk(samplesOf(0, 100), 1_000)).toBeUndefined()
  expect(forecastDisk(samplesOf(0, 100, 200), 0)?.daysLeft.likely).toBe(0)
})
