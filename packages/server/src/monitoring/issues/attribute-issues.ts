// Which share of an issue's failures is owed to the variations of splits: the same figures for the issue, a session, a
// user and a support desk, whatever time range they show. Failures of the last days count, so that a bound holds at any
// time and does not depend on a chosen period.

import { attributed } from '@telltale/core/attribution-limits'
import type { Attribution } from '@telltale/core/contract/attributions'
import {
  type AttributedFailures,
  attributeFailures,
  shareInWords,
  stagesOf,
} from '@telltale/core/guard/attribute-failures'
import { emptyFilter } from '@telltale/core/query/filter'
import { isSplitWrong, type StageEvents } from '@telltale/core/statistics/event-share'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Question } from '../explore/question.ts'
import { countExposedUnits, countFailedUnits, countSearchedIssues, firstFailures } from './failed-units.ts'
import type { GroupedIssue } from './seen-errors.ts'
import { type FailedRun, findRuns } from './split-runs.ts'

/** The question about the days in which failures are compared, without its filter. */
export function askAboutFailures(question: Question, now: Date): Question {
  return question.with({ from: now.getTime() - attributed.span, to: now.getTime() + 1, filter: emptyFilter })
}

/** By the id of the issue, strongest first; only shares that are surely above zero. */
export async function attributeIssues(
  db: Queryable,
  { question: given, now }: { question: Question; now: Date },
  issues: readonly GroupedIssue[],
): Promise<Map<string, Attribution[]>> {
  const failed = await countFailedUnits(askAboutFailures(given, now), issues)
  const runs = await findRuns(db, given.environmentId, [...new Set(failed.map(({ split }) => split))])
  if (runs.length === 0) return new Map()
  const searched = await countSearchedIssues(askAboutFailures(given, now))
  const found = issues.map(({ id }, index) => {
    const ownPaths = failed.filter(({ place }) => place === index + 1)
    const ownRuns = runs.map((run): FailedRun => {
      const paths = ownPaths.filter(({ split }) => split === run.split)
      return { ...run, epochs: firstFailures(paths, run.epochs) }
    })
    return { id, found: attributeFailures(ownRuns, searched).found }
  })
  const shown = new Map<string, Attribution[]>()
  // Sequentially, to spare the shared engine: nearly always none or one.
  for (const one of found) {
    const checked: Attribution[] = []
    for (const attribution of one.found) {
      const exposed = await readExposed(askAboutFailures(given, now), attribution)
      if (exposed !== undefined) checked.push(toAttribution(attribution, exposed))
    }
    shown.set(one.id, checked)
  }
  return shown
}

interface Exposed {
  with: number
  otherwise: number
}

/** Undefined if the arms do not have their designed sizes, or if that cannot be checked: then nothing is shown. */
async function readExposed(
  question: Question,
  { run, variation, units, otherUnits }: AttributedFailures<FailedRun>,
): Promise<Exposed | undefined> {
  const [first, last] = [run.epochs[0], run.epochs.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const counts = await countExposedUnits(question, {
    split: run.split,
    first: first.epoch,
    last: last.epoch,
  })
  const epochs = run.epochs.map((epoch) => ({
    ...epoch,
    failed: counts.get(epoch.epoch) ?? new Map<string, number>(),
  }))
  const stages = stagesOf({ epochs }, variation)
  const exposed = { with: sum(stages, 'treatment'), otherwise: sum(stages, 'control') }
  const isKnown = exposed.with + exposed.otherwise >= units + otherUnits
  return isKnown && !isSplitWrong(stages) ? exposed : undefined
}

const sum = (stages: readonly StageEvents[], arm: 'treatment' | 'control') =>
  stages.reduce((all, stage) => all + stage[arm], 0)

function toAttribution(found: AttributedFailures<FailedRun>, exposed: Exposed): Attribution {
  const { run, variation, atLeast, estimate, units, otherUnits } = found
  const { flag, split, rollout, startedAt, endedAt, epochs } = run
  return {
    flag,
    variation,
    split,
    epochs: { first: epochs[0]?.epoch ?? 0, last: epochs.at(-1)?.epoch ?? 0 },
    rollout,
    from: startedAt.toISOString(),
    to: endedAt?.toISOString() ?? null,
    atLeast,
    estimate,
    affected: { with: units, otherwise: otherUnits },
    exposed,
    text: `At least ${shareInWords(atLeast)} of these failures come from \`${flag} = ${variation}\`.`,
  }
}
