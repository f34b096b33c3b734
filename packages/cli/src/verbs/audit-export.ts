import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'
import { serverVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'
import { auditFilterOptions, readAuditFilter } from './audit.ts'

export const auditExport = serverVerb({
  name: 'audit export',
  group: 'flags',
  does: 'writes the audit log as JSON lines or CSV, the oldest entry first',
  more: 'Without `--project`: of the whole installation, which needs the token of an owner. Each line has the hash of its entry and of the one before.',
  options: {
    project: { value: 'KEY', does: 'only the entries of one project' },
    ...auditFilterOptions,
    format: { value: 'FORMAT', does: 'ndjson, the default, or csv', oneOf: ['ndjson', 'csv'] },
    output: { value: 'FILE', does: 'a new file to write, instead of standard output' },
  },
  async run({ server, text }) {
    const query = { ...readAuditFilter(text), format: readFormat(text('format')) }
    const project = text('project')
    const content =
      project === undefined
        ? await server.download(calls.audit.exportInstallationAudit, { query }, limits.auditExportTimeout)
        : await server.download(
            calls.audit.exportProjectAudit,
            { params: { project }, query },
            limits.auditExportTimeout,
          )
    return write(content, text('output'))
  },
})

async function write(content: Readable, file: string | undefined): Promise<number> {
  try {
    if (file === undefined) await pipeline(content, process.stdout, { end: false })
    else await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return exitCodes.done
  } catch (error) {
    console.error(`The export is incomplete: ${error instanceof Error ? error.message : error}`)
    return exitCodes.failed
  }
}

function readFormat(text: string | undefined): 'ndjson' | 'csv' {
  if (text === undefined || text === 'ndjson' || text === 'csv') return text ?? 'ndjson'
  throw new UsageError('--format takes ndjson or csv.')
}
