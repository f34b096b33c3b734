// The table of verbs, in the order of the help. To add one: a file in verbs/, and its line here.

import type { Verb } from './command/verb.ts'
import { backup } from './verbs/backup.ts'
import { deploy, deployMark } from './verbs/deploy-mark.ts'
import { engine } from './verbs/engine.ts'
import { importFlagsmith } from './verbs/import-flagsmith.ts'
import { moveDatabase } from './verbs/move-database.ts'
import { removeFlag } from './verbs/remove-flag.ts'
import { resetPassword } from './verbs/reset-password.ts'
import { restore } from './verbs/restore.ts'
import { start } from './verbs/start.ts'
import { uploadMapsVerb } from './verbs/upload-maps.ts'

export const verbs: readonly Verb[] = [
  start,
  backup,
  restore,
  resetPassword,
  moveDatabase,
  engine,
  deployMark,
  deploy,
  uploadMapsVerb,
  removeFlag,
  importFlagsmith,
]
