import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { Download } from '../../platform/http/download.ts'
import type { Services } from '../../platform/services.ts'
import { readUsage, type UsageQuery, type UsageReply } from './read-usage.ts'
import { showDiskForecast } from './show-disk-forecast.ts'
import { usageCsv } from './usage-csv.ts'

export const usageRoutes: Handlers<Calls['usage'], Services> = {
  getUsage: async ({ db, clock }, { project, query }) =>
    readUsage(db, { query, now: clock(), projectId: project.row.id }),
  exportUsage: async ({ db, clock }, { project, query }) =>
    toFile(await readUsage(db, { query, now: clock(), projectId: project.row.id }), query, false),
  getInstallationUsage: async ({ db, clock }, { query }) => readUsage(db, { query, now: clock() }),
  exportInstallationUsage: async ({ db, clock }, { query }) =>
    toFile(await readUsage(db, { query, now: clock() }), query, true),
  getDiskForecast: (services) => showDiskForecast(services),
}

const toFile = (usage: UsageReply, query: UsageQuery, hasProject: boolean) =>
  new Download('text/csv; charset=utf-8', Buffer.from(usageCsv(usage, query, hasProject)))
