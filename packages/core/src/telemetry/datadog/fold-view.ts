// What a view is after all that was told of it. The client tells a view whole, again and again, or tells what changed since;
// in whatever order these arrive, the result is the same: the latest whole one, and the later changes in their order.

import { given, isObject, type JsonObject, numberIn, objectIn } from './json.ts'

export interface ViewHistory {
  /** The latest whole one. */
  whole: JsonObject | undefined
  wholeVersion: number
  /** Later ones that say only what changed, in order. */
  changes: readonly { version: number; raw: JsonObject }[]
}

export const emptyHistory: ViewHistory = { whole: undefined, wholeVersion: -1, changes: [] }

/** The client tells the whole after so many changes; more without one are not worth keeping. */
const changesKept = 200

export const versionOf = (raw: JsonObject): number =>
  Math.round(numberIn(objectIn(raw, '_dd'), 'document_version') ?? 0)

/** Nothing when it was known, or later ones made it void. */
export function addToHistory(history: ViewHistory, raw: JsonObject): ViewHistory | undefined {
  const version = versionOf(raw)
  if (version <= history.wholeVersion) return undefined
  if (raw.type === 'view') {
    const changes = history.changes.filter((change) => change.version > version)
    return { whole: raw, wholeVersion: version, changes }
  }
  if (history.changes.some((change) => change.version === version)) return undefined
  const changes = [...history.changes, { version, raw }].sort((one, other) => one.version - other.version)
  return { ...history, changes: changes.slice(-changesKept) }
}

export interface FoldedView {
  raw: JsonObject
  version: number
}

/** Nothing while no whole one has come: changes alone say neither where nor who. */
export function foldView({ whole, wholeVersion, changes }: ViewHistory): FoldedView | undefined {
  if (whole === undefined) return undefined
  let raw = whole
  let version = wholeVersion
  for (const change of changes) {
    raw = { ...mergeChange(raw, change.raw, ''), type: 'view' }
    version = change.version
  }
  return { raw, version }
}

/** What is told whole even in a change. */
const replaced = new Set(['view.custom_timings', 'context', 'connectivity', 'usr', 'session'])

function mergeChange(base: JsonObject, change: JsonObject, prefix: string): JsonObject {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(change)) {
    const path = `${prefix}${name}`
    const known = merged[name]
    // The first time stays the first.
    if (name === hiddenMember && known !== undefined) continue
    // Nothing is there that was there before.
    if (value === null) delete merged[name]
    else if (isObject(value) && isObject(known) && !replaced.has(path)) {
      merged[name] = mergeChange(known, value, `${path}.`)
    } else merged[name] = value
  }
  return merged
}

/** Views are held in memory: without what nothing is made of. */
export function shortenView({ display: _, device: __, privacy: ___, ...raw }: JsonObject): JsonObject {
  const { document_version, configuration, drift, page_states } = objectIn(raw, '_dd')
  const hidden = Array.isArray(page_states) ? page_states.filter(isObject).find(isHidden)?.start : undefined
  return {
    ...raw,
    _dd: {
      document_version,
      ...given('configuration', configuration),
      ...given('drift', drift),
      ...given(hiddenMember, hidden),
    },
  }
}

/** When the page was first out of sight, in nanoseconds from the beginning of the view. */
export const hiddenMember = 'first_hidden'

const isHidden = ({ state }: JsonObject) => state === 'hidden'
