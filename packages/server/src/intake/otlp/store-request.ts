// Writes a request to the spool, once: its rows in one record, and the errors and exposures that it reports as facts,
// each with its own ID. The same request, sent again, has the same bytes.

import type { Origin } from '@telltale/core/telemetry/context-row'
import { v4 as newId } from 'uuid'
import { readBrowser } from '../events/browsers.ts'
import type { RecordKind, SpoolDraft } from '../spool/record.ts'
import type { ReadFinder } from './find-reads.ts'
import { type OtlpParts, type OtlpRequest, otlpSource, type Rendering } from './otlp-request.ts'
import { renderSignals, type SignalFact } from './signal-events.ts'

interface RequestToStore {
  request: OtlpRequest
  record: RecordKind
  rendering: Pick<Rendering, 'collected' | 'receivedAt' | 'userCheck'>
  /** Undefined when a repetition cannot be recognised. */
  batchId: string | undefined
}

/** Returns false when it was stored before. */
export type StoreRequest = (given: RequestToStore) => Promise<boolean>

export function createStoreRequest(parts: OtlpParts, readFinder: ReadFinder): StoreRequest {
  const { intake, live } = parts
  const { spool, once, outcomes } = intake

  const storeFacts = async (
    facts: readonly SignalFact[],
    base: Omit<SpoolDraft, 'kind'>,
    main: SpoolDraft,
  ) => {
    const { environmentId } = base
    let isWritten = false
    const write = (fresh: readonly SignalFact[]) => {
      isWritten = true
      const own: SpoolDraft = {
        ...base,
        kind: 'facts',
        rows: fresh.map(({ row }) => row),
        ids: fresh.map(({ id }) => id),
      }
      // Facts first: if a crash cuts off the rest, they are recognised when it arrives again.
      return spool.append(fresh.length === 0 ? [main] : [own, main], 'detail')
    }
    const given = facts.map((fact) => ({ environmentId, id: fact.id, madeAt: fact.at, fact }))
    const fresh = await once(given, (items) => write(items.map(({ fact }) => fact)))
    if (!isWritten) await write([])
    return fresh.map(({ fact }) => fact)
  }

  return async ({ request, record, rendering, batchId = newId() }) => {
    const { environment } = request
    const { collected, receivedAt, userCheck } = rendering
    if (collected.rows.length === 0) return true
    const environmentId = environment.id
    const reads = await readFinder.find(environment, collected.evaluations)
    const { exceptions } = collected
    const origin = originOf(request, receivedAt)
    const { facts, dropped } = renderSignals(parts, {
      ...{ environment, origin, exceptions, reads },
      userCheck,
    })
    const base = { environmentId, batchId, receivedAt, viewRows: [] }
    const main: SpoolDraft = { ...base, kind: record, rows: collected.rows }
    let stored: readonly SignalFact[] = []
    const batch = { environmentId, id: batchId, madeAt: collected.newest }
    const fresh = await once([batch], async () => {
      stored = await storeFacts(facts, { ...base, rows: [] }, main)
    })
    if (fresh.length === 0) return false

    live.take(
      environmentId,
      stored.map(({ row }) => row),
    )
    const count = (kind: string, reason: string, times: number) =>
      outcomes.count({ environmentId, kind, source: otlpSource, reason }, times)
    for (const { kind, service } of stored) {
      count(kind, 'accepted', 1)
      intake.usage.add(environment, service, { events: 1 })
    }
    for (const [reason, kinds] of dropped) for (const [kind, times] of kinds) count(kind, reason, times)
    return true
  }
}

function originOf({ environment, browser, country }: OtlpRequest, receivedAt: number): Origin {
  return {
    environmentId: environment.id,
    projectId: environment.projectId,
    receivedAt,
    source: otlpSource,
    country,
    ...readBrowser(browser),
  }
}
