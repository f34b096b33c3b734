import type { EventContext } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { cutLine } from '@telltale/core/telemetry/clean-text'
import type { Intake } from '../events/intake.ts'

/** The application of an attachment, bounded as those of events are. */
export function boundService(
  { boundName }: Pick<Intake, 'boundName'>,
  environmentId: string,
  { service = '' }: Pick<EventContext, 'service'>,
): string {
  return service === '' ? '' : boundName(environmentId, 'service', cutLine(service, limits.eventNameLength))
}
