// The telemetry store for the features of the server: reads are limited, inserts return their outcome, and while the
// store is unavailable a read is rejected and an insert is to be retried. Table names have no prefix; the database is
// known.
import { problem } from '@telltale/core/errors'
import type { EngineState } from '../engine-state.ts'
import type { DamagedParts } from './damaged-parts.ts'
import { type InsertOutcome, outcomeOfFailure, refusalCode } from './insert-outcome.ts'
import type { CommandOptions, ReadOptions, TelemetryStore } from './open.ts'
import { type Copies, readDisks, readFiles, type StoreDisk, type StoredFile } from './read-files.ts'
import type { Placing } from './schema/definition.ts'
import { type Removal, renderRemoval } from './schema/removal.ts'
import type { WrittenColumn, WrittenTable } from './schema/tables.ts'
import { hasShortRows } from './short-rows.ts'

export type TelemetryCondition = {
  /** Usable in the states `running` and `external`. */
  state: EngineState
  /** A warning for the administrator; absent without a problem. */
  reason?: string
}

export type RowBatch<Table extends WrittenTable> = {
  table: Table
  /** In the order of the values in each row. */
  columns: readonly WrittenColumn<Table>[]
  /** Lines of JSONCompactEachRow. */
  rows: Uint8Array
  /** The same rows with the same token are stored once, however often they are sent. */
  token: string
  signal?: AbortSignal
}

export type Telemetry = {
  /**
   * Rows of one SELECT without SETTINGS and FORMAT; `{name:Type}` is a parameter. 64-bit numbers are returned as
   * text. Throws `engine-unavailable` while the store is unavailable and `query-too-large` if a limit is exceeded.
   */
  read<Row>(text: string, options?: ReadOptions): Promise<Row[]>
  /** Never throws for an error of the store. */
  insert<Table extends WrittenTable>(batch: RowBatch<Table>): Promise<InsertOutcome>
  /** Resolves when it is complete on every server with the rows. */
  remove(removal: Removal, signal?: AbortSignal): Promise<void>
  /** The disk usage of the tables. On a cluster every row is counted once, or once per replica. */
  files(copies?: Copies): Promise<StoredFile[]>
  disks(): Promise<StoreDisk[]>
  /** False on a cluster, whose shards have files of their own. */
  standsAlone: boolean
  /** Any other statement. */
  command(text: string, options?: CommandOptions): Promise<void>
  state(): TelemetryCondition
  /** Resolves when the store can be used; immediately if it already can. */
  untilUsable(signal?: AbortSignal): Promise<void>
}

const retrySeconds = 5
/** Time, memory and rows: the query exceeds a limit. */
const boundCodes = new Set([158, 159, 160, 241, 307, 396])
const harmlessToken = /^[\w.:-]{1,200}$/

type TelemetryParts = {
  store: TelemetryStore
  condition(): TelemetryCondition
  untilUsable: Telemetry['untilUsable']
  placing: Placing
  damaged?: DamagedParts | undefined
}

export function createTelemetry({
  store,
  untilUsable,
  placing,
  damaged,
  ...parts
}: TelemetryParts): Telemetry {
  const isCluster = placing.cluster !== undefined
  const condition = (): TelemetryCondition => {
    const found = parts.condition()
    const reasons = [found.reason, damaged?.reason()].filter((reason) => reason !== undefined)
    return { state: found.state, ...(reasons.length > 0 && { reason: reasons.join('; ') }) }
  }
  const requireUsable = () => {
    const { state, reason } = condition()
    if (!isUsable(state)) throw unavailable(reason)
  }

  const attempt = async <Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    requireUsable()
    try {
      return await work()
    } catch (error) {
      if (damaged?.note(error)) throw unreadable(error)
      throw toRefusal(error, signal)
    }
  }

  return {
    read: <Row>(text: string, options?: ReadOptions) =>
      attempt(() => store.read<Row>(text, options), options?.signal),
    async insert(batch) {
      const { state, reason = state } = condition()
      if (!isUsable(state)) return { kind: 'retry', reason, isKnown: true }
      const attemptInsert = async (shortRows: boolean): Promise<InsertOutcome> => {
        try {
          const text = renderInsert(batch, { isCluster, shortRows })
          await store.insert(text, batch.rows, batch.signal)
          return { kind: 'stored' }
        } catch (error) {
          return outcomeOfFailure(error)
        }
      }
      const outcome = await attemptInsert(false)
      if (outcome.kind !== 'refused' || !hasShortRows(batch.rows, batch.columns.length)) return outcome
      return attemptInsert(true)
    },
    command: (text, options) => attempt(() => store.command(text, options), options?.signal),
    remove: (removal, signal) =>
      attempt(() => store.command(renderRemoval(removal, placing), signal && { signal }), signal),
    files: (copies = 'one') => attempt(() => readFiles(store, placing, copies)),
    disks: () => attempt(() => readDisks(store, placing)),
    standsAlone: !isCluster,
    state: condition,
    untilUsable,
  }
}

export function isUsable(state: EngineState): boolean {
  return state === 'running' || state === 'external'
}

/** Settings are part of the text: sent separately they would stay on the session. */
export function renderInsert<Table extends WrittenTable>(
  { table, columns, token }: Pick<RowBatch<Table>, 'table' | 'columns' | 'token'>,
  { isCluster, shortRows = false }: { isCluster: boolean; shortRows?: boolean },
): string {
  if (!harmlessToken.test(token)) throw new Error(`"${token}" is not a deduplication token`)
  const settings = [
    'async_insert=0',
    'input_format_json_named_tuples_as_objects=0',
    // Only for rows with missing values: with it, values beyond the last column are silently ignored.
    ...(shortRows ? ['input_format_json_compact_allow_variable_number_of_columns=1'] : []),
    'deduplicate_blocks_in_dependent_materialized_views=1',
    `insert_deduplication_token='${token}'`,
    // Acknowledged only after the rows are on their shards and replicated.
    ...(isCluster ? ['distributed_foreground_insert=1', "insert_quorum='auto'"] : []),
  ]
  return `INSERT INTO ${table} (${columns.join(', ')}) SETTINGS ${settings.join(', ')} FORMAT JSONCompactEachRow`
}

function toRefusal(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error
  const code = refusalCode(error)
  if (code !== undefined && boundCodes.has(code)) return problem('query-too-large')
  // A statement that the engine itself rejects is a bug.
  const outcome = outcomeOfFailure(error)
  if (outcome.kind === 'retry' && outcome.isKnown && code !== 60) return unavailable(outcome.reason, error)
  return error
}

function unreadable(cause: unknown) {
  const refusal = problem('engine-unavailable', {
    detail: 'Some of the stored telemetry is damaged on disk and cannot be read.',
    retryAfterSeconds: retrySeconds,
  })
  refusal.cause = cause
  return refusal
}

function unavailable(reason: string | undefined, cause?: unknown) {
  const refusal = problem('engine-unavailable', {
    detail: 'The telemetry store is unavailable. Try again.',
    retryAfterSeconds: retrySeconds,
  })
  refusal.cause = cause ?? reason
  return refusal
}
