// Faults that prevent saving, each at its part. Rules are identified by id, because they move.

import { isSame } from '@telltale/core/changes/same'
import { type ConditionFault, findMissing } from '../../../ui/conditions/condition-faults.ts'
import type { Draft, ServeDraft } from './draft.ts'
import { weightsFault } from './weights.ts'

export type DraftFault = ConditionFault

/** Validation possible without the server. */
export function findFaults(draft: Draft): DraftFault[] {
  return [
    ...draft.prerequisites.flatMap(({ flag, variation }, index): DraftFault[] => {
      if (flag === '') return [{ pointer: `/prerequisites/${index}/flag`, message: 'Choose a flag.' }]
      return variation === ''
        ? [{ pointer: `/prerequisites/${index}/variation`, message: 'Choose a variation.' }]
        : []
    }),
    ...draft.rules.flatMap(({ id, when, serve }) => [
      ...findMissing(when, `/rules/${id}/when`),
      ...serveFaults(serve, `/rules/${id}/serve`),
    ]),
    ...serveFaults(draft.fallthrough, '/fallthrough'),
  ]
}

function serveFaults(serve: ServeDraft, pointer: string): DraftFault[] {
  if ('variation' in serve) return []
  const message = weightsFault(serve.split)
  return [
    ...(message === undefined ? [] : [{ pointer: `${pointer}/split`, message }]),
    ...(serve.by === '' ? [{ pointer: `${pointer}/by`, message: 'Enter an attribute.' }] : []),
  ]
}

/** The server refers to rules by their index in the request; convert to ids. */
export function byRuleId(errors: readonly DraftFault[], sent: Draft): DraftFault[] {
  return errors.map(({ pointer, message }) => {
    const [, index, rest] = /^\/rules\/(\d+)(.*)$/.exec(pointer) ?? []
    const rule = index === undefined ? undefined : sent.rules[Number(index)]
    return { pointer: rule ? `/rules/${rule.id}${rest}` : pointer, message }
  })
}

/** Faults whose part is unchanged since the request: edited parts may be valid by now. */
export function stillTrue(faults: readonly DraftFault[], sent: Draft, now: Draft): DraftFault[] {
  return faults.filter(({ pointer }) => {
    const id = ruleIdOf(pointer)
    const part = (draft: Draft) =>
      id === undefined ? { ...draft, rules: [] } : draft.rules.find((rule) => rule.id === id)
    return isSame(part(sent), part(now))
  })
}

function ruleIdOf(pointer: string): string | undefined {
  return /^\/rules\/([^/]+)/.exec(pointer)?.[1]
}

export function faultsUnder(faults: readonly DraftFault[], pointer: string): DraftFault[] {
  return faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
}
