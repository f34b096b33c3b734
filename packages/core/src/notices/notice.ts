// What is sent to a channel: which changes are events, and how each is expressed as a line of text, a link and a
// body.

/** The events a channel can subscribe to, in the order of the menu. */
export const noticeEvents = [
  'flag.created',
  'flag.updated',
  'flag.configured',
  'flag.overridden',
  'flag.archived',
  'flag.restored',
  'flag.deleted',
  'segment.changed',
  'change-request.opened',
  'change-request.decided',
  'scheduled-change.failed',
  'rollout.started',
  'rollout.advanced',
  'rollout.held',
  'rollout.paused',
  'rollout.resumed',
  'rollout.regressed',
  'rollout.rolled-back',
  'rollout.completed',
  'rollout.cancelled',
  'rollout.restarted',
  'rollout.narrowed',
  'rollout.slice-restored',
  'experiment.interrupted',
  'experiment.resumed',
  'guard.decided',
  'issue.new',
  'issue.regressed',
  'comment.created',
  'alert.fired',
  'alert.recovered',
  'alert.no-data',
  'digest.sent',
  'quota.near',
  'quota.exceeded',
  'spike.started',
  'spike.ended',
  'channel.disabled',
  'environment.changed',
  'key.changed',
  'member.changed',
  'audit.recorded',
] as const

/** Streams the audit log, to webhooks alone. No single change is this event. */
export const auditEvent = 'audit.recorded' satisfies NoticeEvent

/** `guard.decided` is not a separate event: it covers every decision about a rollout that was made automatically. */
export type NoticeEvent = (typeof noticeEvents)[number]
/** Sent only to the channel or alert that is being tested. */
type TestEvent = 'channel.tested' | 'alert.tested'

interface NoticeActor {
  kind: string
  id: string | null
  name: string
}

interface NoticeChange {
  pointer: string
  before?: unknown
  after?: unknown
}

export interface Notice {
  /** The same for every delivery attempt, so that receivers can detect duplicates. */
  id: string
  event: NoticeEvent | TestEvent
  at: string
  project: string
  environment: string | null
  actor: NoticeActor
  entity: { kind: string; id: string; name: string }
  summary: string
  /** Its page in the console. */
  path: string
  reason: string | null
  /** Several lines, such as those of a digest. */
  text?: string
  changes: readonly NoticeChange[]
  /** The changes were too long to send. */
  changesOmitted: boolean
  /** Further data, such as the value of an alert. */
  data: Readonly<Record<string, unknown>>
}

const events: Readonly<Record<string, NoticeEvent>> = {
  'flag.create': 'flag.created',
  'flag.update': 'flag.updated',
  'flag-config.save': 'flag.configured',
  'override.put': 'flag.overridden',
  'override.delete': 'flag.overridden',
  'override.import': 'flag.overridden',
  'flag.archive': 'flag.archived',
  'flag.restore': 'flag.restored',
  'flag.delete': 'flag.deleted',
  'segment.create': 'segment.changed',
  'segment.update': 'segment.changed',
  'segment.delete': 'segment.changed',
  'change-request.open': 'change-request.opened',
  'change-request.approve': 'change-request.decided',
  'change-request.decline': 'change-request.decided',
  'scheduled-change.fail': 'scheduled-change.failed',
  'rollout.start': 'rollout.started',
  'rollout.advance': 'rollout.advanced',
  'rollout.hold': 'rollout.held',
  'rollout.pause': 'rollout.paused',
  'rollout.resume': 'rollout.resumed',
  'rollout.go-on': 'rollout.resumed',
  'rollout.notify': 'rollout.regressed',
  'rollout.roll-back': 'rollout.rolled-back',
  'rollout.complete': 'rollout.completed',
  'rollout.cancel': 'rollout.cancelled',
  'rollout.begin-anew': 'rollout.restarted',
  'rollout.narrow': 'rollout.narrowed',
  'rollout.restore': 'rollout.slice-restored',
  'experiment.interrupt': 'experiment.interrupted',
  'experiment.resume': 'experiment.resumed',
  'issue.note': 'issue.new',
  'issue.regress': 'issue.regressed',
  'comment.create': 'comment.created',
  'alert.fire': 'alert.fired',
  'alert.recover': 'alert.recovered',
  'alert.lose-data': 'alert.no-data',
  'digest.send': 'digest.sent',
  'quota.approach': 'quota.near',
  'quota.exceed': 'quota.exceeded',
  'spike.start': 'spike.started',
  'spike.end': 'spike.ended',
  'channel.disable': 'channel.disabled',
  'environment.create': 'environment.changed',
  'environment.update': 'environment.changed',
  'environment.delete': 'environment.changed',
  'key.create': 'key.changed',
  'key.rotate': 'key.changed',
  'key.revoke': 'key.changed',
  'member.create': 'member.changed',
  'member.update': 'member.changed',
  'member.delete': 'member.changed',
}

/** The event that subscribers get for an audit action; undefined if the action has no event. */
export function eventOf(action: string): NoticeEvent | undefined {
  return Object.hasOwn(events, action) ? events[action] : undefined
}

/** Every event name whose subscribers get it. */
export function namesOf({
  event,
  actor,
}: Pick<Notice, 'event' | 'actor'>): readonly (NoticeEvent | TestEvent)[] {
  const isOfGuard = actor.kind === 'guard' && event.startsWith('rollout.')
  return isOfGuard ? [event, 'guard.decided'] : [event]
}

type NoticeFacts = Pick<Notice, 'event' | 'actor' | 'entity' | 'project' | 'environment'>

const sentences: Readonly<Record<NoticeEvent, string>> = {
  'flag.created': '{actor} created the flag {name}',
  'flag.updated': '{actor} changed the flag {name}',
  'flag.configured': '{actor} changed the configuration of {name}',
  'flag.overridden': '{actor} changed an override of {name}',
  'flag.archived': '{actor} archived {name}',
  'flag.restored': '{actor} restored {name}',
  'flag.deleted': '{actor} deleted the flag {name}',
  'segment.changed': '{actor} changed the segment {name}',
  'change-request.opened': '{actor} requested approval for a change of {name}',
  'change-request.decided': '{actor} reviewed a change request for {name}',
  'scheduled-change.failed': 'A scheduled change of {name} failed',
  'rollout.started': '{actor} started the rollout of {name}',
  'rollout.advanced': '{actor} advanced the rollout of {name}',
  'rollout.held': '{actor} put the rollout of {name} on hold',
  'rollout.paused': '{actor} paused the rollout of {name}',
  'rollout.resumed': '{actor} resumed the rollout of {name}',
  'rollout.regressed': 'A metric of the rollout of {name} regressed',
  'rollout.rolled-back': '{actor} rolled back {name}',
  'rollout.completed': 'The rollout of {name} is complete',
  'rollout.cancelled': '{actor} cancelled the rollout of {name}',
  'rollout.restarted': '{actor} restarted the evidence of the rollout of {name}',
  'rollout.narrowed': '{actor} excluded a slice of users from the rollout of {name}',
  'rollout.slice-restored': '{actor} let a slice of users back into the rollout of {name}',
  'experiment.interrupted': 'The experiment {name} no longer gets users',
  'experiment.resumed': 'The experiment {name} gets users again',
  'guard.decided': 'The guard made a decision about {name}',
  'issue.new': 'New error: {name}',
  'issue.regressed': 'Regressed: {name}',
  'comment.created': '{actor} commented on {name}',
  'alert.fired': '{name} is firing',
  'alert.recovered': '{name} is back to normal',
  'alert.no-data': '{name} has no data',
  'digest.sent': 'The week of {name}',
  'quota.near': 'The quota of {name} is nearly used up',
  'quota.exceeded': 'The quota of {name} is used up',
  'spike.started': 'Far more events than usual',
  'spike.ended': 'The traffic is back to usual',
  'channel.disabled': 'The channel {name} was turned off',
  'environment.changed': '{actor} changed the environment {name}',
  'key.changed': '{actor} changed the SDK key {name}',
  'member.changed': '{actor} changed the membership of {name}',
  'audit.recorded': 'Audit log of {name}',
}

export function summaryOf({
  event,
  actor,
  entity,
  environment,
}: NoticeFacts & { event: NoticeEvent }): string {
  const who = actor.kind === 'guard' ? 'The guard' : actor.name
  const sentence = sentences[event].replace('{actor}', () => who).replace('{name}', () => entity.name)
  return environment === null ? sentence : `${sentence} in ${environment}`
}

/** The path of its page in the console. */
export function pathOf({ event, entity, project, environment }: NoticeFacts): string {
  const at = (screen: string) =>
    `/p/${project}${screen}${environment === null ? '' : `?env=${encodeURIComponent(environment)}`}`
  const name = encodeURIComponent(entity.name)
  const [kind] = event.split('.')
  switch (kind) {
    case 'flag':
      return event === 'flag.deleted' ? at('/flags') : at(`/flags/${name}/history`)
    case 'segment':
      return at('/segments')
    case 'change-request':
      return at(`/change-requests/${entity.id}`)
    case 'scheduled-change':
      return at('/scheduled-changes')
    case 'rollout':
    case 'guard':
      return at(`/rollouts/${entity.id}`)
    case 'experiment':
      return at(`/experiments/${entity.id}`)
    case 'issue':
      return at(`/errors/${entity.id}`)
    case 'alert':
      return at(`/alerts/${entity.id}`)
    case 'channel':
      return at(`/settings/channels/${entity.id}`)
    case 'quota':
    case 'spike':
      return at('/settings/usage')
    case 'digest':
      return at('')
    case 'audit':
      return at('/settings/audit')
    case 'member':
      return at('/settings/members')
    case 'comment':
      return at(pathOfSubject(entity))
    default:
      return at('/settings/environments')
  }
}

/** The path of what a comment is on. */
export function pathOfComment(
  project: string,
  { subjectKind, subjectId, subjectName }: { subjectKind: string; subjectId: string; subjectName: string },
  environment: string | null,
): string {
  const entity = { kind: `${subjectKind}-comment`, id: subjectId, name: subjectName }
  const actor = { kind: 'user', id: null, name: '' }
  return pathOf({ event: 'comment.created', actor, entity, project, environment })
}

/** What a comment is on. */
function pathOfSubject({ kind, id, name }: Notice['entity']): string {
  switch (kind) {
    case 'rollout-comment':
      return `/rollouts/${id}`
    case 'issue-comment':
      return `/errors/${id}`
    case 'session-comment':
      return `/sessions/${id}`
    default:
      return `/flags/${encodeURIComponent(name)}/history`
  }
}
