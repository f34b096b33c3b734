// What a digest says about one week of an environment.

import type { Digest, DigestChange } from '@telltale/core/contract/digests'
import { Problem } from '@telltale/core/errors'
import { emptyFilter } from '@telltale/core/query/filter'
import { findDeploys } from '../../monitoring/deploys/queries.ts'
import { askIn } from '../../monitoring/explore/open-question.ts'
import { listFlagChanges } from '../../monitoring/overview/list-flag-changes.ts'
import { compareReleases } from '../../monitoring/releases/compare-releases.ts'
import { findPrevious, findReleases } from '../../monitoring/releases/queries.ts'
import { findAlerts } from '../../notify/alerts/queries.ts'
import { findWaitingRollouts } from '../../notify/inbox/queries.ts'
import type { Services } from '../../platform/services.ts'
import { isBetter, isWorse, listFlagEffects } from './list-flag-effects.ts'
import { countWaiting, type EnvironmentRow, findEndedRollouts } from './queries.ts'

type DigestServices = Pick<Services, 'db' | 'telemetry'>

export interface DigestOf {
  projectId: string
  environment: EnvironmentRow
  /** The end of the week. */
  to: Date
}

const week = 7 * 86_400_000

export async function readDigest(services: DigestServices, requested: DigestOf): Promise<Digest> {
  const { db } = services
  const { projectId, environment, to } = requested
  const { id: environmentId, key: env } = environment
  const from = new Date(to.getTime() - week)
  const inWeek = { environmentId, from, to }
  const span = { from: from.getTime(), to: to.getTime() }
  const deploys = await findDeploys(db, { environmentId, version: undefined, ...span })
  const ended = await findEndedRollouts(db, inWeek)
  const query = { from: from.toISOString(), to: to.toISOString() }
  const { changes } = await listFlagChanges(db, environmentId, { query, now: to })
  const ofFlags = await listFlagEffects(db, { projectId, env, from })
  const ofRelease = await compareNewest(services, { environment, ...span })
  const effects = [...ofFlags, ...(ofRelease ?? [])]
  const alerts = await findAlerts(db, projectId)
  const held = await findWaitingRollouts(db, projectId)
  return {
    env,
    ...query,
    released: {
      deploys: deploys.map(({ version, at, author, commits }) => ({
        version,
        at: at.toISOString(),
        author,
        commits: commits.length,
      })),
      rollouts: ended.map(({ endedAt, ...rollout }) => ({
        ...rollout,
        endedAt: (endedAt ?? to).toISOString(),
      })),
      changes: changes.length,
    },
    worse: effects.filter(isWorse),
    better: effects.filter(isBetter),
    waiting: {
      alerts: alerts
        .filter(({ row, environment: of }) => row.state === 'firing' && of.id === environmentId)
        .map(({ row: { id, name } }) => ({ id, name })),
      rollouts: held.filter((one) => one.env === env).map(({ row, flag }) => ({ id: row.id, flag })),
      ...(await countWaiting(db, inWeek)),
    },
    isPartial: ofRelease === undefined,
  }
}

const metricNames: Readonly<Record<string, string>> = {
  'crashed-sessions': 'Sessions with a crash',
  'failed-requests': 'Failed requests',
  'views-with-error': 'Views with an error',
}

/** The newest version of the week with the one before. Undefined if the store does not answer. */
async function compareNewest(
  services: DigestServices,
  { environment, from, to }: { environment: EnvironmentRow; from: number; to: number },
): Promise<DigestChange[] | undefined> {
  try {
    const question = await askIn(services, environment, {
      from,
      to,
      filter: emptyFilter,
      isAboutIssues: false,
    })
    const sorted = { sort: 'first-seen' as const, search: undefined, after: undefined, count: 1 }
    const [newest] = await findReleases(question, sorted)
    if (newest === undefined || Number(newest.first) < from) return []
    const { version } = newest
    const base = await findPrevious(question, { version, first: Number(newest.first) })
    if (base === undefined) return []
    const { metrics } = await compareReleases(question, { version, base })
    return metrics.flatMap(({ metric, change }): DigestChange[] =>
      change === null
        ? []
        : [
            {
              of: 'release',
              name: version,
              variation: null,
              against: base,
              metric: metricNames[metric] ?? metric,
              scale: Object.hasOwn(metricNames, metric) ? 'points' : 'relative',
              lower: change.lower,
              upper: change.upper,
            },
          ],
    )
  } catch (error) {
    if (error instanceof Problem && ['engine-unavailable', 'query-too-large'].includes(error.code))
      return undefined
    throw error
  }
}
