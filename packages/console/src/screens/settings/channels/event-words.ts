import type { NoticeEvent } from '@telltale/core/notices/notice'

/** Notification events with their labels, by topic. */
export const eventGroups: readonly {
  label: string
  isForWebhooks?: boolean
  events: readonly (readonly [event: NoticeEvent, label: string])[]
}[] = [
  {
    label: 'Flags',
    events: [
      ['flag.configured', 'Targeting changed'],
      ['flag.created', 'Created'],
      ['flag.updated', 'Name, variations or tags changed'],
      ['flag.overridden', 'Override set or removed'],
      ['flag.archived', 'Archived'],
      ['flag.restored', 'Restored'],
      ['flag.deleted', 'Deleted'],
      ['segment.changed', 'Segment changed'],
      ['change-request.opened', 'Change waiting for approval'],
      ['change-request.decided', 'Change approved or declined'],
      ['scheduled-change.failed', 'Scheduled change failed'],
    ],
  },
  {
    label: 'Rollouts',
    events: [
      ['guard.decided', 'Any guard decision'],
      ['rollout.started', 'Started'],
      ['rollout.advanced', 'Next stage'],
      ['rollout.held', 'On hold'],
      ['rollout.regressed', 'Metric regressed'],
      ['rollout.rolled-back', 'Rolled back'],
      ['rollout.completed', 'Completed'],
      ['rollout.cancelled', 'Cancelled'],
      ['rollout.paused', 'Paused'],
      ['rollout.resumed', 'Resumed'],
      ['rollout.restarted', 'Evidence restarted'],
      ['rollout.narrowed', 'Slice excluded'],
      ['rollout.slice-restored', 'Slice let back'],
    ],
  },
  {
    label: 'Experiments',
    events: [
      ['experiment.interrupted', 'No longer gets users'],
      ['experiment.resumed', 'Gets users again'],
    ],
  },
  {
    label: 'Errors and alerts',
    events: [
      ['issue.new', 'New issue'],
      ['issue.regressed', 'Issue regressed'],
      ['alert.fired', 'Any alert firing'],
      ['alert.recovered', 'Any alert recovered'],
      ['alert.no-data', 'Any alert without data'],
    ],
  },
  {
    label: 'Project',
    events: [
      ['comment.created', 'New comment'],
      ['digest.sent', 'Weekly digest'],
      ['environment.changed', 'Environments'],
      ['key.changed', 'SDK keys'],
      ['member.changed', 'Members and roles'],
      ['quota.near', 'Quota at 80%'],
      ['quota.exceeded', 'Quota used up'],
      ['spike.started', 'Spike of events'],
      ['spike.ended', 'Spike over'],
      ['channel.disabled', 'Channel turned off after failures'],
    ],
  },
  { label: 'Audit log', isForWebhooks: true, events: [['audit.recorded', 'Every entry, in batches']] },
]
