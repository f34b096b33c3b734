// What stands in the way of saving, each at the part that it is about. Rules are named by id: they move.

import { isSame } from '@telltale/core/changes/same'
import { type ConditionFault, findMissing } from '../../../ui/conditions/condition-faults.ts'
import type { Draft, ServeDraft } from './draft.ts'
import { weightsFault } from './weights.ts'

export type DraftFault = ConditionFault

/** What can be told without the server. */
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

/** The server counts rules as they were sent; from here on they are known by their ids. */
export function byRuleId(errors: readonly DraftFault[], sent: Draft): DraftFault[] {
  return errors.map(({ pointer, message }) => {
    const [, index, rest] = /^\/rules\/(\d+)(.*)$/.exec(pointer) ?? []
    const rule = index === undefined ? undefined : sent.rules[Number(index)]
    return { pointer: rule ? `/rules/${rule.id}${rest}` : pointer, message }
  })
}

/** Those whose part is still as it was sent: what was changed since may be right by now. */
export function stillTrue(faults: readonly DraftFault[], sent: Draft, now: Draft): DraftFault[] {
  return faults.filter(({ pointer }) => {
    const id = ruleIdOf(pointer)
    const part = (draft: Draft) =>
      id === undefined ? { ...draft, rules: [] } : draft.rules.find((rule) => rule.id === id)
    return isSame(part(sent), part(now))
  })
}

export function ruleIdOf(pointer: string): string | undefined {
  return /^\/rules\/([^/]+)/.exec(pointer)?.[1]
}

export function faultsUnder(faults: readonly DraftFault[], pointer: string): DraftFault[] {
  return faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
}
