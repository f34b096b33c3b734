// Evaluates the same flags with Telltale's core and with its peers, in interleaved rounds of one process, and prints
// ratios. `npm run bench:evaluate` also installs the peers; with `-- --write` into bench/results.md.

import { contexts, type Scenario, scenarios } from './flags.ts'
import type { Peer, Prepared } from './peer.ts'
import { writeSection } from './results.ts'
import { telltale } from './telltale.ts'

const rounds = 15
/** Per peer and round. */
const slice = 40
const targets = [5, 5, 4]

const lines: string[] = []
for (const [index, scenario] of scenarios.entries()) {
  lines.push(...(await compare(scenario, targets[index] ?? 1)), '')
}
const text = lines.join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Evaluation', text)

async function compare(scenario: Scenario, target: number): Promise<string[]> {
  const prepared: { name: string; peer: Prepared; times: number[] }[] = []
  for (const { name, prepare } of [telltale, ...(await loadPeers())]) {
    prepared.push({ name, peer: await prepare(scenario.flags, contexts), times: [] })
  }
  for (const { name, peer } of prepared) await checkValues(scenario, { name, peer, ours: prepared[0]?.peer })

  for (let round = -3; round < rounds; round++) {
    for (const { peer, times } of prepared) {
      const time = await measure(peer, scenario.all)
      if (round >= 0) times.push(time)
    }
  }
  for (const { peer } of prepared) peer.close?.()
  return report(
    scenario.name,
    target,
    prepared.map(({ name, times }) => ({ name, time: median(times) })),
  )
}

/** Untyped, because the peers are installed only for benchmarks. */
async function loadPeers(): Promise<Peer[]> {
  const loaded: { peers: Peer[] } = await import(new URL('./peers/all.mjs', import.meta.url).href)
  return loaded.peers
}

/** Without a split, every peer has to return the same values. */
async function checkValues(
  { flags }: Scenario,
  { name, peer, ours }: { name: string; peer: Prepared; ours: Prepared | undefined },
): Promise<void> {
  for (const { key, rules, fallthrough } of flags) {
    if ([...rules.map(({ serve }) => serve), fallthrough].some((serve) => typeof serve !== 'string')) continue
    for (let context = 0; context < 40; context++) {
      const [expected, actual] = [await ours?.valueOf(key, context), await peer.valueOf(key, context)]
      if (expected !== actual)
        throw new Error(`${name}, ${key}, context ${context}: ${actual}, not ${expected}`)
    }
  }
}

/** Nanoseconds per result. */
async function measure(peer: Prepared, all: boolean): Promise<number> {
  const start = performance.now()
  let results = 0
  while (performance.now() - start < slice) results += await peer.run(all)
  return ((performance.now() - start) * 1e6) / results
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}

function report(title: string, target: number, measured: { name: string; time: number }[]): string[] {
  const ours = measured[0]?.time ?? Number.NaN
  const fastest = Math.min(...measured.slice(1).map(({ time }) => time))
  const ratio = fastest / ours
  return [
    `### ${title}`,
    '',
    `${ratio.toFixed(1)} times the fastest peer; wanted: ${target}. ${ratio >= target ? 'Reached.' : 'Missed.'}`,
    '',
    '| | ns for one flag | speed, flagd core = 1 | we are faster by |',
    '|---|--:|--:|--:|',
    ...measured.map(({ name, time }) => {
      const flagd = measured.find((each) => each.name === 'flagd core')?.time ?? Number.NaN
      return `| ${name} | ${time.toFixed(0)} | ${(flagd / time).toFixed(2)} | ${(time / ours).toFixed(1)} |`
    }),
  ]
}
