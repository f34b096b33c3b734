// The command `telltale`: verbs.ts is the table of what it does.

import { runCommand } from './command/run-command.ts'
import { start } from './verbs/start.ts'
import { verbs } from './verbs.ts'

process.exitCode = await runCommand(process.argv.slice(2), { verbs, start })
