// Services that receive and process telemetry, without the store itself.

import { openErasedPeople } from '../intake/events/erased-people.ts'
import { openIntake } from '../intake/events/intake.ts'
import { createLive } from '../intake/live/live.ts'
import { createStackMapper } from '../intake/source-maps/map-frames.ts'
import { createSignedUserCounts } from '../organisation/signed-users/count-signed-users.ts'
import { storedFiles } from '../platform/data-folder/stored-file.ts'
import { defaultCapacityBytes } from '../platform/memory/default-capacity.ts'
import { createMemoryBudget } from '../platform/memory/memory-budget.ts'
import type { Closing } from '../platform/process/closing.ts'
import type { Services } from './services.ts'

type Given = Pick<
  Services,
  | 'config'
  | 'db'
  | 'announcements'
  | 'telemetry'
  | 'usage'
  | 'reductions'
  | 'recordingPlans'
  | 'background'
  | 'clock'
  | 'log'
>

export async function openTelemetryServices(
  closing: Closing,
  given: Given,
): Promise<
  Pick<Services, 'memory' | 'intake' | 'live' | 'erasedPeople' | 'signedUserCounts' | 'stackMapper'>
> {
  const { config, db, background } = given
  const memory = createMemoryBudget(config.requestMemory ?? defaultCapacityBytes())
  const erasedPeople = await openErasedPeople({ ...given, files: storedFiles(config.dataFolder) })
  closing.add('erased users', async () => erasedPeople.stop())

  const signedUserCounts = createSignedUserCounts(given)
  closing.add('counts of signed users', () => signedUserCounts.stop())
  const intake = await openIntake({ ...given, signedUserCounts })
  closing.add('the intake of telemetry', () => intake.stop())
  erasedPeople.onChange(() =>
    background(intake.quarantinedRows.discardErased(erasedPeople), 'erasing quarantined rows'),
  )
  erasedPeople.onChange(() => background(intake.rotateSpool(), 'starting a new spool file'))
  const stackMapper = createStackMapper(db, memory)
  return { memory, intake, live: createLive(given), erasedPeople, signedUserCounts, stackMapper }
}
