// The edited form of an experiment, and its faults.

import { limits } from '@telltale/core/limits'
import type { Experiment, ExperimentDraft } from '../../api/experiments.ts'
import { stepsOf } from '../../features/explore/behaviour-search.ts'
import { day } from '../../features/explore/window-words.ts'

export interface FormGoal {
  metric: string
  /** Shares; `NaN` while the input is invalid. */
  gain: number
  margin: number
  /** Milliseconds after the first exposure. */
  window?: number | undefined
  funnel?: { name: string; steps: string } | undefined
}

export interface ExperimentForm {
  name: string
  hypothesis: string
  /** Undefined: chosen by the server. */
  place: string | undefined
  control: string | undefined
  goals: readonly FormGoal[]
  days: string
  /** The share is of 100 000; `NaN` while the input is invalid. */
  layer: { key: string; share: number } | undefined
}

export const emptyForm: ExperimentForm = {
  name: '',
  hypothesis: '',
  place: undefined,
  control: undefined,
  goals: [],
  days: '',
  layer: undefined,
}

export function formOf({ name, hypothesis, place, control, goals, days, layer }: Experiment): ExperimentForm {
  return {
    name,
    hypothesis,
    place,
    control,
    goals: goals.map(({ window, funnel, metric, gain, margin }) => ({
      ...{ metric, gain, margin },
      ...(window !== null && { window }),
      ...(funnel !== null && { funnel }),
    })),
    days: days === null ? '' : String(days),
    layer: layer === null ? undefined : { key: layer.key, share: layer.share },
  }
}

export type FormFaults = Partial<Record<'name' | 'goals' | 'days' | 'layer', string>>

const isGain = (gain: number) => gain >= 0.001 && gain <= 10
const isMargin = (margin: number) => margin >= 0.001 && margin <= 0.5

export function readForm(form: ExperimentForm): { draft: ExperimentDraft; faults: FormFaults } {
  const days = readDays(form.days)
  const goalFault =
    form.goals.length === 0
      ? 'Add at least one goal.'
      : form.goals.some(({ gain }) => !isGain(gain))
        ? 'A gain is between 0.1% and 1,000%.'
        : form.goals.some(({ margin }) => !isMargin(margin))
          ? 'An accepted loss is between 0.1% and 50%.'
          : form.goals.some(({ funnel }) => funnel && stepsOf(funnel.steps).length < 2)
            ? 'A funnel needs at least two steps.'
            : form.goals.some(({ funnel }) => funnel?.name.trim() === '')
              ? 'Enter the name of the funnel.'
              : undefined
  const isLayer = form.layer === undefined || !Number.isNaN(form.layer.share)
  return {
    draft: {
      name: form.name.trim(),
      hypothesis: form.hypothesis.trim(),
      ...(form.place !== undefined && { place: form.place }),
      ...(form.control !== undefined && { control: form.control }),
      goals: form.goals.map(({ window, funnel, ...goal }) => ({
        ...goal,
        ...(window !== undefined && { window }),
        ...(funnel !== undefined && { funnel: { ...funnel, name: funnel.name.trim() } }),
      })),
      ...(days.value !== undefined && { days: days.value }),
      ...(form.layer !== undefined && isLayer && { layer: { ...form.layer } }),
    },
    faults: {
      ...(form.name.trim() === '' && { name: 'Enter a name.' }),
      ...(goalFault !== undefined && { goals: goalFault }),
      ...(days.fault !== undefined && { days: days.fault }),
      ...(!isLayer && { layer: 'A share is between 0.1% and 100%.' }),
    },
  }
}

/** The planned duration; empty without one. */
export function readDays(text: string): { value?: number; fault?: string } {
  if (text.trim() === '') return {}
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= 365
    ? { value }
    : { fault: 'Enter whole days, 365 at most.' }
}

/** With a free key, and the usual window. */
export function funnelGoal(goals: readonly FormGoal[]): FormGoal {
  const isTaken = (key: string) => goals.some(({ metric }) => metric === key)
  let number = 1
  while (isTaken(`funnel-${number}`)) number += 1
  return {
    metric: `funnel-${number}`,
    gain: 0.05,
    margin: 0.05,
    window: 7 * day,
    funnel: { name: 'Completed the funnel', steps: '' },
  }
}

export const mayAddGoal = (form: ExperimentForm) => form.goals.length < limits.experimentGoals

/** The part of a draft that a forecast depends on. */
export function plannedOf({ goals, control, place, layer }: ExperimentDraft) {
  return {
    goals,
    ...(layer && { layer }),
    ...(control !== undefined && { control }),
    ...(place !== undefined && { place }),
  }
}
