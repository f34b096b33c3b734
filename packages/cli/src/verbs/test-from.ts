import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { environmentVerb } from '../command/remote-verb.ts'

export const testFrom = environmentVerb({
  name: 'test-from',
  group: 'code',
  does: 'writes a Playwright test from the recording of a session',
  more: 'It fails while the failure of the session is there. See [replays as tests](../guides/replay-tests.md).',
  takes: [{ name: 'SESSION' }],
  options: {
    out: { value: 'FILE', does: 'the file; the default is session-<start of the id>.spec.ts' },
  },
  async run({ server, project, env, argument, text, show }) {
    const session = argument(0)
    const file = text('out') ?? `session-${session.slice(0, 8)}.spec.ts`
    const params = { project, env, session }
    const chunks = await server.download(calls.replays.writeReplayTest, { params }, limits.codeApplyTimeout)
    await writeFile(resolve(file), chunks)
    show({ file }, () => `Wrote ${file}. Run it with: npx playwright test ${file}`)
  },
})
