// Compares the server's processor time per row for batches of the Datadog client and of Telltale's: the same visits,
// views, vitals, requests, errors and flags in both formats to the built server, alternating and at the same rate. At
// full speed the faster one would wait for the disk more often, at additional cost. `npm run bench:datadog`; with
// `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateSync } from 'node:zlib'
import { v4 as newId } from 'uuid'
import { type Cost, key, measureCost, ours, type Pack } from './intake/cost.ts'
import { toDatadog } from './intake/datadog-lines.ts'
import { openStore, startEngine } from './intake/store.ts'
import { owner, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '24000' },
    rounds: { type: 'string', default: '5' },
    /** Page views per second. */
    pace: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
})
const wantedRatio = 1.5
const theirs: Pack = (batch) => {
  const parameters = new URLSearchParams({
    ddsource: 'browser',
    'dd-api-key': key,
    'dd-evp-encoding': 'deflate',
    'dd-request-id': newId(),
    batch_time: String(Date.now()),
  })
  const lines = toDatadog(batch).map((line) => JSON.stringify(line))
  const text = lines.join('\n')
  return {
    path: `/intake/datadog?ddforward=${encodeURIComponent(`/api/v2/rum?${parameters}`)}`,
    body: new Uint8Array(deflateSync(text, { level: 1 })),
    lines: lines.length,
    unpackedBytes: text.length,
  }
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(join(folder, 'engine'))
try {
  const store = await openStore(engine, 'telltale_bench')
  const server = await startServer(folder, { CLICKHOUSE_URL: store.url })
  await makeFlags(server.url)
  const wanted = { rows: Number(given.rows), pace: Number(given.pace) }
  const measure = async (pack: Pack) => {
    const cost = await measureCost(server, store, { pack, ...wanted })
    process.stderr.write(`${pack.name}: ${cost.perRow.toFixed(1)} µs for each row\n`)
    return cost
  }
  // Warm-up: neither pays for one-time compilation and connections.
  for (const pack of [ours, theirs]) await measure(pack)
  const rounds: { ours: Cost; theirs: Cost }[] = []
  for (let round = 0; round < Number(given.rounds); round++) {
    const costs = new Map<Pack, Cost>()
    const turns = round % 2 === 0 ? [ours, theirs] : [theirs, ours]
    for (const pack of turns) costs.set(pack, await measure(pack))
    const [own, other] = [costs.get(ours), costs.get(theirs)]
    if (own !== undefined && other !== undefined) rounds.push({ ours: own, theirs: other })
  }
  await server.stop()
  await store.close()
  const text = describe(rounds)
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Events of the Datadog client', text)
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

function describe(rounds: readonly { ours: Cost; theirs: Cost }[]): string {
  const middle = (values: number[]) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0
  const ratio = middle(rounds.map((round) => round.theirs.perRow / round.ours.perRow))
  const pace = middle(rounds.flatMap((round) => [round.ours.pace, round.theirs.pace]))
  const row = (name: string, costs: Cost[]) => {
    const of = (read: (cost: Cost) => number) => middle(costs.map(read))
    const cells = [
      of(({ perView }) => perView).toFixed(0),
      of(({ perRow }) => perRow).toFixed(0),
      of(({ linesPerView }) => linesPerView).toFixed(1),
      (of(({ unpackedPerView }) => unpackedPerView) / 1_024).toFixed(1),
      of(({ bytesPerRow }) => bytesPerRow).toFixed(0),
    ]
    return `| ${name} | ${cells.join(' | ')} |`
  }
  const table = [
    '| | µs of the server for each view of a page | for each row | lines of a view | KiB of a view unpacked | bytes of a row as it travels |',
    '|---|--:|--:|--:|--:|--:|',
    row(
      'our own',
      rounds.map((round) => round.ours),
    ),
    row(
      'Datadog',
      rounds.map((round) => round.theirs),
    ),
  ]
  return [
    `${ratio.toFixed(2)} times the processor time of our own format; wanted: at most ${wantedRatio}. ${ratio <= wantedRatio ? 'Reached' : 'Missed'}.`,
    table.join('\n'),
    `The same visits said in both ways, so that what pages saw and the rows that it becomes are the same; a view is a batch, ten flags in each, two of them drawn by splits. ${rounds.length} turns of ${given.rows} rows, medians (the ratio is the median of the turns), from the first request until a second after all rows are in the tables of another process; ${pace.toFixed(0)} views a second, ${given.pace} wanted.`,
  ].join('\n\n')
}

/** The visits' ten flags; the reported exposures are those that the two splits assign. */
async function makeFlags(url: string): Promise<void> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const { email, password } = owner
  const signedIn = await call('POST', '/api/v1/sign-in', { email, password })
  headers.cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const split = [
    { variation: 'on', weight: 100_000 },
    { variation: 'off', weight: 0 },
  ]
  for (const flag of ['checkout', 'banner', ...Array.from({ length: 8 }, (_, index) => `flag-${index}`)]) {
    await call('POST', '/api/v1/projects/shop/flags', { key: flag, name: flag, valueType: 'boolean' })
    await call('PUT', `/api/v1/projects/shop/environments/production/flags/${flag}/config`, {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      version: 1,
      fallthrough: flag.startsWith('flag-') ? { variation: 'on' } : { split },
    })
  }
}
