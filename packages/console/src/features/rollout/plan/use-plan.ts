import { useQuery } from '@tanstack/react-query'
import { forecastOf } from '@telltale/core/guard/forecast-proposal'
import { useState } from 'react'
import type { ConfigRef, SavedConfig } from '../../../api/flag-configs.ts'
import type { Metric } from '../../../api/metrics.ts'
import { rolloutProposalQuery } from '../../../api/rollouts.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { placesOf, poolAt } from './place-choices.ts'
import { type PlanForm, planOf } from './plan-form.ts'

interface Planning {
  at: ConfigRef
  config: SavedConfig
  metrics: readonly Metric[]
  start: PlanForm
}

/** The form and its derived state: the proposal is requested from the server, the forecast is computed here. */
export function usePlan({ at, config, metrics, start }: Planning) {
  const [form, setForm] = useState(start)
  const places = placesOf(config)
  const place = places.find((one) => one.place === form.place)
  const pool = poolAt(place, form)
  const what = { place: form.place, treatment: form.treatment, control: form.control, by: form.by.trim() }
  const requested = useSettled(what, JSON.stringify(what))
  const isWhole = requested.treatment !== '' && requested.control !== '' && requested.by !== ''
  const proposal = useQuery(rolloutProposalQuery(at, isWhole ? requested : undefined))
  const plan = planOf(form, proposal.data, { pool, metrics })
  const isOld = proposal.isPlaceholderData || requested !== what
  return {
    at,
    form,
    setForm,
    places,
    place,
    pool,
    proposal,
    plan,
    forecast: forecastOf(proposal.data, plan),
    /** These numbers belong to the previous choice. */
    isOld: isOld && proposal.isFetching,
    isEdited: form.stages !== undefined || form.metrics !== undefined || form.timeBox !== undefined,
  }
}

export type Planned = ReturnType<typeof usePlan>
