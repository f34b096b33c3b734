// What takes spans and log records, whichever protocol brought them.

import { readLogsOfJson, readSpansOfJson } from '@telltale/core/telemetry/otlp/read-json'
import type { IntakeServices } from '../events/intake-services.ts'
import { createReadFinder, type ReadFinder } from './find-reads.ts'
import { readLogsOfProtobuf, readSpansOfProtobuf } from './read-protobuf.ts'
import { renderLog } from './render-log.ts'
import { renderSpan } from './render-span.ts'
import { createTakeOtlp, type TakeOtlp } from './take-request.ts'

export interface OtlpTakes {
  traces: TakeOtlp
  logs: TakeOtlp
  readFinder: ReadFinder
}

export function openOtlp(services: IntakeServices): OtlpTakes & { stop(): void } {
  const readFinder = createReadFinder(services)
  const spans = {
    record: 'spans',
    kind: 'span',
    ofProtobuf: readSpansOfProtobuf,
    ofJson: readSpansOfJson,
    render: renderSpan,
  } as const
  const records = {
    record: 'logs',
    kind: 'log',
    ofProtobuf: readLogsOfProtobuf,
    ofJson: readLogsOfJson,
    render: renderLog,
  } as const
  return {
    traces: createTakeOtlp(services, spans, readFinder),
    logs: createTakeOtlp(services, records, readFinder),
    readFinder,
    stop: readFinder.stop,
  }
}
