import type { LiveEvent } from '../../api/live.ts'

/** An event of any list, reduced to the fields its text needs. */
type DescribedEvent = Pick<
  LiveEvent,
  | ('kind' | 'name' | 'value' | 'duration' | 'page' | 'url' | 'target' | 'frustration' | 'flags')
  | ('method' | 'status' | 'failed' | 'host' | 'endpoint' | 'errorType' | 'errorMessage' | 'blocking')
>

/** The event in one line. */
export function eventText(event: DescribedEvent): string {
  switch (event.kind) {
    case 'view':
      return event.url || event.page
    case 'vital':
      return join(
        event.name,
        event.name === 'CLS' ? event.value.toFixed(2) : spanText(event.value),
        event.target,
      )
    case 'action':
      return join(event.name, event.frustration.map((kind) => `${kind} click`).join(', '), event.target)
    case 'resource':
      return join(
        event.method,
        event.status === 0 ? (event.failed ? 'failed' : '') : String(event.status),
        event.host + event.endpoint,
        spanText(event.duration),
      )
    case 'error':
      return `${event.errorType || 'Error'}: ${event.errorMessage}`
    case 'long_frame':
      return `${spanText(event.duration)}, blocking ${spanText(event.blocking)}`
    case 'custom':
      return join(event.name, event.value === 1 ? '' : String(event.value))
    case 'exposure':
      return event.flags.find((read) => read.startsWith(`${event.name}=`)) ?? event.name
    default:
      return event.name
  }
}

const kindNames: Readonly<Record<string, string>> = {
  view: 'view',
  vital: 'vital',
  action: 'action',
  resource: 'request',
  error: 'error',
  long_frame: 'long frame',
  custom: 'custom',
  exposure: 'exposure',
}

export const kindText = (kind: string) => kindNames[kind] ?? kind

/** `171 ms` below a second, `2.31 s` above. */
export function spanText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)}\u00a0ms`
  return `${(milliseconds / 1_000).toFixed(2)}\u00a0s`
}

export const whoText = ({ userKey, anonymousId }: Pick<LiveEvent, 'userKey' | 'anonymousId'>) =>
  userKey || anonymousId

/** Problems must be recognisable at a glance. */
export function isTrouble({ kind, failed, frustration }: DescribedEvent): boolean {
  return kind === 'error' || failed || frustration.length > 0
}

const join = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
