// A rule set as text: as a whole, built once with regular yields, or as the changes since a version.

import { createYielder } from '../../platform/process/create-yielder.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import { findOverride, type OverrideTable } from './override-table.ts'
import { touchedSince } from './rule-set-steps.ts'

const made = new WeakMap<ServedRuleSet, Promise<Buffer>>()

/** Everything, as JSON. Concurrent requests share one build. */
export function wholeText(served: ServedRuleSet): Promise<Buffer> {
  const known = made.get(served)
  if (known !== undefined) return known
  const begun = printWhole(served)
  made.set(served, begun)
  // After a failure, the next request tries again.
  begun.catch(() => made.delete(served))
  return begun
}

async function printWhole(served: ServedRuleSet): Promise<Buffer> {
  const { version, environment, flags, flagTexts, segmentTexts, tables } = served
  const yieldIfDue = createYielder()
  const parts: Buffer[] = []
  const head = JSON.stringify({ version, environment })
  parts.push(Buffer.from(`${head.slice(0, -1)},"flags":[`))
  let separator = ''
  for (const key of flags.keys()) {
    parts.push(Buffer.from(`${separator}${openEnd(flagTexts.get(key) ?? '')},"overrides":{`))
    separator = ','
    let inner = ''
    for (const bucket of tables.get(key)?.buckets ?? []) {
      if (bucket.size === 0) continue
      parts.push(Buffer.from(inner + printEntries(bucket)))
      inner = ','
      const pause = yieldIfDue()
      if (pause !== undefined) await pause
    }
    parts.push(Buffer.from('}}'))
  }
  parts.push(Buffer.from(`],"segments":[${[...segmentTexts.values()].join(',')}]}`))
  return Buffer.concat(parts)
}

/** The changes from that version to this one, as JSON; undefined if the version is no longer kept. */
export function deltaText(served: ServedRuleSet, since: string): string | undefined {
  const { version, environment, steps, flagTexts, segmentTexts, tables } = served
  const head = JSON.stringify({ version, environment, since }).slice(0, -1)
  if (since === version) {
    return `${head},"flags":[],"removedFlags":[],"segments":[],"removedSegments":[],"overrides":{}}`
  }
  const touched = touchedSince(steps, since)
  if (touched === undefined) return undefined

  const flags = [...touched.flags].flatMap((key) => {
    const text = flagTexts.get(key)
    if (text === undefined) return []
    return touched.tables.has(key) ? `${openEnd(text)},"overrides":${printTable(tables.get(key))}}` : text
  })
  const segments = [...touched.segments].flatMap((key) => segmentTexts.get(key) ?? [])
  const removed = (names: Iterable<string>, texts: ReadonlyMap<string, string>) =>
    JSON.stringify([...names].filter((key) => !texts.has(key)))
  const overrides = [...touched.overrides]
    .filter(([flag]) => flagTexts.has(flag))
    .map(([flag, keys]) => `${JSON.stringify(flag)}:${printChanges(tables.get(flag), keys)}`)
  return [
    `${head},"flags":[${flags}]`,
    `"removedFlags":${removed(touched.flags, flagTexts)}`,
    `"segments":[${segments}]`,
    `"removedSegments":${removed(touched.segments, segmentTexts)}`,
    `"overrides":{${overrides}}}`,
  ].join(',')
}

function openEnd(text: string): string {
  return text.slice(0, -1)
}

function printTable(table: OverrideTable | undefined): string {
  const buckets = table?.buckets.filter(({ size }) => size > 0) ?? []
  return `{${buckets.map(printEntries)}}`
}

function printEntries(entries: Iterable<[string, string]>): string {
  return Array.from(entries, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')
}

function printChanges(table: OverrideTable | undefined, keys: Iterable<string>): string {
  const entries = Array.from(keys, (key) => {
    const variation = table && findOverride(table, key)
    return `${JSON.stringify(key)}:${JSON.stringify(variation ?? null)}`
  })
  return `{${entries}}`
}
