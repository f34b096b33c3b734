// The size of an installation for a site of your own: `npm run bench:scale -- --events 500 --peak 5 --days 90`.

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readMeasured } from './scale/measured.ts'
import { installationTable, measuredTable, usualMachines } from './scale/tables.ts'

const { values } = parseArgs({
  options: {
    /** A second, as the mean of a day. */
    events: { type: 'string', default: '1000' },
    /** The busiest hour, of the mean. */
    peak: { type: 'string', default: '3' },
    /** Of retention. */
    days: { type: 'string', default: '30' },
    /** Of a shard. */
    cores: { type: 'string', default: String(usualMachines.coresPerShard) },
    /** For a core and month. */
    price: { type: 'string', default: String(usualMachines.pricePerCore) },
  },
})

const site = {
  eventsPerSecond: positive('events'),
  peak: positive('peak'),
  retentionDays: positive('days'),
}
const machines = { ...usualMachines, coresPerShard: positive('cores'), pricePerCore: positive('price') }
const measured = readMeasured(await readFile(new URL('results.md', import.meta.url), 'utf8'))
process.stdout.write(`${measuredTable(measured)}\n\n${installationTable([site], machines, measured)}\n`)

function positive(name: keyof typeof values): number {
  const value = Number(values[name])
  if (!(value >= 0)) throw new Error(`--${name} must be a number, not "${values[name]}"`)
  return value
}
