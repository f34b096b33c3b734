// How large an installation must be for a site. Arithmetic only: what one event, request and stream costs was measured,
// and is multiplied.

import type { Measured } from './measured.ts'

/** What a reader knows of the site. */
export interface Site {
  /** The mean of a day. */
  eventsPerSecond: number
  /** The busiest hour, of the mean. */
  peak: number
  retentionDays: number
}

/** What a reader pays for machines. */
export interface Machines {
  coresPerShard: number
  /** For a month. */
  pricePerCore: number
  pricePerGigabyte: number
}

export interface Installation {
  /** Busy cores at the peak. */
  serverCores: number
  engineCores: number
  /** Processes of the server: each does most of its work on one core. */
  servers: number
  shards: number
  diskGigabytes: number
  /** Seconds until the overview and the heaviest query of 30 days are answered, if nothing else is asked. */
  overviewSeconds: number
  heaviestSeconds: number
  /** For a month. */
  price: number
  /** What reaches its limit first as the site grows. */
  breaksFirst: 'server' | 'engine' | 'disk' | 'queries'
}

/** Room for what is not even: a core that is busier than this lets requests wait. */
const highestLoad = 0.6
/** Beside the events and while parts are merged, of the disk. */
const fullestDisk = 0.7
const gigabytesPerShard = 4_000
/** Of a query. */
const patience = 2
const second = 1e6
const day = 86_400

export function sizeOf(site: Site, machines: Machines, measured: Measured): Installation {
  const busiest = site.eventsPerSecond * site.peak
  const serverCores = (busiest * measured.serverEvent) / second
  const engineCores = (busiest * measured.engineEvent) / second
  const diskGigabytes =
    (site.eventsPerSecond * day * site.retentionDays * measured.eventBytes) / 1e9 / fullestDisk

  const needed = {
    server: serverCores / highestLoad,
    engine: engineCores / highestLoad / machines.coresPerShard,
    disk: diskGigabytes / gigabytesPerShard,
  }
  const servers = Math.max(1, Math.ceil(needed.server))
  const shards = Math.max(1, Math.ceil(Math.max(needed.engine, needed.disk)))
  const asked = site.eventsPerSecond * day * Math.min(30, site.retentionDays)
  // Half of the cores, because writing goes on.
  const secondsOf = (perEvent: number) =>
    (asked * perEvent) / second / (shards * machines.coresPerShard * 0.5)
  const overviewSeconds = secondsOf(measured.overviewEvent)
  return {
    serverCores,
    engineCores,
    servers,
    shards,
    diskGigabytes,
    overviewSeconds,
    heaviestSeconds: secondsOf(measured.heaviestEvent),
    price:
      (servers + shards * machines.coresPerShard) * machines.pricePerCore +
      diskGigabytes * machines.pricePerGigabyte,
    breaksFirst: nearestToLimit([
      ['server', needed.server / servers],
      ['engine', needed.engine / shards],
      ['disk', needed.disk / shards],
      ['queries', overviewSeconds / patience],
    ]),
  }
}

type Part = Installation['breaksFirst']

function nearestToLimit(shares: readonly (readonly [Part, number])[]): Part {
  const first: readonly [Part, number] = ['server', 0]
  return shares.reduce((most, each) => (each[1] > most[1] ? each : most), first)[0]
}
