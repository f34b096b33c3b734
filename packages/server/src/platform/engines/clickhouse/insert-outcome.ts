// The result of an insert, as the writer needs it. A rejection concerns the rows and would be repeated; after any other
// failure the same bytes may be sent again with the same token, and are stored once.
import { ClickHouseError } from '@clickhouse/client'

export type InsertOutcome =
  | { kind: 'stored' }
  /** `isKnown`: it passes with time. What nobody foresaw may be the rows' fault after all. */
  | { kind: 'retry'; reason: string; isKnown: boolean }
  | { kind: 'refused'; code: number; message: string }

/** The rows are the cause: half of them may succeed. */
export const refusals: ReadonlyMap<number, string> = new Map([
  [6, 'CANNOT_PARSE_TEXT'],
  [7, 'INCORRECT_NUMBER_OF_COLUMNS'],
  [16, 'NO_SUCH_COLUMN_IN_TABLE'],
  [20, 'NUMBER_OF_COLUMNS_DOESNT_MATCH'],
  [25, 'CANNOT_PARSE_ESCAPE_SEQUENCE'],
  [26, 'CANNOT_PARSE_QUOTED_STRING'],
  [27, 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  [33, 'CANNOT_READ_ALL_DATA'],
  [38, 'CANNOT_PARSE_DATE'],
  [41, 'CANNOT_PARSE_DATETIME'],
  [47, 'UNKNOWN_IDENTIFIER'],
  [53, 'TYPE_MISMATCH'],
  [62, 'SYNTAX_ERROR'],
  [69, 'ARGUMENT_OUT_OF_BOUND'],
  [70, 'CANNOT_CONVERT_TYPE'],
  [72, 'CANNOT_PARSE_NUMBER'],
  [117, 'INCORRECT_DATA'],
  [128, 'TOO_LARGE_ARRAY_SIZE'],
  [130, 'CANNOT_READ_ARRAY_FROM_TEXT'],
  [131, 'TOO_LARGE_STRING_SIZE'],
  [321, 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE'],
  [349, 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN'],
  [376, 'CANNOT_PARSE_UUID'],
  [396, 'TOO_MANY_ROWS_OR_BYTES'],
  [467, 'CANNOT_PARSE_BOOL'],
])

/** The engine, its disk, other queries or permissions are the cause. */
export const passing: ReadonlyMap<number, string> = new Map([
  [60, 'UNKNOWN_TABLE'],
  [74, 'CANNOT_READ_FROM_FILE_DESCRIPTOR'],
  [75, 'CANNOT_WRITE_TO_FILE_DESCRIPTOR'],
  [76, 'CANNOT_OPEN_FILE'],
  [81, 'UNKNOWN_DATABASE'],
  [159, 'TIMEOUT_EXCEEDED'],
  [198, 'DNS_ERROR'],
  [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  [209, 'SOCKET_TIMEOUT'],
  [210, 'NETWORK_ERROR'],
  [225, 'NO_ZOOKEEPER'],
  [236, 'ABORTED'],
  [241, 'MEMORY_LIMIT_EXCEEDED'],
  [242, 'TABLE_IS_READ_ONLY'],
  [243, 'NOT_ENOUGH_SPACE'],
  [252, 'TOO_MANY_PARTS'],
  [279, 'ALL_CONNECTION_TRIES_FAILED'],
  [285, 'TOO_FEW_LIVE_REPLICAS'],
  [286, 'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE'],
  [319, 'UNKNOWN_STATUS_OF_INSERT'],
  [394, 'QUERY_WAS_CANCELLED'],
  [439, 'CANNOT_SCHEDULE_TASK'],
  [497, 'ACCESS_DENIED'],
  [499, 'S3_ERROR'],
  [516, 'AUTHENTICATION_FAILED'],
  [999, 'KEEPER_EXCEPTION'],
  // The embedded engine: the connection broke, or it is stopping.
  [1002, 'UNKNOWN_EXCEPTION'],
])

export function outcomeOfFailure(error: unknown): InsertOutcome {
  const code = refusalCode(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (code === undefined) return { kind: 'retry', reason, isKnown: true }
  if (refusals.has(code)) return { kind: 'refused', code, message: reason }
  return { kind: 'retry', reason, isKnown: passing.has(code) }
}

/** The code of ClickHouse's exception; undefined if the request did not reach it. */
export function refusalCode(error: unknown): number | undefined {
  return error instanceof ClickHouseError ? Number(error.code) : undefined
}
