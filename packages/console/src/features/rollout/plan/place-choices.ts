// The places of a configuration where a variation can be rolled out, and its possible controls.

import { poolOf } from '@telltale/core/evaluation/stage-weights'
import { limits } from '@telltale/core/limits'
import type { SavedConfig } from '../../../api/flag-configs.ts'

type Serve = SavedConfig['fallthrough']

interface Arm {
  variation: string
  weight: number
}

export interface PlaceChoice {
  /** The id of a rule, or `fallthrough`. */
  place: string
  name: string
  arms: readonly Arm[]
  /** The unit of the split; undefined where all users get the same. */
  by: string | undefined
}

export function placesOf({ rules, fallthrough }: SavedConfig): PlaceChoice[] {
  const everyone = rules.length > 0 ? 'Everyone else' : 'Everyone'
  return [
    ...rules.map(({ id, description, serve }, index) =>
      choiceOf(id, description === '' ? `Rule ${index + 1}` : `Rule ${index + 1}: ${description}`, serve),
    ),
    choiceOf('fallthrough', everyone, fallthrough),
  ]
}

function choiceOf(place: string, name: string, serve: Serve): PlaceChoice {
  return 'split' in serve
    ? { place, name, arms: serve.split.arms, by: serve.split.by }
    : { place, name, arms: [{ ...serve, weight: limits.weightTotal }], by: undefined }
}

/** The variation most users get there. */
export function mainControl({ arms }: PlaceChoice, treatment?: string): string {
  const others = arms.filter(({ variation }) => variation !== treatment)
  return others.toSorted((a, b) => b.weight - a.weight)[0]?.variation ?? ''
}

/** Possible treatments: all variations but the one that every user has. */
export function treatmentsAt<One extends { key: string }>(
  { arms }: PlaceChoice,
  variations: readonly One[],
): One[] {
  const served = arms.filter(({ weight }) => weight > 0)
  const only = served.length === 1 ? served[0]?.variation : undefined
  return variations.filter(({ key }) => key !== only)
}

/** With the other choices applied; falls back to the first possible one. */
export function choicesAt(
  place: PlaceChoice,
  variations: readonly { key: string }[],
  wanted: { treatment?: string | undefined; by?: string | undefined },
) {
  const possible = treatmentsAt(place, variations)
  const least = mainControl(place)
  const treatment =
    possible.find(({ key }) => key === wanted.treatment)?.key ??
    possible.find(({ key }) => key !== least)?.key ??
    ''
  return {
    place: place.place,
    treatment,
    control: mainControl(place, treatment),
    by: place.by ?? wanted.by ?? 'targetingKey',
  }
}

export function poolAt(place: PlaceChoice | undefined, form: { control: string; treatment: string }): number {
  return poolOf(place?.arms ?? [], form)
}

export function weightAt(place: PlaceChoice | undefined, variation: string): number {
  return place?.arms.find((arm) => arm.variation === variation)?.weight ?? 0
}
