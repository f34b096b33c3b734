// The arithmetic of the guide to scale, with costs that make it easy to follow.

import { expect, test } from 'vitest'
import { sizeOf } from '../bench/scale/installation.ts'

const measured = {
  serverEvent: 100,
  engineEvent: 50,
  eventBytes: 50,
  overviewEvent: 0.05,
  heaviestEvent: 0.1,
}
const site = { eventsPerSecond: 100, peak: 3, retentionDays: 30 }
const machines = { coresPerShard: 10, pricePerCore: 20, pricePerGigabyte: 0.1 }

test('a small site needs one server and one shard', () => {
  const size = sizeOf(site, machines, measured)
  expect(size).toMatchObject({ servers: 1, shards: 1 })
  // 300 events of 100 µs a second.
  expect(size.serverCores).toBeCloseTo(0.03)
  expect(size.engineCores).toBeCloseTo(0.015)
  // 259.2 million events of 50 bytes, on a disk that is at most 70 % full.
  expect(size.diskGigabytes).toBeCloseTo(12.96 / 0.7)
  // Half of ten cores read 259.2 million events at 0.05 µs.
  expect(size.overviewSeconds).toBeCloseTo(2.592)
  expect(size.breaksFirst).toBe('queries')
})

test('servers and shards grow with the busiest hour, and shards share queries', () => {
  const large = sizeOf({ ...site, eventsPerSecond: 1_000_000 }, machines, measured)
  // 300 cores at 60 %.
  expect(large.servers).toBe(500)
  expect(large.shards).toBe(47)
  expect(large.overviewSeconds).toBeCloseTo((1e6 * 86_400 * 30 * 0.05) / 1e6 / (47 * 5), 0)
  const doubled = sizeOf({ ...site, eventsPerSecond: 1_000_000, peak: 6 }, machines, measured)
  expect(doubled.servers).toBe(1_000)
})

test('retention costs disk, and queries read at most 30 days', () => {
  const long = sizeOf({ ...site, retentionDays: 300 }, machines, measured)
  const short = sizeOf(site, machines, measured)
  expect(long.diskGigabytes).toBeCloseTo(10 * short.diskGigabytes)
  expect(long.overviewSeconds).toBeCloseTo(short.overviewSeconds)
})
