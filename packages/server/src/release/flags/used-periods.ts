import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type EvaluatedPeriod, findEvaluatedPeriods } from './evaluation-queries.ts'
import { type FlagRow, findPrerequisites, type PrerequisiteUse } from './queries.ts'

/** When flags were evaluated, directly or as a prerequisite of another flag, by environment. */
export async function findUsedPeriods(
  db: Queryable,
  projectId: string,
  rows: readonly Pick<FlagRow, 'id' | 'key'>[],
): Promise<EvaluatedPeriod[]> {
  const uses = await findPrerequisites(db, projectId)
  if (uses.length === 0) return findEvaluatedPeriods(db, idsOf(rows))

  const periods = await findEvaluatedPeriods(db, idsOf([...rows, ...uses]))
  const environmentIds = new Set(periods.map(({ environmentId }) => environmentId))
  return [...environmentIds].flatMap((environmentId) => {
    const here = new Map(
      periods.filter((each) => each.environmentId === environmentId).map((each) => [each.flagId, each]),
    )
    const usesHere = uses.filter((use) => use.environmentId === environmentId)
    return rows.flatMap((row) => {
      const users = [row, ...findUsers(usesHere, row.key)]
      const known = users.flatMap(({ id }) => here.get(id) ?? [])
      return known.length === 0 ? [] : [{ ...spanOf(known), flagId: row.id, environmentId }]
    })
  })
}

/** The flags that depend on this one, directly or indirectly. */
function findUsers(uses: readonly PrerequisiteUse[], key: string): PrerequisiteUse[] {
  const found = new Map<string, PrerequisiteUse>()
  const open = [key]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const use of uses) {
      if (found.has(use.key) || !use.prerequisites.some(({ flag }) => flag === next)) continue
      found.set(use.key, use)
      open.push(use.key)
    }
  }
  return [...found.values()]
}

function spanOf(periods: readonly EvaluatedPeriod[]): { firstAt: Date; lastAt: Date } {
  return {
    firstAt: new Date(Math.min(...periods.map(({ firstAt }) => firstAt.getTime()))),
    lastAt: new Date(Math.max(...periods.map(({ lastAt }) => lastAt.getTime()))),
  }
}

function idsOf(flags: readonly { id: string }[]): string[] {
  return [...new Set(flags.map(({ id }) => id))]
}
