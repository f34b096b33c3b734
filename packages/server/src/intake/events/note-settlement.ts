import { change } from '../../platform/engines/postgres/change.ts'

interface Settlement {
  action: 'quarantine.retry' | 'quarantine.discard'
  project: { id: string; key: string }
  environment: { id: string; key: string }
  rows: number
}

/** That somebody decided about rows, before it is done: what is done is in no transaction. */
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
