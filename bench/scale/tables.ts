// The tables of the guide to scale.

import { type Installation, type Machines, type Site, sizeOf } from './installation.ts'
import type { Measured } from './measured.ts'

/** A machine for hire at a usual price, without a discount. */
export const usualMachines: Machines = { coresPerShard: 16, pricePerCore: 25, pricePerGigabyte: 0.1 }

/** From a small site to a million events a second. */
export const usualSites: readonly Site[] = [10, 100, 1_000, 10_000, 100_000, 1_000_000].map(
  (eventsPerSecond) => ({
    eventsPerSecond,
    peak: 3,
    retentionDays: 30,
  }),
)

const parts: Readonly<Record<Installation['breaksFirst'], string>> = {
  server: 'the process of a server',
  engine: 'processors of the engine',
  disk: 'disk',
  queries: 'queries of 30 days',
}

export function installationTable(sites: readonly Site[], machines: Machines, measured: Measured): string {
  const rows = sites.map((site) => {
    const size = sizeOf(site, machines, measured)
    return [
      count(site.eventsPerSecond),
      count(size.servers),
      count(size.shards),
      short(size.serverCores),
      short(size.engineCores),
      bytes(size.diskGigabytes),
      seconds(size.overviewSeconds),
      seconds(size.heaviestSeconds),
      `${count(Math.round(size.price / 10) * 10)} $`,
      parts[size.breaksFirst],
    ]
  })
  const head = [
    'events a second',
    'servers',
    'shards',
    'cores of servers',
    'cores of the engine',
    'disk',
    'overview',
    'heaviest query',
    'a month',
    'nearest to its limit',
  ]
  return toTable(head, rows)
}

export function measuredTable(measured: Measured): string {
  const rows = [
    ['an event, in the server', microseconds(measured.serverEvent)],
    ['an event, in the engine', microseconds(measured.engineEvent)],
    ['an event, on disk', `${short(measured.eventBytes)} bytes`],
    ['overview of 30 days, for a million events', milliseconds(measured.overviewEvent)],
    ['the heaviest query of 30 days, for a million events', milliseconds(measured.heaviestEvent)],
  ]
  return toTable(['', 'cost'], rows)
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const alignment = head.map((_, column) => (column === 0 || column === 9 ? '---' : '--:'))
  return [line(head), line(alignment), ...rows.map(line)].join('\n')
}

const count = (value: number) => value.toLocaleString('en')
const short = (value: number) => (value < 10 ? value.toPrecision(2) : count(Math.round(value)))
const microseconds = (value: number) => `${short(value)} µs of a core`
/** Of microseconds for an event. */
const milliseconds = (value: number) => `${short(value * 1_000)} ms of a core`
const bytes = (gigabytes: number) =>
  gigabytes < 1_000 ? `${short(gigabytes)} GB` : `${short(gigabytes / 1_000)} TB`
const seconds = (value: number) => (value < 0.1 ? 'below 0.1 s' : `${short(value)} s`)
