// Measures how soon a flag change reaches a thousand open event streams, from the request to the management API; and
// the memory of ten thousand open streams. `npm run bench:streams`; `-- --write` into bench/results.md.

import { openListeners } from './delivery/listen.ts'
import { clientKey, startTelltale } from './delivery/start-telltale.ts'
import { writeSection } from './results.ts'

const changes = 30
const path = `/sdk/v1/stream?key=${clientKey}`
const mebibyte = 1_048_576

const telltale = await startTelltale()
const idle = (await telltale.measure()).memory
const thousand = await openListeners(telltale.url, path, { count: 1_000 })
const spans: number[] = []
for (let change = 0; change < changes; change++) {
  const heard = thousand.hear('"flag-8"')
  const sentAt = performance.now()
  await telltale.toggle('flag-8', change % 2 === 1)
  for (const at of await heard) spans.push(at - sentAt)
}
thousand.close()
spans.sort((left, right) => left - right)

const many = await openListeners(telltale.url, path, { count: 10_000 })
const heardByAll = many.hear('"flag-8"')
const sentAt = performance.now()
await telltale.toggle('flag-8', true)
const last = Math.max(...(await heardByAll)) - sentAt
const full = (await telltale.measure()).memory
many.close()
await telltale.stop()

const at = (share: number) => `${(spans[Math.floor((spans.length - 1) * share)] ?? Number.NaN).toFixed(0)} ms`
const text = [
  `From the request that changes a flag to the message in each of 1 000 streams, ${changes} changes: half within ${at(0.5)}, 95 % within ${at(0.95)} (wanted: 200 ms), all within ${at(1)}.`,
  '',
  `10 000 open streams: ${(full / mebibyte).toFixed(0)} MiB resident in the server's process (wanted: 1 024), ${((full - idle) / 10_000 / 1_024).toFixed(1)} KiB for each; before them ${(idle / mebibyte).toFixed(0)} MiB. A change reached the last of them after ${last.toFixed(0)} ms.`,
  '',
  'Streams are on loopback, and their listener shares the cores with the server.',
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Event streams', text)
