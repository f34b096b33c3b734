import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FlagChange, flagChangesQuery } from '../../api/flag-changes.ts'
import type { Question } from '../../api/question.ts'
import type { FlagMarker } from '../../charts/time-chart.tsx'
import { percent } from '../rollout/rollout-words.ts'

const words = {
  'turned-on': 'on',
  'turned-off': 'off',
  changed: 'changed',
  'rolled-back': 'rolled back',
  stage: 'stage',
  passed: 'passed',
} satisfies Record<FlagChange['kind'], string>

export type FlagChangeMarker = FlagMarker & { readonly change: FlagChange }

/** The pennants of a chart. None while they load or when they fail: the chart is useful without them. */
export function useFlagMarkers(question: Question, flag?: string): readonly FlagChangeMarker[] {
  const { data } = useQuery(flagChangesQuery(question, flag))
  return useMemo(() => (data?.changes ?? []).map(markerOf), [data])
}

/** `on at 25%`. */
export function stageText({ treatment, weight }: NonNullable<FlagChange['stage']>): string {
  return `${treatment} at ${percent(weight)}`
}

function markerOf(change: FlagChange): FlagChangeMarker {
  return {
    at: Date.parse(change.at),
    label: `${change.flag} ${change.stage ? stageText(change.stage) : words[change.kind]}`,
    name: change.flag,
    isRollback: change.kind === 'rolled-back',
    change,
  }
}
