import { change } from '../../platform/engines/postgres/change.ts'

interface Settlement {
  action: 'quarantine.retry' | 'quarantine.discard'
  project: { id: string; key: string }
  environment: { id: string; key: string }
  rows: number
}

/** Audits the decision about the rows before it is carried out: the operation itself is not transactional. */
export const noteSettlement = change(
  async (_context, { action, project, environment, rows }: Settlement) => ({
    reply: null,
    changes: [
      {
        action,
        entity: { kind: 'quarantine', id: environment.id, name: environment.key },
        project,
        environment,
        after: { rows },
      },
    ],
  }),
)
