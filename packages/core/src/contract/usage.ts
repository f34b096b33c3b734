// What a project uses: meters by day, environment, SDK key and application.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { meters, usageGroups } from '../usage/meters.ts'
import { call } from './call.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })
const Day = Type.String({ format: 'date', pattern: '^20[0-9]{2}-', description: 'A day in UTC: 2026-01-31.' })

export const MeterName = Type.Enum([...meters], {
  description:
    '`events` without updates of views, spans and logs; `sessions` on the day of their first event; `bytes` received, unpacked; `evaluations` of flags.',
})

const names = usageGroups.join('|')
const query = {
  from: Type.Optional(
    Type.String({ ...Day, description: 'The first day, in UTC. Default: 29 days before the last.' }),
  ),
  to: Type.Optional(Type.String({ ...Day, description: 'The last day, in UTC. Default: today.' })),
  groupBy: Type.Optional(
    Type.String({
      pattern: `^(${names})(,(${names}))*$`,
      description: `Of \`${usageGroups.join('`, `')}\`, separated by commas. Default: \`day\`. Meters are never summed together.`,
    }),
  ),
  kind: Type.Optional(MeterName),
}

const Row = {
  day: Nullable(Type.String({ description: 'In UTC.' })),
  environment: Nullable(Type.String({ description: 'Its key, or its ID after it was deleted.' })),
  key: Nullable(
    Type.Object({
      id: Id,
      label: Type.String(),
      prefix: Type.String({ description: 'Empty after the key was deleted.' }),
    }),
  ),
  application: Nullable(Type.String({ description: 'The `service` of the client; empty without one.' })),
  kind: MeterName,
  count: Count,
}

const reply = {
  from: Type.String({ description: 'The first day, in UTC.' }),
  to: Type.String({ description: 'The last day, in UTC.' }),
}

export const getUsage = call({
  method: 'GET',
  path: '/api/v1/projects/:project/usage',
  summary: 'Show what a project used: events, sessions, replays, profiles, bytes and flag evaluations.',
  permission: 'project.view',
  query: Strict(query),
  reply: Type.Object({ ...reply, rows: Type.Array(Type.Object(Row)) }),
  errors: ['query-too-large'],
})

export const exportUsage = call({
  method: 'GET',
  path: '/api/v1/projects/:project/usage/export',
  summary: 'Export what a project used as CSV.',
  permission: 'project.view',
  query: Strict(query),
  download: 'text/csv',
  reply: Type.String({ description: 'One line per group and meter, with a header.' }),
  errors: ['query-too-large'],
})

export const getInstallationUsage = call({
  method: 'GET',
  path: '/api/v1/usage',
  summary: 'Show what all projects used, by project.',
  permission: 'installation.manage',
  query: Strict(query),
  reply: Type.Object({ ...reply, rows: Type.Array(Type.Object({ project: Key, ...Row })) }),
  errors: ['query-too-large'],
})

export const exportInstallationUsage = call({
  method: 'GET',
  path: '/api/v1/usage/export',
  summary: 'Export what all projects used as CSV, by project.',
  permission: 'installation.manage',
  query: Strict(query),
  download: 'text/csv',
  reply: Type.String({ description: 'One line per project, group and meter, with a header.' }),
  errors: ['query-too-large'],
})

const Days = Nullable(
  Type.Number({ description: 'Null if the volume does not fill at this rate within ten years.' }),
)

export const getDiskForecast = call({
  method: 'GET',
  path: '/api/v1/installation/disk',
  summary: 'Forecast when each volume of the installation is full, from its growth of the last days.',
  permission: 'installation.manage',
  reply: Type.Object({
    telemetryBytes: Nullable(
      Type.Integer({ description: 'Null while the telemetry store does not respond.' }),
    ),
    postgresBytes: Count,
    volumes: Type.Array(
      Type.Object({
        holds: Type.Array(Type.Enum(['telemetry', 'postgres'])),
        freeBytes: Count,
        totalBytes: Count,
        nearlyFull: Type.Boolean(),
        days: Type.Integer({ description: 'Days with a measured size. The forecast needs three.' }),
        forecast: Nullable(
          Type.Object({
            bytesPerDay: Type.Object(
              { low: Type.Number(), likely: Type.Number(), high: Type.Number() },
              { description: 'The median of the last days, and its quartiles.' },
            ),
            daysLeft: Type.Object({ soonest: Days, likely: Days, latest: Days }),
          }),
        ),
      }),
      { description: 'External engines are not included, unless they report their disks.' },
    ),
    samples: Type.Array(
      Type.Object({ day: Type.String(), telemetryBytes: Nullable(Count), postgresBytes: Count }),
      { description: `The size at the end of each day, at most ${limits.diskSamplesUsed} days.` },
    ),
    measuredAt: Instant,
  }),
})

export const usageCalls = {
  getUsage,
  exportUsage,
  getInstallationUsage,
  exportInstallationUsage,
  getDiskForecast,
}
