import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Deploy, deploysQuery } from '../../api/deploys.ts'
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

/** A flag change or a deploy. */
export type FlagChangeMarker = FlagMarker &
  (
    | { readonly change: FlagChange; readonly deploy?: undefined }
    | { readonly deploy: Deploy; readonly change?: undefined }
  )

/** The pennants of a chart: flag changes and deploys. None while they load or when they fail: the chart is useful without them. */
export function useFlagMarkers(question: Question, flag?: string): readonly FlagChangeMarker[] {
  const changes = useQuery(flagChangesQuery(question, flag)).data
  const deploys = useQuery(deploysQuery(question)).data
  return useMemo(
    () =>
      [...(changes?.changes ?? []).map(markerOf), ...(deploys?.deploys ?? []).map(markerOfDeploy)].sort(
        (left, right) => left.at - right.at,
      ),
    [changes, deploys],
  )
}

/** `on at 25%`. */
export function stageText({ treatment, weight }: NonNullable<FlagChange['stage']>): string {
  return `${treatment} at ${percent(weight)}`
}

function markerOfDeploy(deploy: Deploy): FlagChangeMarker {
  const { version, at } = deploy
  return { at: Date.parse(at), label: `${version} deployed`, name: version, deploy }
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
