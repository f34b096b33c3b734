// Words about a flag, shared by all screens.

import type { Lifecycle, ValueType } from '../../api/flags.ts'

export const typeNames: Record<ValueType, string> = {
  boolean: 'Boolean',
  string: 'Text',
  number: 'Number',
  json: 'JSON',
}

/** `Boolean`, `3 variations` of text, `JSON`: the most informative label for the flag's type. */
export function typeText({
  valueType,
  variations,
}: {
  valueType: ValueType
  variations: readonly unknown[]
}) {
  return valueType === 'boolean' ? typeNames.boolean : `${typeNames[valueType]}, ${variations.length}`
}

export const lifecycleNames: Record<Lifecycle['state'], string> = {
  new: 'New',
  live: 'Live',
  'rolled-out': 'Rolled out',
  stale: 'Ready to remove',
  archived: 'Archived',
}

const day = 86_400_000

/** The state with its reason: `Same for everyone, 94 days`. */
export function lifecycleText({ state, because, since }: Lifecycle, now: number): string {
  const span = now - Date.parse(since)
  if (state === 'archived' || state === 'live' || (state === 'new' && span < day))
    return lifecycleNames[state]
  const days = daysText(span)
  if (because === 'one-variation') return `Same for everyone, ${days}`
  if (because === 'not-evaluated') return `Not evaluated, ${days}`
  return `Never evaluated, ${days}`
}

/** The full explanation. */
export function lifecycleProof(lifecycle: Lifecycle, envName: string | undefined): string {
  const { state, because, variation } = lifecycle
  const there = envName === undefined ? '' : ` in ${envName}`
  const next =
    state === 'stale'
      ? ' Remove it from your code, then delete the flag.'
      : state === 'rolled-out'
        ? ' A temporary flag is ready to remove after 30 days in this state.'
        : ''
  switch (because) {
    case 'archived':
      return 'Not served. It can be restored.'
    case 'never-evaluated':
      return `Not evaluated yet.${next}`
    case 'not-evaluated':
      return `No longer evaluated.${next}`
    case 'one-variation':
      return `Everyone gets ${variation ?? 'the same'}${there}.${next}`
    case 'evaluated':
      return `Evaluated by applications${there}.`
  }
}

function daysText(span: number): string {
  const days = Math.max(0, Math.floor(span / day))
  return days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
}

/** `25% one-page`, `100% on`, `20% bm25, 30% hybrid`: without the first variation if the others imply it. */
export function servesText(
  serves: readonly { variation: string; weight: number }[],
  variations: readonly { key: string }[],
): string {
  const [only] = serves.filter(({ weight }) => weight > 0)
  const served = serves.filter(({ weight }) => weight > 0)
  if (served.length <= 1) return only ? `100% ${only.variation}` : 'nothing'
  const first = variations[0]?.key
  const reported = served.length === 2 ? served.filter(({ variation }) => variation !== first) : served
  return reported.map(({ variation, weight }) => `${shareText(weight)}% ${variation}`).join(', ')
}

function shareText(weight: number): string {
  return String(Number((weight / 1_000).toFixed(3)))
}

const second = 1_000

/** `9,999`, then `96.4k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 10 * second) return count.toLocaleString('en-GB')
  if (count < second * second) return `${(count / second).toFixed(1)}k`
  return `${(count / second / second).toFixed(1)}M`
}
