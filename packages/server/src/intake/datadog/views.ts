// The views of foreign clients that may still change, in memory: the latest state of each, and which of its facts were
// stored. Limited in bytes: the least recently updated view is evicted first.

import type { Origin } from '@telltale/core/telemetry/context-row'
import {
  addToHistory,
  emptyHistory,
  type FoldedView,
  foldView,
  type ViewHistory,
} from '@telltale/core/telemetry/datadog/fold-view'
import type { JsonObject } from '@telltale/core/telemetry/json'
import { LRUCache } from 'lru-cache'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'

export interface OpenView {
  viewId: string
  environment: KnownEnvironment
  /** Of the latest request. */
  origin: Origin
  history: ViewHistory
  /** By the server's clock. */
  heardAt: number
  tab: string | undefined
  startedAt: number
  /** Facts that are stored, or on their way to the disk. */
  /** The last reported value of each vital. */
  reported: Map<string, number | undefined>
  /** Its facts can no longer change. */
  isOver: boolean
  /** The latest state is not stored yet. */
  isUnreported: boolean
}

export interface DatadogViews {
  /** Undefined when it contains nothing new. */
  take(given: TakenView): OpenView | undefined
  find(environmentId: string, viewId: string): OpenView | undefined
  /** The view that is now in this tab is the current one: the others have ended. */
  turnTab(view: OpenView): OpenView[]
  all(): Iterable<OpenView>
  forget(view: OpenView): void
}

interface TakenView extends Pick<OpenView, 'viewId' | 'environment' | 'origin'> {
  raw: JsonObject
  /** Approximate memory of the parsed view. */
  memoryBytes: number
}

const bytesRemembered = 128 * 1_024 * 1_024
const tabsRemembered = 50_000
/**
 * The limit for one view with its changes: a hundred times the usual size. A larger one is reported once and not kept
 * in memory.
 */
const bytesOfView = 8 * 1_024 * 1_024
const leastBytes = 500

export function createDatadogViews(): DatadogViews {
  const views = new LRUCache<string, OpenView>({
    maxSize: bytesRemembered,
    maxEntrySize: bytesOfView,
  })
  const sizes = new WeakMap<JsonObject, number>()
  const sizeOf = ({ whole, changes }: ViewHistory) =>
    [whole, ...changes.map(({ raw }) => raw)].reduce(
      (sum, raw) => sum + ((raw && sizes.get(raw)) ?? 0),
      leastBytes,
    )
  const currentOf = rememberLast<string>(tabsRemembered)
  const keyOf = (environmentId: string, viewId: string) => `${environmentId} ${viewId}`
  const find = (environmentId: string, viewId: string) => views.get(keyOf(environmentId, viewId))

  return {
    find,
    all: () => views.values(),
    forget: ({ environment, viewId }) => views.delete(keyOf(environment.id, viewId)),
    take({ environment, origin, viewId, raw, memoryBytes }) {
      const { environmentId, receivedAt } = origin
      const known = find(environmentId, viewId)
      const history = addToHistory(known?.history ?? emptyHistory, raw)
      if (history === undefined) return known?.isUnreported === true ? known : undefined
      const view: OpenView = known ?? {
        viewId,
        environment,
        origin,
        history,
        heardAt: receivedAt,
        tab: undefined,
        startedAt: 0,
        reported: new Map<string, number | undefined>(),
        isOver: false,
        isUnreported: true,
      }
      Object.assign(view, { environment, origin, history, heardAt: receivedAt, isUnreported: true })
      sizes.set(raw, memoryBytes)
      // The cache keeps the previous size of a value that it already contains.
      const key = keyOf(environmentId, viewId)
      views.delete(key)
      views.set(key, view, { size: sizeOf(history) })
      return view
    },
    turnTab(view) {
      if (view.tab === undefined) return []
      const key = keyOf(view.origin.environmentId, view.tab)
      const currentId = currentOf.get(key)
      const current = currentId === undefined ? undefined : find(view.origin.environmentId, currentId)
      if (current === view) return []
      if (current !== undefined && current.startedAt > view.startedAt) return [view]
      currentOf.set(key, view.viewId)
      return current === undefined ? [] : [current]
    },
  }
}

export const foldedView = ({ history }: OpenView): FoldedView | undefined => foldView(history)
