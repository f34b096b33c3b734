// A plan as text for a terminal or a log.

import type { CodeChange } from '@telltale/core/contract/flags-as-code'

const nouns = {
  flags: 'flag',
  segments: 'segment',
  metrics: 'metric',
  rolloutTemplates: 'rollout template',
  alerts: 'alert',
  dashboards: 'dashboard',
}
const verbs = {
  create: 'create',
  change: 'change',
  restore: 'restore',
  remove: 'remove',
  forget: 'keep, although it is no longer in the folder (--prune removes it)',
}
const marks = { same: ' ', less: '-', more: '+' }

export interface DescribedChange {
  change: CodeChange
  /** The blast radius, if it was counted. */
  reach?: string | undefined
}

export function describePlan(changes: readonly DescribedChange[]): string {
  if (changes.length === 0) return 'No changes: the project is as the folder says.'
  return [...changes.map(describeChange), countChanges(changes.map(({ change }) => change))].join('\n\n')
}

function describeChange({ change, reach }: DescribedChange): string {
  const { kind, key, env, action, lines, approval, waiting } = change
  const verb = kind === 'flags' && action === 'remove' ? 'archive' : verbs[action]
  const head = `${nouns[kind]} ${key}${env === null ? '' : ` in ${env}`}: ${verb}`
  const rule =
    waiting !== null
      ? `  waits for approval in change request ${waiting.id}`
      : approval
        ? '  needs approval: a change request is opened'
        : undefined
  return [
    head,
    ...(rule === undefined ? [] : [rule]),
    ...lines.flatMap(({ kind, text }) => text.split('\n').map((line) => `  ${marks[kind]} ${line}`)),
    ...(reach === undefined ? [] : [`  ${reach}`]),
  ].join('\n')
}

function countChanges(changes: readonly CodeChange[]): string {
  const count = (isIt: (change: CodeChange) => boolean) => changes.filter(isIt).length
  const created = count(({ action }) => action === 'create')
  const changed = count(({ action }) => action === 'change' || action === 'restore')
  const removed = count(({ action }) => action === 'remove')
  const kept = count(({ action }) => action === 'forget')
  const requests = count(({ approval, waiting }) => approval && waiting === null)
  return [
    `${created} to create, ${changed} to change, ${removed} to remove.`,
    ...(kept === 0 ? [] : [`${kept} no longer in the folder, kept.`]),
    ...(requests === 0 ? [] : [`${requests} of them open change requests.`]),
  ].join(' ')
}
