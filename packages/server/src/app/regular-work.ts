// The recurring background work of a server.

import { ledger } from '@telltale/core/ledger-limits'
import { limits } from '@telltale/core/limits'
import { forgetAttempts } from '../access/attempt-budgets.ts'
import { evaluateAaTests } from '../guard/aa-test/evaluate-aa-tests.ts'
import { noteInterruptions } from '../guard/experiments/note-interruptions.ts'
import { createEndDueHoldouts } from '../guard/holdouts/end-due-holdouts.ts'
import { refreshLedgers } from '../guard/ledger/refresh-ledgers.ts'
import { startOrders } from '../guard/recording-orders/start-orders.ts'
import { createExplainer } from '../guard/rollouts/explain-roll-backs.ts'
import { rolloutPolicy } from '../guard/rollouts/rollout-policy.ts'
import { judgeSplits } from '../guard/verdicts/judge-splits.ts'
import { runErasures } from '../intake/privacy/run-erasures.ts'
import { runNight } from '../intake/retention/run-night.ts'
import { tidyQuarantine } from '../intake/retention/tidy-quarantine.ts'
import { noteIssues } from '../monitoring/issues/note-issues.ts'
import { lookAtAlerts } from '../notify/alerts/look-at-alerts.ts'
import { startCourier } from '../notify/channels/courier.ts'
import { streamAudit } from '../notify/channels/stream-audit.ts'
import { tidyDeliveries } from '../notify/channels/tidy-deliveries.ts'
import { mailNewDevices } from '../organisation/accounts/mail-new-devices.ts'
import { sealEntries } from '../organisation/audit/seal-entries.ts'
import { lookAtUsage } from '../organisation/quotas/look-at-usage.ts'
import { refreshSessions } from '../organisation/sign-in-providers/refresh-sessions.ts'
import { measureDisk } from '../organisation/usage/measure-disk.ts'
import { tidyUsage } from '../organisation/usage/tidy-usage.ts'
import { startRepeating } from '../platform/process/repeat.ts'
import { sumUpCounts } from '../release/evaluations/sum-up-counts.ts'
import { runDue } from '../release/schedules/run-due.ts'
import { sendDigests } from '../reports/digests/send-digests.ts'
import type { Services } from './services.ts'

/** Returns a function that stops all of it. */
export function startRegularWork({
  db,
  config,
  usage,
  reductions,
  recordingPlans,
  mail,
  announcements,
  telemetry,
  stackMapper,
  intake,
  clock,
  log,
}: Pick<
  Services,
  | 'db'
  | 'config'
  | 'usage'
  | 'reductions'
  | 'recordingPlans'
  | 'mail'
  | 'announcements'
  | 'telemetry'
  | 'stackMapper'
  | 'intake'
  | 'clock'
  | 'log'
>): () => Promise<void> {
  const stops = [
    startRepeating(log, { what: 'summing up evaluation counts', every: limits.evaluationTidyInterval }, () =>
      sumUpCounts(db, clock()),
    ),
    startRepeating(log, { what: 'applying scheduled changes', every: limits.schedulePoll }, () =>
      runDue({ db, policy: rolloutPolicy, clock, log }),
    ),
    startRepeating(log, { what: 'looking for regressed errors', every: limits.issuePoll }, () =>
      noteIssues({ db, telemetry, stackMapper, clock }),
    ),
    startRepeating(
      log,
      { what: 'explaining rollbacks', every: limits.evidencePoll },
      createExplainer({ db, telemetry, stackMapper, clock, log }),
    ),
    startRepeating(log, { what: 'erasing users', every: limits.erasureSweep }, () =>
      runErasures({ db, config, announcements, intake, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'deleting expired data', every: limits.retentionPoll }, () =>
      runNight({ db, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'cleaning up the quarantine', every: limits.quarantineTidyInterval }, () =>
      tidyQuarantine({ db, intake, clock }),
    ),
    startRepeating(log, { what: 'reading groups of providers', every: limits.providerRefreshPoll }, () =>
      refreshSessions({ db, config, clock, log }),
    ),
    startRepeating(log, { what: 'looking at quotas and spikes', every: limits.quotaLookInterval }, () =>
      lookAtUsage({ db, usage, reductions, mail, config, clock, log }),
    ),
    startRepeating(log, { what: 'mailing sign-ins from new devices', every: limits.deviceMailPoll }, () =>
      mailNewDevices({ db, mail, config, log }),
    ),
    startRepeating(log, { what: 'forgetting attempts to sign in', every: limits.signInAccountWindow }, () =>
      forgetAttempts(db, clock()),
    ),
    startRepeating(log, { what: 'deleting old meters', every: limits.usageTidyInterval }, () =>
      tidyUsage(db, clock()),
    ),
    startRepeating(log, { what: 'measuring the engines', every: limits.diskSampleInterval }, () =>
      measureDisk({ db, telemetry }, clock()),
    ),
    startRepeating(log, { what: 'evaluating alerts', every: limits.alertPoll }, () =>
      lookAtAlerts({ db, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'evaluating A/A tests', every: limits.aaTestPoll }, () =>
      evaluateAaTests({ db, telemetry, clock, log }),
    ),
    startRepeating(
      log,
      { what: 'ending holdouts', every: limits.holdoutPoll },
      createEndDueHoldouts({ db, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'looking for interrupted experiments', every: limits.experimentPoll }, () =>
      noteInterruptions({ db, clock, log }),
    ),
    startRepeating(log, { what: 'judging splits without a guard', every: limits.unguardedPoll }, () =>
      judgeSplits({ db, telemetry, clock, log }),
    ),
    ...startOrders({ db, telemetry, recordingPlans, clock, log }),
    startRepeating(log, { what: 'computing ledgers of harm', every: ledger.poll }, () =>
      refreshLedgers({ db, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'sending digests', every: limits.digestPoll }, () =>
      sendDigests({ db, telemetry, clock, log }),
    ),
    startRepeating(log, { what: 'sealing audit entries', every: limits.auditSealInterval }, () =>
      sealEntries(db),
    ),
    startRepeating(log, { what: 'streaming the audit log', every: limits.auditStreamPoll }, () =>
      streamAudit(db, clock()),
    ),
    startCourier({ db, config, mail, announcements, clock, log }),
    startRepeating(log, { what: 'cleaning up the delivery log', every: limits.deliveryTidyInterval }, () =>
      tidyDeliveries(db, clock()),
    ),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
