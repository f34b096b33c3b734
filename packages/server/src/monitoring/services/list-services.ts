import type { ReplyOf } from '@telltale/core/contract/call'
import type { listServices as listServicesCall } from '@telltale/core/contract/services'
import { limits } from '@telltale/core/limits'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { instantOfMicroseconds } from '../explore/span-time.ts'
import { findFlags, findServices } from './queries.ts'
import { toRate } from './rate.ts'

export async function listServices(question: Question): Promise<ReplyOf<typeof listServicesCall>> {
  const [rows, flags] = await Promise.all([findServices(question), findFlags(question)])
  const shown = rows.slice(0, limits.servicesPerEnvironment)
  return {
    ...periodOf(question),
    services: shown.map((row) => ({
      service: row.serviceName,
      versions: row.versions,
      language: row.language,
      ...toRate(question, row),
      spans: Number(row.spans),
      lastSeenAt: instantOfMicroseconds(row.latest),
      flags: flags.get(row.serviceName) ?? [],
    })),
    more: rows.length > shown.length,
  }
}
