// The variations that evaluations report, with the arm where a split of ours assigned it: derived as for the values that
// clients of other vendors report, from the flag's configuration at that time.

import type { FlagRead } from '@telltale/core/contract/events'
import { deriveArm } from '@telltale/core/evaluation/derive-arm'
import { limits } from '@telltale/core/limits'
import { cutText } from '@telltale/core/telemetry/clean-text'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { createFlagHistories, type FlagHistory, type KnownFlag } from '../foreign-flags/flag-histories.ts'
import { keepValue, showValue } from '../foreign-flags/label-value.ts'
import { findOverridesOf } from '../foreign-flags/load-flag-pasts.ts'
import type { FoundEvaluation, OtlpParts } from './otlp-request.ts'

export interface FoundRead {
  found: FoundEvaluation
  read: FlagRead
  /** The targeting key: of the evaluation, or else the user of the span. */
  subject: string
}

export interface ReadFinder {
  find(environment: KnownEnvironment, evaluations: readonly FoundEvaluation[]): Promise<FoundRead[]>
  stop(): void
}

const flagOf = ({ evaluation }: FoundEvaluation) =>
  cutText(evaluation.flag.replaceAll('=', '_'), limits.keyLength)

const subjectOf = ({ evaluation, userKey }: FoundEvaluation) =>
  cutText(evaluation.contextId === '' ? userKey : evaluation.contextId, limits.targetingKeyLength)

export function createReadFinder(parts: OtlpParts): ReadFinder {
  const { db, intake } = parts
  const histories = createFlagHistories(parts)

  return {
    async find(environment, evaluations) {
      if (evaluations.length === 0) return []
      const history = await histories.open(environment, new Set(evaluations.map(flagOf)))
      const overrides = await readOverrides(db, { environment, history, evaluations })
      return evaluations.map((found) => {
        const [flag, subject] = [flagOf(found), subjectOf(found)]
        const known = history.find(flag)
        const variations = variationsOf(found, known)
        const variation = intake.boundName(environment.id, 'flag', variations[0] ?? shownOf(found))
        const read: FlagRead = { flag, variation }
        const isOverridden = known !== undefined && overrides.get(subject)?.has(known.id) === true
        if (known === undefined || variations.length === 0 || isOverridden) return { found, read, subject }
        const context = subject === '' ? {} : { targetingKey: subject }
        const derived = deriveArm({ ruleSet: known.ruleSetAt(found.at), flag, context, variations })
        return { found, subject, read: 'arm' in derived ? { flag, ...derived.arm } : read }
      })
    },
    stop: histories.stop,
  }
}

/** The variations of ours that the evaluation can mean. */
function variationsOf({ evaluation }: FoundEvaluation, known: KnownFlag | undefined): readonly string[] {
  if (known === undefined) return []
  if (evaluation.variant !== '') return [cutText(evaluation.variant, limits.keyLength)]
  const kept = keepValue(evaluation.value)
  return (kept === undefined ? undefined : known.byValue.get(kept)) ?? []
}

/** Of a flag of another provider, or of a value that matches no variation. */
function shownOf({ evaluation: { variant, value } }: FoundEvaluation): string {
  if (variant !== '') return cutText(variant, limits.keyLength)
  const kept = keepValue(value)
  return kept === undefined ? '' : showValue(kept)
}

async function readOverrides(
  db: OtlpParts['db'],
  {
    environment,
    history,
    evaluations,
  }: { environment: KnownEnvironment; history: FlagHistory; evaluations: readonly FoundEvaluation[] },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const flags = new Set(evaluations.map((found) => history.find(flagOf(found))))
  const flagIds = [...flags].flatMap((known) => (known?.hasOverrides === true ? known.id : []))
  const subjects = [...new Set(evaluations.map(subjectOf))].filter((subject) => subject !== '')
  if (flagIds.length === 0 || subjects.length === 0) return new Map()
  return findOverridesOf(db, { environmentId: environment.id, flagIds }, subjects)
}
