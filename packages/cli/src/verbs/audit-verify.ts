import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const auditVerify = verb({
  name: 'audit verify',
  group: 'server',
  does: 'verifies that no entry of the audit log was changed or removed',
  more: 'Exits with 1 and names the first broken entry. Prints the hash of the last one: keep it elsewhere, because without it an end that was cut off is not noticed.',
  options: {
    data: dataOption,
    head: { value: 'HASH', does: 'a hash of an earlier run or of an export, which must still be in the log' },
    json: jsonOption,
  },
  run: ({ rest }) => runServerProgram(['verify-audit', ...rest]),
})
