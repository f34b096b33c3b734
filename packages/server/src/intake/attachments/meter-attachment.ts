import type { MeteredEnvironment, UsageCounts } from '../../organisation/usage/count-usage.ts'
import type { AttachmentKind, TakenAttachment } from './attachment.ts'

/** Counts a stored attachment towards the usage of the project; repeated ones are not counted. */
export function meterAttachment(
  usage: Pick<UsageCounts, 'add'>,
  { environment, kind }: { environment: MeteredEnvironment; kind: AttachmentKind },
  { receipt, sizeBytes, storedBytes = 0, application = '' }: TakenAttachment,
): void {
  if (receipt.accepted === 0) return
  usage.add(environment, application, {
    bytes: sizeBytes,
    ...(kind === 'replay' && { replaySegments: 1, replayBytes: storedBytes }),
    ...(kind === 'profile' && { profiles: 1 }),
  })
}
