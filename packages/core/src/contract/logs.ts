// Log records of OpenTelemetry.

import { type Static, Type } from 'typebox'
import { logLevels } from '../otlp-names.ts'
import { call } from './call.ts'
import { at, Count, partial, periodQuery, stepped, stepQuery } from './measured.ts'
import { Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const Text = Type.String()

export const Log = Type.Object({
  id: Text,
  at: Instant,
  traceId: Nullable(Text),
  spanId: Nullable(Text),
  service: Text,
  version: Text,
  scope: Text,
  level: Type.Enum([...logLevels]),
  severity: Type.String({ description: 'As the application names it.' }),
  name: Type.String({ description: 'Of an event; empty for other records.' }),
  body: Text,
  userKey: Text,
  attributes: Type.Record(Text, Text),
  resource: Type.Record(Text, Text),
  cut: Type.Integer({ minimum: 0, description: 'Attributes and texts that were shortened or left out.' }),
})
export type Log = Static<typeof Log>

export const listLogs = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/logs',
  summary: 'List the log records of an environment, the newest first.',
  permission: 'project.view',
  query: Strict({ ...pageQuery, ...periodQuery }),
  reply: Page(Log),
  errors: ['query-too-large'],
})

export const listLogLevels = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/logs/levels',
  summary: 'Count the log records of an environment over time, by level.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...stepQuery }),
  reply: Type.Object({
    ...stepped,
    levels: Type.Array(
      Type.Object({
        level: Type.Enum([...logLevels]),
        total: Count,
        counts: Type.Array(Count, { description: 'One of every step.' }),
      }),
      { description: 'Levels with records, the most severe first.' },
    ),
    steps: Type.Array(Type.Object({ at, partial }), { description: 'Every step of the period.' }),
  }),
  errors: ['query-too-large'],
})

export const logCalls = { listLogs, listLogLevels }
