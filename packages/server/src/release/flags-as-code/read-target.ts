import type { CodeDocument } from '@telltale/core/contract/code-document'
import { type Fault, Problem } from '@telltale/core/errors'
import { pointerTo } from '@telltale/core/flags-as-code/check-code'
import {
  completeFlag,
  completeSegment,
  type FlagContent,
  type SegmentContent,
} from '@telltale/core/flags-as-code/content'
import type { Entries } from './entries.ts'
import type { EntryKind, EntryKinds } from './entry-kinds.ts'

export interface Target extends Entries {
  flags: Map<string, FlagContent>
  segments: Map<string, SegmentContent>
}

/** What a document describes, complete, and the faults of single entries. */
export function readTarget(document: CodeDocument, kinds: EntryKinds): { target: Target; faults: Fault[] } {
  const { flags = {}, segments = {} } = document
  const faults: Fault[] = []
  const target = {
    flags: mapped(flags, completeFlag),
    segments: mapped(segments, completeSegment),
    metrics: completed({ kind: 'metrics', entries: document.metrics, by: kinds.metrics }, faults),
    rolloutTemplates: completed(
      { kind: 'rolloutTemplates', entries: document.rolloutTemplates, by: kinds.rolloutTemplates },
      faults,
    ),
    alerts: completed({ kind: 'alerts', entries: document.alerts, by: kinds.alerts }, faults),
    dashboards: completed({ kind: 'dashboards', entries: document.dashboards, by: kinds.dashboards }, faults),
  }
  return { target, faults }
}

function mapped<Entry, Content>(entries: Record<string, Entry>, complete: (entry: Entry) => Content) {
  return new Map(Object.entries(entries).map(([key, entry]) => [key, complete(entry)]))
}

interface Given<Entry> {
  kind: string
  entries: Record<string, Entry> | undefined
  by: EntryKind<Entry>
}

function completed<Entry>({ kind, entries = {}, by }: Given<Entry>, faults: Fault[]): Map<string, Entry> {
  return new Map(
    Object.entries(entries).flatMap(([key, entry]) => {
      try {
        return [[key, by.complete(entry)]]
      } catch (error) {
        faults.push(...faultsAt(pointerTo(kind, key), error))
        return []
      }
    }),
  )
}

/** The faults of a refused entry, with pointers into the document. Throws any other error again. */
export function faultsAt(pointer: string, error: unknown): Fault[] {
  if (!(error instanceof Problem) || error.status >= 500) throw error
  const { errors } = error.context
  if (errors === undefined || errors.length === 0) return [{ pointer, message: error.message }]
  return errors.map((fault) => ({ pointer: `${pointer}${fault.pointer}`, message: fault.message }))
}
