// Merges the updates of a view. The client sends either the whole view or only its changes since. The result does not
// depend on the order of arrival: the latest whole update, then all later changes in order.

import { given, isObject, type JsonObject, numberIn, objectIn } from '../json.ts'

export interface ViewHistory {
  /** The latest whole update. */
  whole: JsonObject | undefined
  wholeVersion: number
  /** Later partial updates, in order. */
  changes: readonly { version: number; raw: JsonObject }[]
}

export const emptyHistory: ViewHistory = { whole: undefined, wholeVersion: -1, changes: [] }

/** The client sends a whole update after this many changes, so more changes without one are not kept. */
const changesKept = 200

export const versionOf = (raw: JsonObject): number =>
  Math.round(numberIn(objectIn(raw, '_dd'), 'document_version') ?? 0)

/** Undefined when the update is a duplicate or superseded. */
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

/** Undefined until a whole update arrives: changes alone contain neither page nor user. */
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

/** Members that are complete even in a partial update. */
const replaced = new Set(['view.custom_timings', 'context', 'connectivity', 'usr', 'session'])

function mergeChange(base: JsonObject, change: JsonObject, prefix: string): JsonObject {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(change)) {
    const path = `${prefix}${name}`
    const known = merged[name]
    // Keep the first time.
    if (name === hiddenMember && known !== undefined) continue
    // null deletes a member.
    if (value === null) delete merged[name]
    else if (isObject(value) && isObject(known) && !replaced.has(path)) {
      merged[name] = mergeChange(known, value, `${path}.`)
    } else merged[name] = value
  }
  return merged
}

/** Views are held in memory, so drop the parts that are not used. */
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

/** Time when the page was first hidden, in nanoseconds since the start of the view. */
export const hiddenMember = 'first_hidden'

const isHidden = ({ state }: JsonObject) => state === 'hidden'
