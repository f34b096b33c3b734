// The table of verbs, in the order of the help. To add one: a file in verbs/, and its line here.

import type { Verb } from './command/verb.ts'
import { allowPasswords } from './verbs/allow-passwords.ts'
import { apply } from './verbs/apply.ts'
import { audit } from './verbs/audit.ts'
import { auditExport } from './verbs/audit-export.ts'
import { auditVerify } from './verbs/audit-verify.ts'
import { backup } from './verbs/backup.ts'
import { codeRefs } from './verbs/code-refs.ts'
import { completionVerb } from './verbs/completion.ts'
import { deploy, deployMark } from './verbs/deploy-mark.ts'
import { edge } from './verbs/edge.ts'
import { engine } from './verbs/engine.ts'
import { evaluate } from './verbs/evaluate.ts'
import { exportVerb } from './verbs/export.ts'
import { flagsArchive } from './verbs/flags-archive.ts'
import { flagsCreate } from './verbs/flags-create.ts'
import { flagsGet } from './verbs/flags-get.ts'
import { flagsList } from './verbs/flags-list.ts'
import { flagsOff, flagsOn } from './verbs/flags-switch.ts'
import { identitiesGet } from './verbs/identities-get.ts'
import { importVerb } from './verbs/import.ts'
import { importFlagsmith } from './verbs/import-flagsmith.ts'
import { login } from './verbs/login.ts'
import { logout } from './verbs/logout.ts'
import { mcp } from './verbs/mcp.ts'
import { moveDatabase } from './verbs/move-database.ts'
import { plan } from './verbs/plan.ts'
import { removeFlag } from './verbs/remove-flag.ts'
import { resetPassword } from './verbs/reset-password.ts'
import { resetSecondFactor } from './verbs/reset-second-factor.ts'
import { restore } from './verbs/restore.ts'
import { rolloutPlan } from './verbs/rollout-plan.ts'
import { rolloutStart } from './verbs/rollout-start.ts'
import { rolloutStatus } from './verbs/rollout-status.ts'
import { rolloutWait } from './verbs/rollout-wait.ts'
import { segmentsGet } from './verbs/segments-get.ts'
import { segmentsList } from './verbs/segments-list.ts'
import { start } from './verbs/start.ts'
import { testFrom } from './verbs/test-from.ts'
import { types } from './verbs/types.ts'
import { uploadMapsVerb } from './verbs/upload-maps.ts'
import { whoami } from './verbs/whoami.ts'

export const verbs: readonly Verb[] = [
  start,
  backup,
  restore,
  resetPassword,
  resetSecondFactor,
  allowPasswords,
  moveDatabase,
  auditVerify,
  engine,
  edge,
  login,
  logout,
  whoami,
  flagsList,
  flagsGet,
  flagsOn,
  flagsOff,
  flagsCreate,
  flagsArchive,
  segmentsList,
  segmentsGet,
  identitiesGet,
  evaluate,
  audit,
  auditExport,
  rolloutPlan,
  rolloutStart,
  rolloutStatus,
  rolloutWait,
  deployMark,
  deploy,
  uploadMapsVerb,
  plan,
  apply,
  exportVerb,
  codeRefs,
  removeFlag,
  testFrom,
  types,
  mcp,
  importVerb,
  importFlagsmith,
  completionVerb(() => verbs),
]
