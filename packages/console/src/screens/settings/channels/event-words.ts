import type { NoticeEvent } from '@telltale/core/notices/notice'

/** What can be told, in the words of the screen, by what it is about. */
export const eventGroups: readonly {
  label: string
  events: readonly (readonly [event: NoticeEvent, label: string])[]
}[] = [
  {
    label: 'Flags',
    events: [
      ['flag.configured', 'What a flag does is changed'],
      ['flag.created', 'Created'],
      ['flag.updated', 'Name, variations or tags changed'],
      ['flag.overridden', 'An override is set or removed'],
      ['flag.archived', 'Archived'],
      ['flag.restored', 'Restored'],
      ['flag.deleted', 'Deleted'],
      ['segment.changed', 'A segment is changed'],
      ['change-request.opened', 'A change waits for approval'],
      ['change-request.decided', 'A change is approved or declined'],
      ['scheduled-change.failed', 'A scheduled change fails'],
    ],
  },
  {
    label: 'Rollouts',
    events: [
      ['guard.decided', 'Everything the guard decides'],
      ['rollout.started', 'Started'],
      ['rollout.advanced', 'Next stage'],
      ['rollout.held', 'Held'],
      ['rollout.regressed', 'A metric regressed'],
      ['rollout.rolled-back', 'Rolled back'],
      ['rollout.completed', 'Completed'],
      ['rollout.cancelled', 'Cancelled'],
      ['rollout.paused', 'Paused'],
      ['rollout.resumed', 'Goes on'],
      ['rollout.restarted', 'Evidence begins anew'],
    ],
  },
  {
    label: 'Errors and alerts',
    events: [
      ['issue.new', 'A new error issue'],
      ['issue.regressed', 'An error issue is back again'],
      ['alert.fired', 'Any alert fires'],
      ['alert.recovered', 'Any alert is back to normal'],
      ['alert.no-data', 'Any alert has no data'],
    ],
  },
  {
    label: 'Project',
    events: [
      ['environment.changed', 'Environments'],
      ['key.changed', 'SDK keys'],
      ['member.changed', 'Members and roles'],
      ['channel.disabled', 'A channel is turned off because it fails'],
    ],
  },
]
