import { recordingLimits } from '@telltale/core/recording-limits'
import type { RecordingPlans } from '../../organisation/recording-plans/recording-plans.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { planRecordings } from './plan-recordings.ts'

const { orderPlanInterval, orderRefreshInterval } = recordingLimits

/** Plans orders, and learns of those that other servers planned. Returns functions that stop it. */
export function startOrders({
  recordingPlans,
  ...services
}: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'> & { recordingPlans: RecordingPlans }) {
  const { log } = services
  return [
    startRepeating(log, { what: 'ordering recordings', every: orderPlanInterval.value }, () =>
      planRecordings(services),
    ),
    startRepeating(log, { what: 'reading recording orders', every: orderRefreshInterval.value }, () =>
      recordingPlans.refresh(),
    ),
  ]
}
